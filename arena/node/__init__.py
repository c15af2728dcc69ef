"""A node: composition, the job loop, the server, process settings."""
