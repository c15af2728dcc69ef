"""The other nodes: which bots they have, seats and jobs across the link."""
