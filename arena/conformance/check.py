"""Checks that a bot keeps the protocol, by matches that take it through everything it has to cope with."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from arena.conformance.subject import Subject, caged_subject, connected_subject
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import Program
from arena.launcher.errors import BotStartError
from arena.launcher.sources import PathBot
from arena.match.model import MatchResult, MatchSpec, TimeControl
from arena.match.play import play
from arena.match.question import Question
from arena.scratch import scratch_folder
from arena.seats.in_process import InProcessSeat
from arena.seats.watched import Step, StepFailedError, WatchedSeat, seed_with_a_dealt_hand, short_options
from arena.stream.hub import Hub, Limits
from bots import house
from core_ext import State, variant_info

PATIENCE_S = 15.0
"""How long the bot may take to connect, to come back after its connection was lost, and to end after Goodbye."""
AT_ONCE = 4
"""With how many matches at once a bot is tried that says it plays more than one."""


class Report(Struct, frozen=True):
    """What came of a bot's checks; a failed one is the last. `output` is the end of what the bot wrote."""

    outcomes: tuple[Step, ...]
    reproducible: bool | None = None
    """Whether it played one match twice in the same way; None when it did not come to that."""
    output: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not any(outcome.fault for outcome in self.outcomes)


async def check_bot(
    bot: PathBot,
    variant: str = "koikoi",
    time: TimeControl | None = None,
    patience_s: float = PATIENCE_S,
    cages: Cages | None = None,
    program: Program | None = None,
) -> Report:
    """Start the bot, in a cage where there are `cages`, and check it; `program` is what runs there of a bot's folder.

    Nothing that the bot does raises. Raises UnknownVariantError, and CageError where the bot cannot be caged.
    """
    State.new(variant, None, 0)
    with scratch_folder() as folder:
        return await _Check(bot, variant, time or TimeControl(), folder, patience_s, cages, program).run()


@dataclass
class _Check:
    bot: PathBot
    variant: str
    time: TimeControl
    folder: Path
    patience_s: float
    cages: Cages | None
    program: Program | None

    def __post_init__(self) -> None:
        self._seats = variant_info(self.variant).seats[-1]
        self._reconnect_ms = round(1000 * self.patience_s)
        self._hub = Hub(Limits(reconnect_ms=self._reconnect_ms))
        self._serial = 0
        self._outcomes: list[Step] = []
        self._reproducible: bool | None = None
        self._subject: Subject | None = None

    async def run(self) -> Report:
        try:
            async with self._started() as self._subject:
                self._outcomes.append(Step("connects and says hello", self._hello_fault()))
                if not self._report().passed:
                    return self._report()
                for name, step in self._steps(self._subject):
                    try:
                        await step()
                    except StepFailedError as failure:
                        self._outcomes.append(Step(name, str(failure), failure.decision))
                        break
                    self._outcomes.append(Step(name))
                return self._report()
        except BotStartError as error:
            self._outcomes.append(Step("connects and says hello", str(error)))
            return self._report()

    def _started(self) -> AbstractAsyncContextManager[Subject]:
        if self.cages is not None:
            return caged_subject(self._hub, self.bot, self.program, self.cages, self.patience_s)
        return connected_subject(self._hub, self.bot, self.folder)

    def _steps(self, subject: Subject) -> Iterator[tuple[str, Callable[[], Awaitable[None]]]]:
        yield "plays a match to its end", self._plays
        yield "answers a dealt hand", self._dealt_hands
        if subject.connected:
            yield "plays several matches at once, if it says that it can", self._several
            yield "comes back after its connection was lost, and goes on", self._comes_back
        yield "ends when the arena says goodbye", self._leaves

    def _report(self) -> Report:
        output = "" if self._subject is None else self._subject.last_output()
        return Report(tuple(self._outcomes), self._reproducible, output)

    # The checks.

    def _hello_fault(self) -> str:
        bot = self._hub.find(self._name)
        if bot is None or bot.plays(self.variant):
            return ""
        named = ", ".join(bot.variants)
        return f"its Hello does not name {self.variant}, only {named}: check it with --variant {bot.variants[0]}"

    async def _plays(self) -> None:
        first, again = [await self._match(seat=0, seed=b"\1" * 32) for _ in range(2)]
        self._reproducible = first.choices == again.choices
        await self._match(seat=self._seats - 1, seed=b"\2" * 32)

    async def _dealt_hands(self) -> None:
        seed = seed_with_a_dealt_hand(self.variant)
        if seed is not None:
            await self._match(seat=seed[1], seed=seed[0], months=1)

    async def _several(self) -> None:
        count = min(self._hub.places(self._name), AT_ONCE)
        if count > 1:
            matches = (self._match(seat=n % self._seats, seed=bytes([n]) * 32, months=3) for n in range(count))
            await asyncio.gather(*matches)

    async def _comes_back(self) -> None:
        dropped = False

        def drop(question: Question) -> None:
            nonlocal dropped
            if question.number == 3:
                dropped = True
                self._hub.drop(self._name)

        await self._match(seat=0, seed=b"\3" * 32, months=1, before=drop)
        if not dropped:
            raise StepFailedError("the match was over before the connection could be lost")

    async def _leaves(self) -> None:
        assert self._subject is not None
        self._subject.goodbye()
        try:
            async with asyncio.timeout(self.patience_s):
                await self._subject.ended()
        except TimeoutError:
            raise StepFailedError(f"it still runs {self.patience_s:g} s after Goodbye (DRAINED)") from None

    # One match.

    @property
    def _name(self) -> str:
        assert self._subject is not None
        return self._subject.name

    async def _match(
        self, seat: int, seed: bytes, months: int | None = None, before: Callable[[Question], None] | None = None
    ) -> MatchResult:
        """The bot's match against random play, with fewer months where the variant has an option for that.

        Raises StepFailedError when the bot does not bring it to its end.
        """
        self._serial += 1
        spec = MatchSpec(
            match_id=f"check-{self._serial}",
            variant=self.variant,
            seed=seed,
            names=tuple("the bot" if number == seat else "random play" for number in range(self._seats)),
            options=short_options(self.variant, months),
            time=self.time,
            reconnect_ms=self._reconnect_ms,
        )
        assert self._subject is not None
        ended = asyncio.ensure_future(self._subject.ended())
        ended.add_done_callback(lambda _: self._hub.wake())
        await self._hub.wait_until(lambda: self._hub.places(self._name) > 0 or ended.done(), self.patience_s)
        if ended.done():
            raise StepFailedError(await self._subject.exit_report("while it had nothing to play"))
        ended.cancel()
        if not self._hub.places(self._name):
            raise StepFailedError("it takes no more matches, though none of its matches is under way")
        with ExitStack() as stack:
            watched = WatchedSeat(self._subject.seat(stack), before)
            seats = [watched if number == seat else InProcessSeat(house("random")) for number in range(self._seats)]
            result = await play(spec, seats)
        watched.check(result)
        return result
