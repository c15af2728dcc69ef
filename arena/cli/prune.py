"""`arena prune`."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.failures import WrongUseError
from arena.cli.output import print_answer
from arena.cli.serve_options import read_time
from arena.cli.targets import StoreOptions
from arena.cli.values import AsJson

if TYPE_CHECKING:
    from arena.store import League, Store


def prune(
    target: StoreOptions,
    replays: Annotated[
        str | None, typer.Option(metavar="TIME", help="Remove the replays of leagues that were over so long ago: 90d.")
    ] = None,
    matches: Annotated[
        str | None, typer.Option(metavar="TIME", help="Remove single matches that were made so long ago and are over.")
    ] = None,
    logs: Annotated[
        str | None, typer.Option(metavar="TIME", help="Remove what bots wrote, where nothing was added for so long.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be removed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove what is old: replays, single matches, logs.

    Results, tables and ratings stay. A league has to be exported before its replays go.
    """
    texts = {"--replays": replays, "--matches": matches, "--logs": logs}
    ages = {option: read_time(option, text) for option, text in texts.items() if text is not None}
    if not ages:
        raise WrongUseError("give --replays, --matches or --logs with a time, for example --replays 90d")

    async def work(store: "Store") -> dict[str, Any]:
        removed: dict[str, Any] = {}
        if (age := ages.get("--replays")) is not None:
            removed["leagues"] = await _replays(store, age, dry_run=dry_run)
        if (age := ages.get("--matches")) is not None:
            removed["matches"] = await _matches(store, age, dry_run=dry_run)
        if (age := ages.get("--logs")) is not None:
            removed["logs"] = await _outputs(store, age, dry_run=dry_run)
        return removed

    removed = target.do(work) if {"--replays", "--matches"} & ages.keys() or target.exists else {}
    if (age := ages.get("--logs")) is not None:
        removed["logs"] = int(removed.get("logs", 0)) + _logs(target.data / "logs", age, dry_run=dry_run)
    print_answer(as_json, {"dry_run": dry_run, **removed}, _lines(removed, "would remove" if dry_run else "removed"))


async def _replays(store: "Store", age_s: int, *, dry_run: bool) -> list[dict[str, object]]:
    """Remove the replays of old leagues; what there were."""
    from msgspec.structs import asdict

    from arena.store.paging import all_pages

    before = time.time_ns() // 1000 - age_s * 1_000_000
    old: list[League] = [league async for league in all_pages(store.leagues.list) if 0 < league.finished_us < before]
    removed = []
    for league in old:
        variants = tuple(division.variant for division in league.divisions)
        replays = await store.retention.replays_of(league.name, variants)
        if not replays.replays:
            continue
        removed.append(asdict(replays))
        if not dry_run:
            bots = tuple(entry.bot for entry in await store.leagues.entrants(league.name))
            await store.retention.drop_replays(league.name, variants, bots)
    return removed


async def _outputs(store: "Store", age_s: int, *, dry_run: bool) -> int:
    """Remove what submitted bots wrote long ago; how many bytes."""
    from arena.store.paging import all_pages

    size = 0
    async for bot in all_pages(store.bots.list):
        old = await store.outputs.older(bot.name, age_s)
        size += old
        if old and not dry_run:
            await store.outputs.drop_older(bot.name, age_s)
    return size


async def _matches(store: "Store", age_s: int, *, dry_run: bool) -> int:
    """Remove old single matches; how many. A dry run counts those too that are not over."""
    if dry_run:
        return await store.retention.older_matches(age_s)
    total = 0
    while deleted := await store.matches.delete_older(age_s):
        total += deleted
    return total


def _logs(folder: Path, age_s: int, *, dry_run: bool) -> int:
    """Remove old files that bots wrote; how many bytes they had."""
    before, size = time.time() - age_s, 0
    for path in sorted(folder.rglob("*.log")):
        about = path.stat()
        if about.st_mtime < before:
            size += about.st_size
            if not dry_run:
                path.unlink()
    return size


def _lines(removed: dict[str, object], word: str) -> Iterator[str]:
    leagues = removed.get("leagues")
    if isinstance(leagues, list):
        for league in leagues:
            yield f"{word} {league['replays']:,} replays of league {league['league']}, {league['bytes']:,} bytes"
        if not leagues:
            yield f"{word} no replays: no league with replays was over so long ago"
    if "matches" in removed:
        yield f"{word} {removed['matches']} single matches"
    if "logs" in removed:
        yield f"{word} {removed['logs']:,} bytes that bots wrote"
