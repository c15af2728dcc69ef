"""Programs that a node starts: bots as processes, and what is known of how they are named."""
