"""Opening a store to read from it: one that is there already, so that a look at nothing leaves nothing behind."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.failures import WrongUseError

if TYPE_CHECKING:
    from arena.store import Store


def has_store(data: Path) -> bool:
    """Whether an embedded server has kept anything in the folder."""
    return (data / "appendonlydir").is_dir()


@asynccontextmanager
async def existing_store(data: Path, redis: str | None) -> "AsyncIterator[Store]":
    """The store of a Redis, or of a data folder, whether an arena runs there or not. Raises what Store.open raises,
    and WrongUseError where nothing is kept."""
    from arena.store import Store

    if redis is None and not has_store(data):
        raise WrongUseError(f"there is no store in {data}: nothing was registered or played there")
    async with await Store.open(data, redis=redis, attach=True) as store:
        yield store
