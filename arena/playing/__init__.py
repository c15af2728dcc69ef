"""Matches, tests and leagues in the caller's process, as objects that draw themselves in notebooks."""
