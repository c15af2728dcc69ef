"""Koi-koi in a minute: a hand that teaches the game while it is played, with advice at every step."""
