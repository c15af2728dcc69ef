"""The wire: gRPC servicers over a hub of connected bots, authentication, limits."""

import os

# A node starts bots while it serves. They exec at once and share no channel with it, so gRPC's care for forks, which it
# announces on standard error each time, is for nothing. gRPC reads this when it is first imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")
