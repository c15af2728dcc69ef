"""Whatever can be asked for a decision: a bot in this process, on a stream, at another node, or absent."""
