"""A finished league in one file, and the proof of it."""
