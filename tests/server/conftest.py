from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from server_arena import Arena, running_arena

from arena.stream.hub import Limits


@pytest.fixture
async def arena() -> AsyncIterator[Arena]:
    async with running_arena() as node:
        yield node


@pytest.fixture
def arena_with() -> Callable[..., Any]:
    return lambda **limits: running_arena(Limits(**{"goodbye_ms": 500, **limits}))
