"""`arena league enter`, `arena ladder enter`: any bot into what a store has, over the wire one's own."""

from collections.abc import Awaitable, Sequence
from shlex import quote
from typing import TypeVar

from arena.cli.failures import WrongUseError
from arena.launcher.sources import RegisteredBot, SubmittedBot, names_a_folder, parse_source
from arena.league.spec import default_name
from arena.names import NAME_RULE, is_name
from arena.organizer import entries, ladders
from arena.remote.client import Client
from arena.remote.errors import RefusedError
from arena.store import Store
from arena.store.errors import UnknownBotError
from hanafuda.arena.v1.ladder_pb2 import EnterLadderRequest
from hanafuda.arena.v1.league_pb2 import EnterLeagueRequest, EnterLeagueResponse, LeagueEntrant

T = TypeVar("T")


async def enter_here(
    store: Store, league: str, bot: str, as_name: str | None, variants: Sequence[str], commitment: str
) -> EnterLeagueResponse:
    """Enter a bot under a name that nobody has. Raises StoreError, WrongUseError, LauncherError, OrganizerError."""
    source = parse_source(bot)
    called = default_name(bot) if as_name is None else as_name
    if as_name is None and not is_name(called):
        raise WrongUseError(f"{called!r} is not a valid name: {NAME_RULE}; --as NAME gives it another")
    entered = await store.leagues.get(league)
    entering = entries.enter(store, entered, source, called, variants=variants, commitment=commitment)
    entrant, new = await _explaining_folders(entering, bot)
    in_league = LeagueEntrant(name=called, variants=entrant.variants)
    return EnterLeagueResponse(entrant=in_league, already_entered=not new, late=entered.state != "open")


async def enter_there(
    client: Client, flags: str, league: str, bot: str, as_name: str | None, variants: Sequence[str], commitment: str
) -> EnterLeagueResponse:
    """Enter a registered or submitted bot under its own name. Raises RemoteError, WrongUseError, LauncherError.

    With `flags`, another command finds the same arena.
    """
    source = _own_bot(bot, as_name)
    version = source.version if isinstance(source, SubmittedBot) else ""
    request = EnterLeagueRequest(
        league=league, variants=variants, bot=source.name, version=version, nonce_commitment=commitment
    )
    return await _entered(client.call(client.leagues.EnterLeague, request), bot, flags)


async def enter_ladder_here(store: Store, ladder: str, bot: str, as_name: str | None) -> tuple[str, bool]:
    """Have a bot on a ladder; its name there, and False where it is there already.

    Raises StoreError, WrongUseError, LauncherError, OrganizerError.
    """
    source = parse_source(bot)
    called = default_name(bot) if as_name is None else as_name
    if not is_name(called):
        raise WrongUseError(f"{called!r} is not a valid name: {NAME_RULE}; --as NAME gives it another")
    entering = ladders.enter(store, ladder, source, called, pinned=isinstance(source, SubmittedBot))
    return called, await _explaining_folders(entering, bot)


async def enter_ladder_there(
    client: Client, flags: str, ladder: str, bot: str, as_name: str | None
) -> tuple[str, bool]:
    """Have a registered or submitted bot on a ladder under its own name, as `enter_ladder_here` returns it.

    Raises RemoteError, WrongUseError, LauncherError.
    """
    source = _own_bot(bot, as_name)
    version = source.version if isinstance(source, SubmittedBot) else ""
    request = EnterLadderRequest(ladder=ladder, bot=source.name, version=version)
    answer = await _entered(client.call(client.ladders.EnterLadder, request), bot, flags)
    return source.name, not answer.already_entered


async def _explaining_folders(entering: Awaitable[T], bot: str) -> T:
    """Return what the entry gives; where the bot is not registered but a folder, the error says how that enters."""
    try:
        return await entering
    except UnknownBotError as error:
        if names_a_folder(bot):
            raise WrongUseError(f"{error}; to enter the bot in the folder of this name, say ./{bot}") from error
        raise


def _own_bot(bot: str, as_name: str | None) -> RegisteredBot | SubmittedBot:
    """What enters at an arena elsewhere. Raises WrongUseError, LauncherError."""
    source = parse_source(bot)
    if not isinstance(source, RegisteredBot | SubmittedBot):
        raise WrongUseError(f"{bot!r} is on this machine: with --server a bot enters as NAME or NAME@VERSION")
    if as_name not in (None, source.name):
        raise WrongUseError("with --server a bot enters under its own name, so --as cannot give it another")
    return source


async def _entered(answer: Awaitable[T], bot: str, flags: str) -> T:
    """The answer to an entry; where the bot is a folder that was not sent in, the error says how that is done."""
    try:
        return await answer
    except RefusedError as error:
        if error.reason == "UNKNOWN_BOT" and names_a_folder(bot):
            submits = f"arena bot submit {quote(bot)}{flags}"
            raise WrongUseError(f"{error}; send in the bot of this folder first: {submits}") from error
        raise
