"""`arena league start, enter, withdraw, pause, resume, retry, cancel`: beside a running node, or without one."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.places import Arena, StoreOptions
from arena.cli.values import LeagueName, names_of

if TYPE_CHECKING:
    from arena.store import Store


def start(name: LeagueName, place: StoreOptions) -> None:
    """Start an open league: running nodes (`arena serve`) play it."""
    from arena.organizer.steps import start as start_league
    from arena.store.errors import LeagueStateError

    async def change(store: "Store") -> None:
        match (await store.leagues.get(name)).state:
            case "paused":
                raise LeagueStateError(name, "paused", f"{place.command(f'league resume {name}')} resumes it")
            case "finished" | "cancelled" as over:
                raise LeagueStateError(name, over, "only an open league can be started")
        await start_league(store, name)

    _change(name, place, change)


def enter(
    name: LeagueName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="house:NAME, a path, a registered name, or NAME@VERSION.")],
    arena: Arena,
    as_name: Annotated[str | None, typer.Option("--as", metavar="NAME", help="The bot's name in the tables.")] = None,
    variants: Annotated[
        str | None,
        typer.Option(
            metavar="VARIANT,VARIANT", help="Divisions to enter; by default all that it plays and that are not over."
        ),
    ] = None,
    nonce: Annotated[str, typer.Option(metavar="TEXT", help="A text that goes into the cards' seeds.")] = "",
) -> None:
    """Enter a bot into an open league, or late into a running one."""
    from arena.cli.entering import enter_here, enter_there

    given = name, bot, as_name, names_of("--variants", variants) if variants is not None else (), nonce
    if arena.server is None:
        answer = arena.store.do(lambda store: enter_here(store, *given))
    else:
        answer = arena.server.do(lambda client: enter_there(client, arena.flags, *given))
    entered = answer.entrant
    where = f"league {name} ({', '.join(entered.variants)})"
    if answer.already_entered:
        typer.echo(f"{entered.name} is in {where} already")
        return
    typer.echo(f"{entered.name} has entered {where}")
    if answer.late:
        lost = " Its nonce counts for nothing." if nonce else ""
        typer.echo(f"It is late: it plays from each division's next round on.{lost}")


def withdraw(
    name: LeagueName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot's name in the tables; with --server, the bot.")],
    arena: Arena,
) -> None:
    """Take a bot out of a league.

    Once the league has started, that is for good: the bot plays no further round.
    """
    from hanafuda.arena.v1.league_pb2 import WithdrawFromLeagueRequest

    if arena.server is None:
        arena.store.do(lambda store: store.leagues.withdraw(name, bot))
        gone = [bot]
    else:
        request = WithdrawFromLeagueRequest(league=name, bot=bot)
        answer = arena.server.do(lambda client: client.call(client.leagues.WithdrawFromLeague, request))
        gone = [entrant.name for entrant in answer.entrants]
    for one in gone:
        typer.echo(f"{one} has withdrawn from league {name}")


def pause(name: LeagueName, place: StoreOptions) -> None:
    """Pause a league: matches under way end, no other begins."""
    _change(name, place, lambda store: store.leagues.pause(name))


def resume(name: LeagueName, place: StoreOptions) -> None:
    """Resume a paused league."""
    _change(name, place, lambda store: store.leagues.resume(name))


def retry(name: LeagueName, place: StoreOptions) -> None:
    """Retry a league's failed jobs, once their cause is fixed."""
    from arena.league.plurals import pluralize
    from arena.organizer.steps import retry_parked

    async def retried(store: "Store") -> int:
        return await retry_parked(store, await store.leagues.get(name))

    number = place.do(retried)
    again = f"{pluralize(number, 'job')} of league {name} {'is' if number == 1 else 'are'} tried again"
    typer.echo(again if number else f"no job of league {name} was given up")


def cancel(name: LeagueName, place: StoreOptions) -> None:
    """End a league early and for good.

    What was played stays; the secret is published.
    """
    _change(name, place, lambda store: store.leagues.cancel(name))


def _change(name: str, place: StoreOptions, change: "Callable[[Store], Awaitable[None]]") -> None:
    """Change a league's state, and print the state that it has then."""

    async def states(store: "Store") -> tuple[str, str]:
        before = (await store.leagues.get(name)).state
        await change(store)
        return before, (await store.leagues.get(name)).state

    before, after = place.do(states)
    typer.echo(f"league {name} is {after}{' already' if after == before else ''}")
