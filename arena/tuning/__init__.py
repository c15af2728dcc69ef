"""Finds the parameters of a bot by play."""
