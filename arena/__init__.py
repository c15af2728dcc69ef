"""The arena: matches, leagues, storage and the server around the rules."""

import os

# The arena starts bots while its own gRPC threads run. They exec at once and share no channel with it; gRPC's handlers
# for forks are of no use to them, are announced on standard error each time, and crash a child now and then (SIGSEGV).
# gRPC reads this when it is first imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")

# gRPC's event engine hands what arrives from thread to thread; where few cores serve many streams that costs a third of
# all decisions a second. Its older polling reads and writes where it waits.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
