"""Nodes for tests of services."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from service_node import Node, node_on


@pytest.fixture
async def node(tmp_path: Path, short_path: Path) -> AsyncIterator[Node]:
    """A node over a real store."""
    async with node_on(tmp_path, short_path) as node:
        yield node
