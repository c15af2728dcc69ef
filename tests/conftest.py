"""What every test has in common."""

from hypothesis import settings

import arena  # noqa: F401 - before any test imports gRPC: it says how gRPC is to deal with forks

# A busy machine is no fault of the code under test: nothing here asserts time.
settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
