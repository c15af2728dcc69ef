"""What a process of the arena counts of itself, and how Prometheus reads it."""
