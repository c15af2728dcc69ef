"""`arena league analyse`: where the bots of a league went wrong, and luck and play apart."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.targets import Arena
from arena.cli.values import AsJson, LeagueName

if TYPE_CHECKING:
    from arena.remote.client import Client


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
    from arena.cli.joint_analysis import print_report

    wanted = frozenset(bot) if bot else None
    replays = arena.do(lambda client: _replays(client, name, division, wanted))
    if not replays:
        of = "".join((f" of {division}" if division else "", f" with {', '.join(sorted(wanted))}" if wanted else ""))
        raise WrongUseError(f"league {name} has no match{of} whose replay can be read")
    chosen = replays if matches is None else replays[-matches:]
    report = partial(print_report, worst=worst, quick=quick, close=playouts, processes=processes, as_json=as_json)
    report(name, {"league": name}, chosen, bots=wanted)


async def _replays(
    client: "Client", league: str, division: str | None, bots: frozenset[str] | None
) -> list[tuple[str, bytes]]:
    """Return the replays that can be read, by id, in the order of their ends."""
    from arena.cli.infos import league_of, replay_of, variants_of
    from hanafuda.arena.v1.replay_pb2 import ListReplaysRequest

    info = await league_of(client, league)
    if division is not None and division not in variants_of(info):
        raise WrongUseError(f"league {league} has no division of {division!r}; it has {', '.join(variants_of(info))}")
    entered = {entrant.name for entrant in info.entrants}
    if bots is not None and not bots <= entered:
        raise WrongUseError(
            f"{min(bots - entered)!r} is not a bot of league {league}; it has {', '.join(sorted(entered))}"
        )
    request = ListReplaysRequest(league=league)
    listed = await client.list_all(client.replays.ListReplays, request, lambda page: page.replays)
    chosen = [
        info.replay_id
        for info in listed
        if division in (None, info.variant) and (bots is None or bots.intersection(info.bots))
    ]
    return [(replay, await replay_of(client, replay)) for replay in chosen]
