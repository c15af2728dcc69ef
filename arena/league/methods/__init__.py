"""Pairing methods: a file for each, and `registry.PAIRINGS`."""
