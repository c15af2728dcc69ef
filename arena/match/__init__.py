"""Plays one match: the referee's loop, its clocks and verdicts. Knows the rules core; no league, store or wire."""
