"""Programs that a node starts: in cages or as processes; and how bots are named."""
