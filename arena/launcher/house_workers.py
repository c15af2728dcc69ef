"""Processes that think for house bots: as many as there are processors, for all matches of a node together."""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from arena.launcher.errors import BotStartError, LauncherError
from arena.launcher.processes import BotProcess
from arena.match.clock import DecisionTimer
from arena.match.model import End
from arena.match.question import Answer
from arena.match.seat import SeatFailure
from arena.processes import bound_to_parent, status_words
from bots.worker import LENGTH_BYTES, Request, Response, framed

IDLE_S = 30.0
"""How long a worker is kept that has nothing to do."""
FAILURES = 5
"""After so many ends of a worker in a row, a decision fails that is lost by another one."""
_FIRST_PAUSE_S = 0.1

log = logging.getLogger(__name__)
_responses = msgspec.msgpack.Decoder(Response)


class WorkerEndedError(Exception):
    """A worker has ended, or does not start."""


class _Decision:
    """A decision that waits for its answer."""

    def __init__(self, bot: str, message: bytes, limit_s: float) -> None:
        self.bot = bot
        self.message = message
        self.limit_s = limit_s
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def settle(self, answer: Answer | Exception) -> None:
        """Give the answer, or an error, to whoever still waits for it."""
        if self.answer.done():
            return
        if isinstance(answer, Exception):
            self.answer.set_exception(answer)
        else:
            self.answer.set_result(answer)


class HouseWorkers:
    """Answers decisions of house bots by at most `max_workers` processes, each of which any bot may use.

    A process is started when a decision finds all others busy, and ends after `idle_s` seconds without one. Decisions
    wait for a free one in the order in which they came; their time runs from when it has them. A process that dies is
    started again and asked again, and nobody pays for that. What workers write is appended to the file `output`.
    """

    def __init__(self, output: Callable[[], Path], max_workers: int | None = None, idle_s: float = IDLE_S) -> None:
        self._output = output
        self._max_workers = max_workers or len(os.sched_getaffinity(0))
        self._idle_s = idle_s
        self._waiting: asyncio.Queue[_Decision] = asyncio.Queue()
        self._idle = 0
        self._workers = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, bot: str, decision: bytes, limit_s: float) -> Answer:
        """Return a house bot's answer to a decision, a serialised PlayResponse; code None when its time ends before.

        Raises SeatFailure with BOT_ERROR where the bot fails, and BotStartError where no process can answer.
        """
        asked = _Decision(bot, decision, limit_s)
        self._waiting.put_nowait(asked)
        if self._waiting.qsize() > self._idle and self._workers < self._max_workers:
            self._workers += 1
            task = asyncio.create_task(self._work(), name=f"house worker {self._workers}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await asked.answer

    async def close(self) -> None:
        """End all workers. Decisions that are open fail by an error of the arena, and nobody forfeits."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._waiting.empty():
            self._waiting.get_nowait().settle(BotStartError("house bots were ended"))

    async def _work(self) -> None:
        """Answer decisions by one process until there are none for a while."""
        process: _Worker | None = None
        failures = 0
        decision = None
        try:
            while decision := await self._next():
                while not decision.answer.done():
                    try:
                        if process is None or process.ended:
                            process = await self._started(process)
                        decision.settle(await process.answer(decision))
                        failures = 0
                    except (SeatFailure, LauncherError) as failure:
                        decision.settle(failure)
                    except (WorkerEndedError, OSError) as error:
                        failures += 1
                        log.warning("%s", error)
                        if failures >= FAILURES:
                            decision.settle(BotStartError(str(error)))
                        else:
                            await asyncio.sleep(_FIRST_PAUSE_S * 2**failures)
        finally:
            self._workers -= 1
            if decision is not None:
                decision.settle(BotStartError("house bots were ended"))
            if process is not None:
                await process.end()

    async def _next(self) -> _Decision | None:
        """The decision that has waited longest; None where none comes for a while."""
        self._idle += 1
        try:
            async with asyncio.timeout(self._idle_s):
                return await self._waiting.get()
        except TimeoutError:
            return None if self._waiting.empty() else self._waiting.get_nowait()
        finally:
            self._idle -= 1

    async def _started(self, before: "_Worker | None") -> "_Worker":
        """A new process in the place of one that has ended."""
        if before is not None:
            await before.end()
        return await _Worker.start(self._output())


class _Worker:
    """One process, which is asked one decision at a time."""

    def __init__(self, program: BotProcess) -> None:
        self.ended = False
        self._program = program
        self._made: set[str] = set()
        self._timer = DecisionTimer(self._expire)
        self._expired = False

    @classmethod
    async def start(cls, output: Path) -> "_Worker":
        """Start a process. OSError."""
        with output.open("ab") as file:
            start = file.tell()
            process = await asyncio.create_subprocess_exec(
                *bound_to_parent([sys.executable, "-P", "-m", "bots.worker"], os.getpid()),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=file,
                start_new_session=True,
            )
        return cls(BotProcess("house", "house", process, output, start))

    async def answer(self, decision: _Decision) -> Answer:
        """Ask the process. Raises SeatFailure, and WorkerEndedError where it ends before it has answered."""
        if decision.bot not in self._made:
            await self._ask(Request(decision.bot))
            self._made.add(decision.bot)
        self._timer.begin(decision.limit_s)
        try:
            code = await self._ask(Request(decision.bot, decision.message))
            self._timer.stop()
            return Answer(code, self._timer.thinking_s)
        except WorkerEndedError:
            if not self._expired:
                raise
            return Answer(None, self._timer.thinking_s)
        finally:
            self._timer.close()
            self.ended = self.ended or self._expired

    async def end(self) -> None:
        """End the process."""
        self.ended = True
        with contextlib.suppress(ProcessLookupError):
            self._program.process.kill()
        await self._program.process.wait()

    async def _ask(self, request: Request) -> int:
        """Return the code that the process answers."""
        process = self._program.process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(framed(request))
            await process.stdin.drain()
            length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
            response = _responses.decode(await process.stdout.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            self.ended = True
            words = status_words(await process.wait())
            output = self._program.last_output() or "it wrote nothing"
            raise WorkerEndedError(f"a process that thinks for house bots {words}: {output}") from None
        if response.error:
            raise SeatFailure(End.BOT_ERROR, response.error)
        return response.code

    def _expire(self) -> None:
        """The time for the decision is over: what thinks on in vain is ended."""
        self._expired = True
        with contextlib.suppress(ProcessLookupError):
            self._program.process.kill()
