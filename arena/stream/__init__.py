"""PlayService: the streams of connected bots, their sessions, and the feeds of spectators."""
