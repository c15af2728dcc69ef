import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "server"))

from server_arena import Arena, running_arena


@pytest.fixture
async def arena() -> AsyncIterator[Arena]:
    async with running_arena() as node:
        yield node
