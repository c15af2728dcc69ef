"""`arena league analyse`: where the bots of a league went wrong, and luck and play apart."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.failures import WrongUseError
from arena.cli.output import print_answer
from arena.cli.places import Arena
from arena.cli.values import AsJson, LeagueName
from arena.league.plurals import pluralize

if TYPE_CHECKING:
    from arena.analysis.league import BotReport, Look, Played
    from arena.remote.client import Client

_MARKS = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}


def analyse(
    name: LeagueName,
    arena: Arena,
    bot: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this bot; may be repeated.")] = None,
    division: Annotated[str | None, typer.Option(metavar="VARIANT", help="Only this division.")] = None,
    worst: Annotated[int, typer.Option(metavar="N", min=0, max=100, help="Worst choices of each bot.")] = 3,
    matches: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Look at the last N matches alone; by default at all.")
    ] = None,
    quick: Annotated[
        int, typer.Option(metavar="N", min=20, max=100_000, help="Playouts of each decision in the first look.")
    ] = 300,
    playouts: Annotated[
        int, typer.Option(metavar="N", min=20, max=1_000_000, help="Playouts of the worst in the second look.")
    ] = 4_000,
    processes: Annotated[int, typer.Option(metavar="N", min=0, max=64, help="By default one a processor.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Show each bot's worst choices, luck and play apart.

    All decisions are looked at quickly, and the worst again with more playouts and dice of their own, so that what is
    shown was not made worse by chance. The matches whose replays can be read are looked at.
    """
    import msgspec

    from arena.analysis.league import report

    wanted = frozenset(bot) if bot else None
    replays = arena.do(lambda client: _replays(client, name, division, wanted))
    if not replays:
        of = "".join((f" of {division}" if division else "", f" with {', '.join(sorted(wanted))}" if wanted else ""))
        raise WrongUseError(f"league {name} has no match{of} whose replay can be read")
    chosen = replays if matches is None else replays[-matches:]
    with _Looks(processes or os.cpu_count() or 1, len(chosen)) as looks:
        found = report(chosen, looks.each, worst=worst, quick=quick, close=playouts, bots=wanted)
    document: dict[str, Any] = {
        "league": name,
        "matches": len(chosen),
        "bots": [_plain(msgspec.to_builtins(one), one) for one in found],
    }
    print_answer(as_json, document, _lines(name, len(chosen), found))


class _Looks:
    """Looks at matches in several processes, and says how far that is."""

    def __init__(self, processes: int, matches: int) -> None:
        from rich.console import Console
        from rich.progress import Progress

        from arena.organizer.luck import worker_pool

        self._pool = worker_pool(min(processes, matches))
        self._progress = Progress(console=Console(stderr=True), transient=True)

    def __enter__(self) -> "_Looks":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
        self._pool.shutdown(cancel_futures=True)

    def each(self, looks: "Sequence[Look]") -> "Iterable[Played]":
        from arena.analysis.league import look_at

        what = "looking at all matches" if all(look.numbers is None for look in looks) else "looking closely"
        yield from self._progress.track(self._pool.map(look_at, looks), total=len(looks), description=what)


async def _replays(
    client: "Client", league: str, division: str | None, bots: frozenset[str] | None
) -> list[tuple[str, bytes]]:
    """The replays that can be read, by id, in the order of their ends."""
    from arena.cli.infos import league_of, replay_of, variants_of
    from hanafuda.arena.v1.replay_pb2 import ListReplaysRequest

    info = await league_of(client, league)
    if division is not None and division not in variants_of(info):
        raise WrongUseError(f"league {league} has no division of {division!r}; it has {', '.join(variants_of(info))}")
    known = {entrant.name for entrant in info.entrants}
    if bots is not None and not bots <= known:
        raise WrongUseError(f"{min(bots - known)!r} is not a bot of league {league}; it has {', '.join(sorted(known))}")
    request = ListReplaysRequest(league=league)
    listed = await client.all(client.replays.ListReplays, request, lambda page: page.replays)
    chosen = [
        one.replay_id
        for one in listed
        if division in (None, one.variant) and (bots is None or bots.intersection(one.bots))
    ]
    return [(replay, await replay_of(client, replay)) for replay in chosen]


def _plain(document: dict[str, Any], found: "BotReport") -> dict[str, Any]:
    from arena.cli.analysis import judgement_document

    worst = [{"match": one.match, "judgement": judgement_document(one.judgement)} for one in found.worst]
    return document | {"worst": worst}


def _lines(league: str, matches: int, found: "Sequence[BotReport]") -> Iterator[str]:
    from arena.cli.analysis import line_of

    yield f"{league}: {pluralize(matches, 'match', 'matches')}; margin, luck, play and lost are means a match"
    width = max(4, *(len(one.bot) for one in found))
    variant = ""
    for one in found:
        if one.variant != variant:
            variant = one.variant
            yield f"{variant}"
            head = f"  {'bot':<{width}} {'matches':>7} {'margin':>8} {'luck':>7} {'play':>8} {'lost':>7}"
            yield head + "".join(f" {mark:>4}" for mark in _MARKS)
        marks = "".join(f" {one.marks[kind]:>4}" for kind in _MARKS.values())
        yield (
            f"  {one.bot:<{width}} {one.matches:>7} {one.margin:>+8.1f} {one.luck:>+7.1f} {one.play:>+8.1f} "
            f"{one.lost:>7.1f}{marks}"
        )
    yield "how many in all: ?! inaccuracies, ? mistakes, ?? blunders"
    for one in found:
        if one.worst:
            yield f"the worst choices of {one.bot}, {one.variant}:"
            yield from (f"  {mistake.match} {line_of(mistake.judgement)}" for mistake in one.worst)
        else:
            yield f"no choice of {one.bot}, {one.variant}, was clearly worse than the best"
