"""Leagues as pure functions over plain values: files, boards, pairing, standings, statistics."""
