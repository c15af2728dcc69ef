"""Longer measurements and simulations for those who work on the arena, each a command: `python -m benchmarks.NAME`."""
