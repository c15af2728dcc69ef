"""What every test has in common."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import arena  # noqa: F401 - before any test imports gRPC: it says how gRPC is to deal with forks

# A busy machine is no fault of the code under test: no example has to be made or to run in a time. The examples are
# the same on every run; other ones are looked for with --hypothesis-profile=search.
busy = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("arena", busy, derandomize=True)
settings.register_profile("search", busy, max_examples=1000)
settings.load_profile("arena")


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder for sockets, whose paths have to be short: where the tests' other files are may be long."""
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as folder:
        yield Path(folder)
