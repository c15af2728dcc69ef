"""The rules of the arena's card games: pure, deterministic, without I/O."""
