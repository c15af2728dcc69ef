"""How an arena is: what operators, health checks and Prometheus are told."""
