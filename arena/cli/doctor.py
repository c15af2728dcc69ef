"""`arena doctor`."""

import os
import platform
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.failures import CheckFailedError
from arena.cli.places import PATIENCE_S, has_store
from arena.cli.values import RedisUrl


def doctor(
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Also check this data folder.")] = None,
    redis: RedisUrl = None,
) -> None:
    """Check that this machine has all that an arena needs.

    Exit status 1 when something is missing.
    """
    from arena.cli.aio import run
    from core_ext import VARIANTS

    typer.echo(f"python {platform.python_version()} on {sys.platform} {platform.machine()}, {os.cpu_count()} cores")
    typer.echo(f"rules core: {', '.join(VARIANTS)}")
    if data is not None and data.exists() and not data.is_dir():
        raise CheckFailedError(f"data folder {data}: it is no folder")
    if data is not None and not has_store(data):
        typer.echo(f"data folder {data}: nothing is stored there yet")
        data = None  # a look leaves nothing behind
    typer.echo(f"cage for bots: {run(_cage())}")
    problems = run(_store(data, redis))
    if problems:
        raise CheckFailedError("\n".join(problems))
    typer.echo("nothing is missing")


async def _cage() -> str:
    """Whether this machine can cage programs, and by what their limits are kept."""
    from arena.launcher.cage.cages import Cages
    from arena.launcher.cage.errors import NoCageError
    from arena.launcher.cage.probe import probe

    try:
        with closing(Cages()) as cages:
            return await probe(cages)
    except NoCageError as error:
        return f"no cage: {error}"


async def _store(data: Path | None, redis: str | None) -> list[str]:
    from arena.launcher.cage.runtimes import lacking
    from arena.scratch import scratch_folder
    from arena.signatures import SigningKey, key_text
    from arena.store import Store
    from arena.store.embedded import find_binary
    from arena.store.errors import StoreError

    try:
        if redis is None:
            typer.echo(f"server to embed: {find_binary()}")
        with scratch_folder() as scratch:
            async with await Store.open(data or scratch, redis=redis, attach=True, patience_s=PATIENCE_S) as store:
                info = store.server_info
                leagues = (await store.leagues.list(limit=1)).items
                waiting = await store.stalled.waiting()
                append_fsync = await store.append_fsync()
                signing_key = await store.signing_secret() if data is not None or redis is not None else None
        typer.echo(f"store: {info.name} {info.version} at {store.address}, {'with' if leagues else 'without'} leagues")
        for scope, runtimes in waiting.items():
            needs = (f"{one} (not offered here)" if one in lacking() else one for one in runtimes)
            typer.echo(f"no node works on {scope}, which needs a cage and {' and '.join(needs)}")
        if signing_key is not None:
            typer.echo(f"signing key: {key_text(SigningKey(signing_key).public)}")
    except StoreError as error:
        return [str(error)]
    if not info.durable:
        return ["the store's server keeps no append-only file, so a restart of it may lose leagues (appendonly yes)"]
    if append_fsync not in ("always", None):
        return [
            "the store's server, when killed, may lose what it acknowledged"
            f" (appendfsync {append_fsync} in place of always)"
        ]
    return []
