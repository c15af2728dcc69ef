"""Plays one match: seats, clocks, verdicts. Knows the rules core, no league and no store, and of wires only `local`."""
