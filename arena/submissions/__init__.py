"""Bots that are sent in: packed folders, their versions, and whether they qualify."""
