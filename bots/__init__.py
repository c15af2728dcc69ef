"""Baseline bots, each a program of its own on the SDK."""
