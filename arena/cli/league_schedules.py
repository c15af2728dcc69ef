"""`arena league schedule, upcoming, unschedule`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.output import print_answer
from arena.cli.targets import StoreOptions
from arena.cli.values import AsJson

if TYPE_CHECKING:
    from arena.organizer.schedules import Season
    from arena.store import Store

_STARTS = 3
"""How many starts of a schedule are shown."""


def schedule(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The league file (TOML), with a [schedule].")],
    target: StoreOptions,
) -> None:
    """Schedule leagues: running nodes open and start them in time."""
    from datetime import UTC, datetime

    from arena.cli.league_file import faults, read_file
    from arena.organizer import schedules

    read = read_file(file, target, scheduled=True)

    async def create(store: "Store") -> "Season":
        with faults(read.path, read.text):
            return await schedules.create(store, read.spec, await read.entrants(store), datetime.now(UTC))

    typer.echo(_line(target.do(create, create=True)))


def upcoming(target: StoreOptions, as_json: AsJson = False) -> None:
    """Show the scheduled leagues, the next one first."""
    from arena.organizer.errors import UnreadableScheduleError
    from arena.organizer.schedules import moment, season_of

    seasons: list[Season] = []
    unreadable: list[UnreadableScheduleError] = []
    for schedule in target.do(lambda store: store.schedules.list()):
        try:
            seasons.append(season_of(schedule))
        except UnreadableScheduleError as error:
            unreadable.append(error)
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
    faults = [{"schedule": error.name, "error": error.reason} for error in unreadable]
    lines = [*map(_line, seasons), *map(str, unreadable)]
    print_answer(as_json, {"upcoming": document, "unreadable": faults}, lines)


def unschedule(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The schedule's name.")], target: StoreOptions
) -> None:
    """Remove a schedule. A league that it has opened stays open, and starts with `arena league start`."""
    target.do(lambda store: store.schedules.remove(name))
    starts = target.command(f"league start {name}.N")
    typer.echo(f"schedule {name} is removed; a league {name}.N that it has opened starts with {starts}")


def _line(season: "Season") -> str:
    """Return one line: the next league, when it opens and starts, and what follows."""
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    from arena.organizer.schedules import moment

    rule = season.spec.schedule
    assert rule is not None
    zone = ZoneInfo(rule.zone)

    def shown(time: datetime) -> str:
        return f"{time.astimezone(zone):%Y-%m-%d %H:%M}"

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
