"""An arena on another machine, called over gRPC with a token."""
