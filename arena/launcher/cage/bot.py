"""A bot in a cage: started for one match, asked over its pipes, and gone afterwards."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from google.protobuf.message import DecodeError

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import CageError
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.process import CagedProcess, Ending
from arena.launcher.cage.program import Program
from arena.launcher.errors import BotStartError
from arena.launcher.output import MatchOutput
from arena.match.clock import DecisionTimer
from arena.match.model import End
from arena.metrics import meters
from arena.processes import without_hello
from arena.rpc.errors import ApiError
from arena.rpc.identity import BotIdentity
from arena.seats.errors import NotConnectedError
from arena.seats.pipe import PipeSeat
from arena.seats.processors import Processors
from arena.seats.turn import Turn
from arena.stream.hub import Hub
from arena.stream.pipe import ClosedError, FrameError, PipeStream

_ONLY_MESSAGES = "; only messages of the protocol may go to standard output"
_FAULTS: dict[type[Exception], str] = {
    FrameError: "broke the protocol: {}",
    DecodeError: "broke the protocol: what it wrote is no PlayRequest" + _ONLY_MESSAGES,
    ApiError: "is refused: {}",
    ClosedError: "closed its {}",
    BufferError: "does not read its standard input: {}",
}
_SINGLE_THREADED = "\nits bot.toml says single_threaded, so it can start no thread and no process"
_END_S = 0.1
"""How long after it has closed its pipes a program may take to end by itself."""
_READ_END_S = 0.05
"""How long a bot may run after its match, to hear of the end."""
_READ_END_POLL_S = 0.001


class CagedBot:
    """A bot in a cage, which `begin` starts; once it has said Hello it is frozen until its seat is asked."""

    def __init__(self, label: str, name: str, hub: Hub, process: CagedProcess, processors: Processors) -> None:
        self.label = label
        self.process = process
        self.turn = Turn(process.freezer, processors, hub.outbox, process.rest)
        self.turn.timer = self._start = DecisionTimer(self._on_silence)
        self._hub = hub
        self._note = _SINGLE_THREADED if process.program.single_threaded else ""
        self.name = name
        self._seat: PipeSeat | None = None
        self._loop = asyncio.get_running_loop()
        identity = BotIdentity(name)
        self._stream = PipeStream(hub, identity, (process.stdin, process.stdout), self._on_fault, self.turn)
        process.ended.add_done_callback(self._on_end)

    def seat(self) -> PipeSeat:
        """The bot's seat, for one match. Raises BotStartError when the bot has already ended."""
        try:
            self._seat = seat = self._hub.seat_of(PipeSeat, self.name)
        except NotConnectedError:
            raise BotStartError(f"bot {self.label} ended before its match began") from None
        seat.use(self.turn, self._note, self.read_end)
        if self.process.ended.done():
            self._on_end(self.process.ended)
        return seat

    async def begin(self) -> None:
        """Begin it when a processor is free, and wait for its Hello. Raises BotStartError, CageError."""
        self.turn.begin(self._go)
        try:
            await asyncio.wait((self._stream.hello, self.process.ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._start.close()
            self.turn.end()
        if not self._stream.hello.done():
            ending = await self.process.ended
            if ending.is_lost:
                raise CageError(ending.text(self.label))
            when = without_hello(ending.status) if ending.exited else ""
            raise BotStartError(ending.text(self.label, when) + self._note)

    def let_run(self) -> None:
        """Let it run from now on, whether it is asked or not."""
        self.turn.close()
        self.process.thaw()

    async def read_end(self) -> None:
        """Let it run until it has read all that it was sent and waits again, or for a moment at most."""
        self._hub.outbox.take()  # what is sent is written now
        self.turn.hold()  # so that its turns, if there is another match, begin with a frozen bot
        self.process.thaw()
        until = self._loop.time() + _READ_END_S
        # The kernel tells nobody.
        while not (self.process.ended.done() or self.process.has_read_all() or self._loop.time() > until):  # noqa: ASYNC110
            await asyncio.sleep(_READ_END_POLL_S)
        if not self.process.ended.done():
            self.process.freezer.freeze()

    async def close(self) -> None:
        """End the bot."""
        self.turn.close()
        if self._seat is not None:
            self._seat.release()
        self._stream.close()
        await self.process.close()

    def _go(self) -> None:
        self._start.begin(self.process.limits.start_s)
        self.process.go()

    def _on_silence(self) -> None:
        hint = _ONLY_MESSAGES if self._stream.begun else ""
        self.process.kill(f"said no Hello within {self.process.limits.start_s:g} s{hint}", "no_hello")

    def _on_fault(self, error: Exception) -> None:
        why = next(words for kind, words in _FAULTS.items() if isinstance(error, kind)).format(error)
        if isinstance(error, ClosedError):
            self._loop.call_later(_END_S, self.process.kill_unless_ending, why, "closed")
        else:
            self.process.kill(why, "protocol")

    def _on_end(self, ended: "asyncio.Future[Ending]") -> None:
        if self._seat is None:
            return
        ending = ended.result()
        if ending.is_lost:
            self._seat.break_off(CageError(ending.text(self.label)))
        else:
            self._seat.fail(End.BOT_ERROR, ending.text(self.label))


@asynccontextmanager
async def caged(
    cages: Cages,
    hub: Hub,
    program: Program,
    label: str,
    limits: CageLimits | None = None,
    log: Path | MatchOutput | None = None,
    processors: Processors | None = None,
) -> AsyncIterator[CagedBot]:
    """A bot for one match, which has said Hello; gone afterwards, whatever it started.

    Until its Hello it takes a place of `processors`, by default of the cages', as when it thinks; `limits` and `log`
    are as Cages.start has them.
    Raises BotStartError, whose cause is the bot, and CageError, whose cause is not.
    """
    began = time.perf_counter()
    process = await cages.start(program, limits, log)
    # A tilde stands in no registered name, so nobody else's bot can have this one.
    bot = CagedBot(label, f"{label}~{secrets.token_hex(4)}", hub, process, processors or cages.processors)
    try:
        await bot.begin()
        meters.cage_starts.observe(time.perf_counter() - began, program.runtime.name)
        yield bot
    finally:
        await bot.close()
