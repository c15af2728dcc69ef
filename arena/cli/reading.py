"""Opening a store for a command that a person waits for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.failures import WrongUseError

if TYPE_CHECKING:
    from arena.store import Store


PATIENCE_S = 5.0
"""How long a person is kept waiting for a server that is away; a node waits longer."""


def has_store(data: Path) -> bool:
    """Whether an embedded server has kept anything in the folder."""
    return (data / "appendonlydir").is_dir()


@asynccontextmanager
async def open_store(data: Path, redis: str | None) -> "AsyncIterator[Store]":
    """The store of a Redis, or of a data folder, whether an arena runs there or not. Raises what Store.open raises."""
    from arena.store import Store

    async with await Store.open(data, redis=redis, attach=True, patience_s=PATIENCE_S) as store:
        yield store


@asynccontextmanager
async def existing_store(data: Path, redis: str | None) -> "AsyncIterator[Store]":
    """The same of a store that is there already, so that a look at nothing leaves nothing behind.

    Raises what Store.open raises, and WrongUseError where nothing is kept.
    """
    if redis is None and not has_store(data):
        raise WrongUseError(f"there is no store in {data}: nothing was registered or played there")
    async with open_store(data, redis) as store:
        yield store
