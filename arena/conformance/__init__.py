"""Whether a bot keeps the protocol."""
