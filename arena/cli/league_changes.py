"""The commands that change a league: beside a running node, or without one."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.output import print_answer
from arena.cli.targets import Arena, StoreOptions
from arena.cli.values import AsJson, EnteredBot, LeagueName, check_file, names_of

if TYPE_CHECKING:
    from arena.store import Store


def start(
    name: LeagueName,
    target: StoreOptions,
    beacon: Annotated[
        str | None,
        typer.Option(metavar="FILE|HEX", help="The signature of the beacon's round that the league's file names."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Start an open league: running nodes (`arena serve`) play it."""
    from arena.organizer.steps import spec_of
    from arena.organizer.steps import start as start_league
    from arena.store.errors import LeagueStateError

    async def change(store: "Store") -> None:
        league = await store.leagues.get(name)
        match league.state:
            case "paused":
                raise LeagueStateError(name, "paused", f"{target.command(f'league resume {name}')} resumes it")
            case "finished" | "cancelled" as over:
                raise LeagueStateError(name, over, "only an open league can be started")
        named = spec_of(league).beacon_round
        await start_league(store, name, beacon if beacon is None or named is None else _signature(beacon, named))

    _change(name, target, change, as_json)


def enter(
    name: LeagueName,
    bot: EnteredBot,
    arena: Arena,
    as_name: Annotated[str | None, typer.Option("--as", metavar="NAME", help="The bot's name in the tables.")] = None,
    variants: Annotated[
        str | None,
        typer.Option(
            metavar="VARIANT,VARIANT", help="Divisions to enter; by default all that it plays and that are not over."
        ),
    ] = None,
    nonce: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Commit to a nonce for the cards' seeds; it is drawn and kept in this file."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Enter a bot into an open league, or late into a running one."""
    from arena.cli.entering import enter_here, enter_there
    from arena.league.spec import default_name as named_by_default

    commitment = "" if nonce is None else _drawn(nonce, name, as_name or named_by_default(bot), arena)
    entry = name, bot, as_name, names_of("--variants", variants) if variants is not None else (), commitment
    if arena.server is None:
        answer = arena.store.do(lambda store: enter_here(store, *entry))
    else:
        answer = arena.server.do(lambda client: enter_there(client, arena.flags, *entry))
    entered = answer.entrant
    where = f"league {name} ({', '.join(entered.variants)})"
    lines = [f"{entered.name} {f'is in {where} already' if answer.already_entered else f'has entered {where}'}"]
    if answer.late and not answer.already_entered:
        lost = " Its nonce counts for nothing." if nonce else ""
        lines.append(f"It is late: it plays from each division's next round on.{lost}")
    elif nonce is not None and not answer.already_entered:
        reveals = f"arena league reveal {name} {entered.name} {quote(str(nonce))}{arena.flags}"
        lines.append(f"When entries are closed, reveal its nonce, or the league cannot start: {reveals}")
    document = {
        "league": name,
        "bot": entered.name,
        "variants": list(entered.variants),
        "already_entered": answer.already_entered,
        "late": answer.late,
    }
    print_answer(as_json, document, lines)


def close(name: LeagueName, target: StoreOptions) -> None:
    """Close entries: nobody enters or leaves before the start.

    Bots that have committed to nonces reveal them now.
    """
    target.do(lambda store: store.leagues.close(name))
    typer.echo(f"the entries of league {name} are closed until it starts")


def reveal(
    name: LeagueName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot's name in the tables.")],
    nonce: Annotated[Path, typer.Argument(metavar="FILE", help="The file that `arena league enter --nonce` wrote.")],
    arena: Arena,
) -> None:
    """Reveal a bot's nonce, once entries are closed.

    The league can start when all nonces are revealed.
    """
    from arena.cli.infos import league_of
    from arena.cli.nonce_file import revealed_nonce
    from arena.organizer.entries import reveal as keep
    from hanafuda.arena.v1.league_pb2 import RevealNonceRequest

    league = arena.do(lambda client: league_of(client, name))
    if not league.HasField("entries_close_at"):
        raise WrongUseError(f"the entries of league {name} are not closed yet: who enters now could choose by it")
    nonce_file = revealed_nonce(nonce, league, bot)
    if arena.server is None:
        arena.store.do(lambda store: keep(store, name, bot, nonce_file.nonce))
    else:
        request = RevealNonceRequest(league=name, bot=bot, nonce=nonce_file.nonce)
        arena.server.do(lambda client: client.call(client.leagues.RevealNonce, request))
    typer.echo(f"{bot} has revealed its nonce in league {name}; keep {nonce} for `arena league verify --nonce`")


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
    for withdrawn in gone:
        typer.echo(f"{withdrawn} has withdrawn from league {name}")


def pause(name: LeagueName, target: StoreOptions, as_json: AsJson = False) -> None:
    """Pause a league: matches under way end, no other begins."""
    _change(name, target, lambda store: store.leagues.pause(name), as_json)


def resume(name: LeagueName, target: StoreOptions, as_json: AsJson = False) -> None:
    """Resume a paused league."""
    _change(name, target, lambda store: store.leagues.resume(name), as_json)


def retry(name: LeagueName, target: StoreOptions) -> None:
    """Retry a league's failed jobs, once their cause is fixed."""
    from arena.league.plurals import pluralize
    from arena.organizer.steps import retry_parked

    async def retried(store: "Store") -> int:
        return await retry_parked(store, await store.leagues.get(name))

    number = target.do(retried)
    again = f"{pluralize(number, 'job')} of league {name} {'is' if number == 1 else 'are'} tried again"
    typer.echo(again if number else f"no job of league {name} was given up")


def cancel(name: LeagueName, target: StoreOptions, as_json: AsJson = False) -> None:
    """End a league early and for good.

    What was played stays; the secret is published.
    """
    _change(name, target, lambda store: store.leagues.cancel(name), as_json)


def _signature(text: str, round_number: int) -> str:
    """The signature that `--beacon` gives, as hex or in a file. WrongUseError, BeaconError."""
    from arena.league.beacon import SIGNATURE_BYTES, parse_signature

    if len(text) != 2 * SIGNATURE_BYTES:
        path = Path(text)
        check_file(path, "a beacon's round")
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise WrongUseError(f"--beacon {path}: {getattr(error, 'strerror', None) or error}") from error
    return parse_signature(text, round_number)


def _drawn(file: Path, name: str, bot: str, arena: Arena) -> str:
    """The commitment to the nonce in a file, which is drawn where there is none."""
    from arena.cli.infos import league_of
    from arena.cli.nonce_file import drawn_nonce

    return drawn_nonce(file, arena.do(lambda client: league_of(client, name)), bot).commitment


def _change(name: str, target: StoreOptions, change: "Callable[[Store], Awaitable[None]]", as_json: bool) -> None:
    """Change a league's state, and print the state that it has then."""

    async def states(store: "Store") -> tuple[str, str]:
        before = (await store.leagues.get(name)).state
        await change(store)
        return before, (await store.leagues.get(name)).state

    before, after = target.do(states)
    line = f"league {name} is {after}{' already' if after == before else ''}"
    print_answer(as_json, {"league": name, "state": after, "before": before}, [line])
