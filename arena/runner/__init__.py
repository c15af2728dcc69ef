"""Keeps a bot at an arena: starts its program, and stands between the two with the rules of its owner."""
