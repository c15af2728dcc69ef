"""The arena: matches, leagues, storage and the server around the rules."""
