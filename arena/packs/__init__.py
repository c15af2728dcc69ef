"""A bot's folder: what its manifest says, and the same folder packed."""
