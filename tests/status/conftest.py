"""Stores for tests of what operators are told."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.store import Store


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store on an embedded server."""
    async with await Store.open(tmp_path / "data", patience_s=60) as store:
        yield store
