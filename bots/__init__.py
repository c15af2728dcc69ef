"""Baseline bots, each a program of its own on the SDK."""

HOUSE_MODULES = {"random": "bots.random_bot", "greedy": "bots.greedy", "search": "bots.search"}
"""The module of each house bot by its name; `python -m MODULE` runs it."""
