"""What every RPC shares: who calls, typed refusals, and how they look on the wire."""
