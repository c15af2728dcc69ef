"""Plays one match: seats, clocks, verdicts. Knows the rules core, knows no league, no wire and no store."""
