"""One file an RPC service, its mapping from the store to messages included."""
