"""Runs leagues over the store: entries, the steps of a division, tables, schedules."""
