"""The wire: gRPC servicers over a hub of connected bots, authentication, limits."""
