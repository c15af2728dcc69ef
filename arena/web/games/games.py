"""The games of one process: how many there may be, whose place a new one takes, and how they are kept."""

import secrets
import time
from collections import deque
from collections.abc import Mapping
from functools import partial

import msgspec

from arena.launcher.sources import arena_version, distinct
from arena.match.model import MatchResult, MatchSpec, TimeControl
from arena.organizer.matches import store_played
from arena.replays import encode, encode_summary, from_match
from arena.seats.person import PERSON
from arena.signatures import SigningKey
from arena.store import Scope, Store
from arena.store.matches import new_match_id
from arena.web.games.game import Game
from arena.web.language import message
from arena.web.visitors import network
from arena.wire import seed_commitment

MAX_GAMES = 16
MAX_OF_READER = 4
"""How many games somebody may have under way at once, by their address."""
DECISION_S = 900
"""How long a person may think before the game ends."""
IDLE_S = 120
"""After so long without a move a game makes room for a new one, where all places are taken, or all of its reader."""
_MAX_ENDED = 64
"""How many games that are over can still be looked at by their players."""
STARTS = 30
_STARTS_S = 60
"""At most `STARTS` games begin in `_STARTS_S` seconds: each may leave a replay in the store."""
_OWNER = "games"
_COMMIT_S = 60
"""How long a match may be on its way into the store. If this process ends meanwhile, a node gives the match up then."""
MANY_OF_READER = f"You have {MAX_OF_READER} games under way. Finish or leave one of them."


class NoRoomError(RuntimeError):
    """No further game can begin now."""


class Games:
    """All games of this process, by their ids, which nobody can guess: whoever knows one plays that game."""

    def __init__(self, store: Store, limit: int = MAX_GAMES) -> None:
        self.limit = limit
        self._store = store
        self._jobs = store.jobs()
        self._games: dict[str, Game] = {}
        self._started: deque[float] = deque(maxlen=STARTS)

    def find(self, game_id: str) -> Game | None:
        """The game with this id."""
        return self._games.get(game_id)

    async def begin(self, variant: str, bot: str, seats: int, options: Mapping[str, object], reader: str = "") -> Game:
        """Begin a game against house bots, the person in a seat drawn by lot. NoRoomError.

        `reader` is the address of who plays: a reader has at most `MAX_OF_READER` games under way.
        """
        reader = network(reader)
        await self._make_room(reader)
        persons_seat = secrets.randbelow(seats)
        bots = tuple(None if seat == persons_seat else bot for seat in range(seats))
        spec = MatchSpec(
            match_id=new_match_id(),
            variant=variant,
            seed=secrets.token_bytes(32),
            names=_names(bots),
            options=options,
            time=TimeControl(1000 * DECISION_S, 0),
        )
        game = Game(spec, bots, partial(self._keep, bots), reader)
        self._games[game.id] = game
        return game

    async def end(self, game: Game) -> None:
        """End a game and forget it."""
        self._games.pop(game.id, None)
        await game.close()

    async def aclose(self) -> None:
        """End all games."""
        for game in list(self._games.values()):
            await self.end(game)

    async def _make_room(self, reader: str) -> None:
        now = time.monotonic()
        if len(self._started) == STARTS and now - self._started[0] < _STARTS_S:
            raise NoRoomError("Too many games were begun just now. Try again in a minute.")
        over = [game for game in self._games.values() if game.is_over]
        for game in over[: max(0, len(over) - _MAX_ENDED + 1)]:
            await self.end(game)
        under_way = [game for game in self._games.values() if not game.is_over]
        theirs = [game for game in under_way if reader and game.reader == reader]
        for games, limit, refusal in (
            (theirs, MAX_OF_READER, MANY_OF_READER),
            (under_way, self.limit, message("All places are taken just now. Try again in a few minutes.")),
        ):
            playing = [game for game in games if not game.is_over]
            if len(playing) >= limit:
                idlest = min(playing, key=lambda game: game.touched_at, default=None)
                if idlest is None or now - idlest.touched_at < IDLE_S:
                    raise NoRoomError(refusal)
                await self.end(idlest)
        self._started.append(now)

    async def _keep(self, bots: tuple[str | None, ...], spec: MatchSpec, result: MatchResult) -> None:
        """Store a match and its replay, as those are stored that a node plays."""
        key = SigningKey(await self._store.signing_secret())
        played_by = tuple("" if bot is None else f"{bot}@{arena_version()}" for bot in bots)
        record = from_match(spec, result, clock=True, house_bots=played_by)
        await store_played(self._store, spec, seed_commitment(spec.seed), owner=_OWNER, commit_s=_COMMIT_S)
        [job] = await self._jobs.claim_of(Scope.match(spec.match_id))
        summary = encode_summary(record, result.thinking)
        await self._jobs.commit_match(job, msgspec.json.encode(result), encode(record, key), summary)


def _names(bots: tuple[str | None, ...]) -> tuple[str, ...]:
    """The names by seat; a colon keeps them apart from those of registered bots."""
    return distinct([PERSON if bot is None else f"house:{bot}" for bot in bots])
