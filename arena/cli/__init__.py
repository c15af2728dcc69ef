"""The command line: `arena …`."""

import os

# The arena starts its bots while its server runs. They exec at once and share no channel with it, so gRPC's care for
# forks, which it announces on standard error each time, is for nothing. gRPC reads this when it is first imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")

from arena.cli.app import main

__all__ = ["main"]
