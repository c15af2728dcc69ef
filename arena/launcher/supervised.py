"""House bots that are restarted when they end."""

import asyncio
import logging
import secrets
import time
from typing import TYPE_CHECKING

from arena.launcher.errors import BotStartError
from arena.launcher.processes import Launcher
from arena.launcher.sources import HouseBot
from arena.processes import status_words

if TYPE_CHECKING:
    from arena.seats.stream import StreamSeat

_SHORT_LIFE_S = 5.0
_SHORT_LIVES = 5
_FIRST_PAUSE_S = 0.1
_MAX_PAUSE_S = 30.0

log = logging.getLogger(__name__)


def pause_s(short_lives: int) -> float:
    """Return how long to wait before the next start, after so many short lives in a row."""
    return _FIRST_PAUSE_S * 2.0**short_lives if short_lives <= _SHORT_LIVES else _MAX_PAUSE_S


class SupervisedBot:
    """A house bot that is kept running: started anew under the same name when it dies, so that its matches go on."""

    def __init__(self, launcher: Launcher, bot: HouseBot, label: str, group: str) -> None:
        self._launcher = launcher
        self._bot = bot
        self._label = label
        self._group = group
        self.name = f"{label}~{secrets.token_hex(4)}"
        self.seats: set[StreamSeat] = set()
        """Its seats in matches under way: they fail when it cannot be started any more."""
        self._failure: BotStartError | None = None
        self._first = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep())

    async def ready(self) -> None:
        """Wait for the first start. Raises BotStartError when the bot cannot be started, now or any more."""
        await asyncio.shield(self._first)
        self.check()

    @property
    def given_up(self) -> bool:
        """Whether the bot cannot be started any more."""
        return self._failure is not None

    def check(self) -> None:
        """Raises BotStartError when the bot cannot be started any more."""
        if self._failure is not None:
            raise self._failure

    async def end(self) -> None:
        """End the bot for good. Its matches under way fail by an error of the arena, and nobody forfeits."""
        for seat in self.seats:
            seat.break_off(BotStartError(f"bot {self._label} was ended"))
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)

    async def _keep(self) -> None:
        short_lives = 0
        while True:
            began = time.monotonic()
            try:
                process = await self._launcher.start(self._bot, self._label, group=self._group, name=self.name)
            except BotStartError as error:
                short_lives += 1
                log.warning("%s", error)
                if short_lives >= _SHORT_LIVES or not self._first.done():
                    self._failure = error
                    self._started()
                    for seat in self.seats:
                        seat.break_off(error)
                    self._launcher.hub.wake()
                    return
            else:
                self._started()
                try:
                    status = await process.process.wait()
                finally:
                    await process.end()
                short_lives = short_lives + 1 if time.monotonic() - began < _SHORT_LIFE_S else 0
                last_line = process.last_output().rpartition("\n")[2] or "it wrote nothing"
                log.warning("bot %s %s and is started again: %s", self._label, status_words(status), last_line)
            await asyncio.sleep(pause_s(short_lives))

    def _started(self) -> None:
        if not self._first.done():
            self._first.set_result(None)
