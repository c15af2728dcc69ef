"""Checks that a bot keeps the protocol, by matches that take it through everything it has to cope with."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from msgspec import Struct

from arena.conformance.subject import Subject, caged_subject, connected_subject
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import Program
from arena.launcher.errors import BotStartError
from arena.launcher.sources import HouseBot, PathBot
from arena.match.model import MatchResult, MatchSpec, TimeControl
from arena.match.play import play
from arena.match.question import Question
from arena.scratch import scratch_folder
from arena.seats.in_process import InProcessSeat
from arena.seats.watched import (
    Step,
    StepFailedError,
    WatchedSeat,
    known_seeds,
    seed_with_a_dealt_hand,
    short_options,
)
from arena.stream.hub import Hub, Limits
from bots import house
from core_ext import State, variant_info

PATIENCE_S = 15.0
"""How long the bot may take to connect, to come back after its connection was lost, and to end after Goodbye."""
AT_ONCE = 4
"""With how many matches at once a bot is tried that says it plays more than one."""
_HELLO = "connects and says hello"
_TRACEBACK = "Traceback (most recent call last):"


class Report(Struct, frozen=True):
    """What came of a bot's checks; a failed one is the last.

    `output` is the end of what the bot wrote, empty where the fault has it already.
    """

    outcomes: tuple[Step, ...]
    reproducible: bool | None = None
    """Whether it played one match twice in the same way; None when it did not come to that."""
    output: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not any(outcome.fault for outcome in self.outcomes)


async def check_bot(
    bot: HouseBot | PathBot,
    variant: str = "koikoi",
    time: TimeControl | None = None,
    patience_s: float = PATIENCE_S,
    cages: Cages | None = None,
    program: Program | None = None,
    show: Callable[[Step], None] = lambda _: None,
    show_wait: Callable[[Question], None] = lambda _: None,
) -> Report:
    """Start the bot, in a cage where there are `cages`, and check it; `program` is what runs there of a bot's folder.

    `show` is called with each step once it is done, `show_wait` with each decision that takes long.
    Nothing that the bot does raises. Raises UnknownVariantError, and CageError where the bot cannot be caged.
    """
    State.new(variant, None, 0)
    hub = Hub(Limits(reconnect_ms=round(1000 * patience_s)))
    with scratch_folder() as folder:
        if cages is None or isinstance(bot, HouseBot):
            started = connected_subject(hub, bot, folder)
        else:
            started = caged_subject(hub, bot, program, cages, patience_s)
        try:
            async with started as subject:
                return await _Check(subject, hub, variant, time or TimeControl(), patience_s, show_wait).run(show)
        except BotStartError as error:
            failed = Step(_HELLO, str(error))
            show(failed)
            return Report((failed,))


@dataclass
class _Check:
    subject: Subject
    hub: Hub
    variant: str
    time: TimeControl
    patience_s: float
    show_wait: Callable[[Question], None]

    def __post_init__(self) -> None:
        self._seats = variant_info(self.variant).seats[-1]
        self._serial = 0
        self._reproducible: bool | None = None

    async def run(self, show: Callable[[Step], None]) -> Report:
        outcomes: list[Step] = []
        for name, step in self._steps():
            outcome = Step(name)
            try:
                await step()
            except StepFailedError as failure:
                outcome = Step(name, str(failure), failure.decision)
            outcomes.append(outcome)
            show(outcome)
            if outcome.fault:
                break
        output = _without_position(self.subject.last_output())
        return Report(tuple(outcomes), self._reproducible, "" if output in outcomes[-1].fault else output)

    def _steps(self) -> Iterator[tuple[str, Callable[[], Awaitable[None]]]]:
        yield _HELLO, self._says_hello
        yield "plays a match to its end", self._plays
        yield "answers a dealt hand", self._dealt_hands
        if self.subject.connected:
            yield "plays several matches at once, if it says that it can", self._several
            yield "comes back after its connection was lost, and goes on", self._comes_back
        yield "ends when the arena says goodbye", self._leaves

    # The checks.

    async def _says_hello(self) -> None:
        bot = self.hub.find(self.subject.name)
        if bot is not None and not bot.plays(self.variant):
            named = f"{', '.join(bot.variants)}: check it with --variant {bot.variants[0]}"
            raise StepFailedError(f"its Hello does not name {self.variant}, only {named}")

    async def _plays(self) -> None:
        first, again = [await self._match(seat=0, seed=b"\1" * 32) for _ in range(2)]
        self._reproducible = first.choices == again.choices
        await self._match(seat=self._seats - 1, seed=b"\2" * 32)

    async def _dealt_hands(self) -> None:
        seed = seed_with_a_dealt_hand(self.variant, known_seeds())
        if seed is not None:
            await self._match(seat=seed[1], seed=seed[0], months=1)

    async def _several(self) -> None:
        count = min(self.hub.places(self.subject.name), AT_ONCE)
        if count > 1:
            matches = (self._match(seat=n % self._seats, seed=bytes([n]) * 32, months=3) for n in range(count))
            await asyncio.gather(*matches)

    async def _comes_back(self) -> None:
        dropped = False

        def drop(question: Question) -> None:
            nonlocal dropped
            if question.number == 3:
                dropped = True
                self.hub.drop(self.subject.name)

        await self._match(seat=0, seed=b"\3" * 32, months=1, before=drop)
        if not dropped:
            raise StepFailedError("the match was over before the connection could be lost")

    async def _leaves(self) -> None:
        self.subject.goodbye()
        try:
            async with asyncio.timeout(self.patience_s):
                await self.subject.ended()
        except TimeoutError:
            raise StepFailedError(f"it still runs {self.patience_s:g} s after Goodbye (DRAINED)") from None

    # One match.

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
            reconnect_ms=self.hub.limits.reconnect_ms,
        )
        ended = asyncio.ensure_future(self.subject.ended())
        ended.add_done_callback(lambda _: self.hub.wake())
        await self.hub.wait_until(lambda: self.hub.places(self.subject.name) > 0 or ended.done(), self.patience_s)
        if ended.done():
            raise StepFailedError(await self.subject.exit_report("while it had nothing to play"))
        ended.cancel()
        if not self.hub.places(self.subject.name):
            raise StepFailedError("it takes no more matches, though none of its matches is under way")
        with ExitStack() as stack:
            watched = WatchedSeat(self.subject.seat(stack), before, self.show_wait)
            seats = [watched if number == seat else InProcessSeat(house("random")) for number in range(self._seats)]
            result = await play(spec, seats)
        watched.check(result)
        return result


def _without_position(output: str) -> str:
    """Return what a bot wrote, from its traceback on: the position above it is shown already."""
    before, traceback, lines = output.partition(_TRACEBACK)
    return traceback + lines if "  legal: " in before or before.startswith("legal: ") else output
