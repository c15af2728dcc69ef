"""`arena doctor`."""

import os
import platform
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.failures import CheckFailedError
from arena.cli.output import print_document, say
from arena.cli.targets import PATIENCE_S, has_store
from arena.cli.values import AsJson, RedisUrl


def doctor(
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Also check this data folder.")] = None,
    redis: RedisUrl = None,
    as_json: AsJson = False,
) -> None:
    """Check that this machine has all that an arena needs.

    Exit status 1 when something is missing.
    """
    from arena.cli.aio import run
    from core_ext import VARIANTS

    say(f"python {platform.python_version()} on {sys.platform} {platform.machine()}, {os.cpu_count()} cores")
    say(f"rules core: {', '.join(VARIANTS)}")
    if data is not None and data.exists() and not data.is_dir():
        raise CheckFailedError(f"data folder {data}: it is no folder")
    if data is not None and not has_store(data):
        say(f"data folder {data}: nothing is stored there yet")
        data = None  # a look leaves nothing behind
    cage = run(_cage())
    say(f"cage for bots: {cage}")
    store_report, problems = run(_store(data, redis))
    if as_json:
        machine = {
            "python": platform.python_version(),
            "platform": f"{sys.platform} {platform.machine()}",
            "cores": os.cpu_count(),
            "variants": VARIANTS,
            "cage": cage,
        }
        print_document({"ok": not problems, **machine, **store_report, "problems": problems})
    if problems:
        raise CheckFailedError("\n".join(problems))
    say("nothing is missing")


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


async def _store(data: Path | None, redis: str | None) -> tuple[dict[str, Any], list[str]]:
    """Return what was found of the store, and what is wrong with it."""
    from arena.launcher.cage.runtimes import lacking
    from arena.scratch import scratch_folder
    from arena.signatures import SigningKey, key_text
    from arena.store import Store
    from arena.store.embedded import find_binary
    from arena.store.errors import StoreError

    report: dict[str, Any] = {}
    try:
        if redis is None:
            report["server"] = str(find_binary())
            say(f"server to embed: {report['server']}")
        with scratch_folder() as scratch:
            async with await Store.open(data or scratch, redis=redis, attach=True, patience_s=PATIENCE_S) as store:
                info = store.server_info
                leagues = (await store.leagues.list(limit=1)).items
                waiting = await store.stalled.waiting()
                append_fsync = await store.append_fsync()
                signing_key = await store.signing_secret() if data is not None or redis is not None else None
        report["store"] = {
            "name": info.name,
            "version": info.version,
            "address": store.address,
            "has_leagues": bool(leagues),
            "waiting": {str(scope): sorted(runtimes) for scope, runtimes in waiting.items()},
        }
        say(f"store: {info.name} {info.version} at {store.address}, {'with' if leagues else 'without'} leagues")
        for scope, runtimes in waiting.items():
            needs = (f"{runtime} (not offered here)" if runtime in lacking() else runtime for runtime in runtimes)
            say(f"no node works on {scope}, which needs a cage and {' and '.join(needs)}")
        if signing_key is not None:
            report["signing_key"] = key_text(SigningKey(signing_key).public)
            say(f"signing key: {report['signing_key']}")
    except StoreError as error:
        return report, [str(error)]
    if not info.durable:
        lost = "the store's server keeps no append-only file, so a restart of it may lose leagues (appendonly yes)"
        return report, [lost]
    if append_fsync not in ("always", None):
        lost = "the store's server, when killed, may lose what it acknowledged"
        return report, [f"{lost} (appendfsync {append_fsync} in place of always)"]
    return report, []
