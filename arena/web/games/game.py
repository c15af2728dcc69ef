"""One game: a match of the referee's with a person in one seat and house bots in the others."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from arena.match.journal import Entry, Played
from arena.match.model import PLAYED_OUT, MatchResult, MatchSpec
from arena.match.noticed import Noticed
from arena.match.play import play
from arena.replays import from_match, under_way
from arena.sdk import Bot, Decision
from arena.sdk.bot import Answer
from arena.seats.in_process import InProcessSeat
from arena.seats.person import PersonSeat
from arena.store.errors import StoreError
from arena.web.language import ENGLISH, Language, message
from arena.web.viewer.second_person import document_for
from bots import house

if TYPE_CHECKING:
    from arena.match.seat import Seat

FORMAT = "hanafuda-game/1"

Keep = Callable[[MatchSpec, MatchResult], Awaitable[None]]

log = logging.getLogger(__name__)


class Game:
    """A game under way, or over. `bots` are the house bots by seat, None for the person's own.

    `version` is raised whenever the person has something new to see, and then alone. The game is its match's journal:
    what a page shows is made from the actions so far, as far as the person may know of them.
    """

    def __init__(self, spec: MatchSpec, bots: tuple[str | None, ...], keep: Keep, reader: str = "") -> None:
        self.id = secrets.token_urlsafe(18)
        self.spec = spec
        self.reader = reader
        """Whose game it is, by their address."""
        self.seat = bots.index(None)
        self.version = 0
        self.result: MatchResult | None = None
        self.has_replay = False
        """Whether the replay can be seen."""
        self.fault = ""
        """Why the game, or its replay, was lost."""
        self.touched_at = time.monotonic()
        """When the person was last heard of."""
        self._keep = keep
        self._choices = bytearray()
        self._noticed = Noticed(spec, self.seat)
        self._person = PersonSeat(self._change)
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._play(bots))

    @property
    def is_over(self) -> bool:
        """Whether nothing follows any more."""
        return self._task.done()

    async def write(self, entry: Entry) -> None:
        """Take note of an action; the referee's journal."""
        if isinstance(entry, Played):
            self._choices.append(entry.choice)
            before = self._noticed.version
            self._noticed.advance(bytes(self._choices))
            if self._noticed.version > before:
                self._change()

    def answer(self, number: int, code: int) -> None:
        """What the person does. NotAskedError, NotLegalError."""
        self.touched_at = time.monotonic()
        self._person.answer(number, code)

    async def news(self, seen: int, patience_s: float) -> None:
        """Wait for something newer than the version `seen`, until the person is to do something."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while not self.is_over and (self.version <= seen or self._person.question is None):
                    await self._changed.wait()

    def view(self, since: int, language: Language = ENGLISH) -> dict[str, Any]:
        """Return all that the person may know, with the steps from deal `since` on; docs/web.md describes it."""
        question = self._person.question
        over = self.result
        record = (
            from_match(self.spec, over) if over else under_way(self.spec, bytes(self._choices[: self._noticed.actions]))
        )
        shown = document_for(record, self.seat, since, language)
        shown["end"] = shown["end"] if over else ""
        return {
            "format": FORMAT,
            "version": self.version,
            "seat": self.seat,
            "question": question and {"number": question.number, "codes": question.legal},
            "over": self.is_over,
            "replay": self.spec.match_id if self.has_replay else "",
            "fault": self.fault,
            "document": shown,
        }

    async def close(self) -> None:
        """End the game, whatever its state."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _play(self, bots: tuple[str | None, ...]) -> None:
        seats: list[Seat] = [self._person if bot is None else InProcessSeat(_Threaded(house(bot))) for bot in bots]
        try:
            self.result = await play(self.spec, seats, journal=self)
            if self.result.end in PLAYED_OUT:
                await self._keep(self.spec, self.result)
                self.has_replay = True
        except StoreError as error:
            log.warning("the replay of match %s is lost: %s", self.spec.match_id, error)
            self.fault = message("The arena's store does not answer, so the replay could not be kept.")
        except Exception:
            log.exception("match %s failed", self.spec.match_id)
            self.fault = message("The arena failed to go on with this game. The error is in its log.")
        finally:
            asyncio.get_running_loop().call_soon(self._change)  # when the task is done

    def _change(self) -> None:
        self.version += 1
        self._changed.set()  # for those who wait now
        self._changed.clear()


class _Threaded(Bot):
    """A bot that thinks in a thread, so that it holds up no page."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def choose(self, decision: Decision) -> Answer:
        """The bot's answer."""
        answer = await asyncio.to_thread(self._bot.choose, decision)
        assert not isinstance(answer, Awaitable)  # house bots answer at once
        return answer
