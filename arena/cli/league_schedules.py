"""`arena league schedule, upcoming, unschedule`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.documents import print_document
from arena.cli.league_file import LeagueFile, faults, read_file
from arena.cli.reading import existing_store, open_store
from arena.cli.values import DEFAULT_DATA, AsJson, Data, RedisUrl

if TYPE_CHECKING:
    from arena.organizer.schedules import Season

_STARTS = 3
"""How many starts of a schedule are shown."""


def schedule(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The league file (TOML), with a [schedule].")],
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
) -> None:
    """Schedule leagues: running nodes open and start them in time."""
    from arena.cli.aio import run

    run(_schedule(read_file(file, data, redis, scheduled=True), data, redis))


def upcoming(data: Data = DEFAULT_DATA, redis: RedisUrl = None, as_json: AsJson = False) -> None:
    """Show the scheduled leagues, the next one first."""
    from arena.cli.aio import run

    run(_upcoming(data, redis, as_json))


def unschedule(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The schedule's name.")],
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
) -> None:
    """Remove a schedule. A league that it has opened stays open."""
    from arena.cli.aio import run

    async def work() -> None:
        async with existing_store(data, redis) as store:
            await store.schedules.remove(name)
            typer.echo(f"schedule {name} is removed")

    run(work())


async def _schedule(file: LeagueFile, data: Path, redis: str | None) -> None:
    from datetime import UTC, datetime

    from arena.organizer import schedules

    async with open_store(data, redis) as store:
        with faults(file.path, file.text):
            season = await schedules.create(store, file.spec, await file.entrants(store), datetime.now(UTC))
        typer.echo(_line(season))


async def _upcoming(data: Path, redis: str | None, as_json: bool) -> None:
    from arena.organizer.schedules import moment, season_of

    async with existing_store(data, redis) as store:
        seasons = [season_of(one) for one in await store.schedules.list()]
    if not as_json:
        for season in seasons:
            typer.echo(_line(season))
        return
    document = [
        {
            "schedule": season.spec.name,
            "league": season.league.name,
            "open": season.opened,
            "opens_at": moment(season.open_us),
            "starts": season.starts(_STARTS),
            "left": season.left,
            "skipped": season.skipped,
        }
        for season in seasons
    ]
    print_document({"upcoming": document})


def _line(season: "Season") -> str:
    """One line: the next league, when it opens and starts, and what follows."""
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    from arena.organizer.schedules import moment

    rule = season.spec.schedule
    assert rule is not None
    zone = ZoneInfo(rule.zone)

    def shown(at: datetime) -> str:
        return f"{at.astimezone(zone):%Y-%m-%d %H:%M}"

    first, *more = season.starts(_STARTS)
    opens = moment(season.open_us)
    when = "open" if season.opened else f"opens {'at once' if opens <= datetime.now(UTC) else shown(opens)}"
    parts = [
        f"{season.league.name}  {when}",
        f"starts {shown(first)} {rule.zone}",
        *([f"then {', '.join(map(shown, more))}"] if more else []),
        *([f"{season.left} left"] if season.left is not None else []),
        *([f"{season.skipped} skipped"] if season.skipped else []),
    ]
    return "  ".join(parts)
