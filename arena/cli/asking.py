"""A bot is asked the questions of a match that was played."""

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple

import msgspec
import typer

from arena.analysis import Replay
from arena.cli.startable import local_names, startable
from arena.cli.targets import StoreOptions
from arena.launcher.path_bots import Confinement
from arena.match.model import MatchResult, MatchSpec, Policy, TimeControl
from arena.match.play import play
from arena.match.question import Answer, Question
from arena.match.seat import Seat, SeatFailure
from arena.node.serving import BotOptions, serving
from arena.node.tokens import NodeTokens
from arena.replays import ReplayRecord
from arena.replays.verify import positions
from arena.scratch import scratch_folder
from arena.seats.recorded import RecordedSeat
from arena.stream.hub import Hub
from core_ext import Event


class AnswerNow(NamedTuple):
    """What was answered then and now, as texts of actions; `now` is empty where the answer was not legal, or none."""

    number: int
    seat: int
    month: int
    legal: tuple[str, ...]
    then: str
    now: str

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        """What to show of it."""
        yield f"decision {self.number}, month {self.month}, seat {self.seat} ({names[self.seat]}): " + (
            f"{self.then} then, {self.now or 'no legal answer'} now" if self.then != self.now else f"{self.then} again"
        )


class _AskedSeat(Seat):
    """Asks another seat, keeps its answer, and plays what was played."""

    def __init__(self, asked: Seat, codes: Iterator[int], answers: list[AnswerNow]) -> None:
        super().__init__()
        self._asked, self._codes, self._answers = asked, codes, answers
        self._has_failed = False

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Begin the match for the bot."""
        await self._asked.start(spec, seat)

    async def decide(self, question: Question) -> Answer:
        """Ask the bot; whatever it answers, the match goes on as it did."""
        then = next(self._codes, None)
        if then is None:
            return Answer(None, 0.0)
        text = question.state.action_text
        legal = tuple(map(text, question.legal))
        number, month = len(question.state.actions()) + 1, question.state.month
        now = "" if self._has_failed else await self._answer(question)
        self._answers.append(AnswerNow(number, question.seat, month, legal, text(then), now))
        return Answer(then, 0.0)

    async def _answer(self, question: Question) -> str:
        try:
            code = (await self._asked.decide(question)).code
        except SeatFailure as failure:
            self._has_failed = True
            typer.echo(f"seat {question.seat} answers no more: {failure}", err=True)
            return ""
        return question.state.action_text(code) if code in question.legal else ""

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """End the match for the bot."""
        await self._asked.end(result, events)


async def answers_of(
    bot: str,
    record: ReplayRecord,
    seats: Sequence[int],
    time: TimeControl,
    confinement: Confinement,
    target: StoreOptions,
) -> list[AnswerNow]:
    """What the bot answers to every question that these seats were asked, in the order of the match.

    Raises what keeps this machine from it: WrongUseError, LauncherError, ReplayError.
    """
    spec = msgspec.structs.replace(Replay(record).spec, time=time, policy=Policy.STRICT)
    answers: list[AnswerNow] = []
    names = local_names([bot] * len(seats))
    with scratch_folder() as folder:
        async with AsyncExitStack() as stack:
            programs = await stack.enter_async_context(startable([bot], record.variant, target))
            options = BotOptions(confinement=confinement)
            node = serving(Hub(), NodeTokens(), folder / "logs", options, cages=programs.cages)
            _, players = await stack.enter_async_context(node)
            players.starter = programs.starter
            seated = players.seats(spec.match_id, [(name, programs.sources[0]) for name in names])
            started = await stack.enter_async_context(seated)
            asked = dict(zip(seats, started, strict=True))
            await play(
                spec,
                [
                    _AskedSeat(asked[seat], codes_of(record, seat), answers)
                    if seat in asked
                    else RecordedSeat(codes_of(record, seat))
                    for seat in range(len(record.names))
                ],
            )
    return answers


def codes_of(record: ReplayRecord, seat: int) -> Iterator[int]:
    """What a seat did."""
    for state, choice in positions(record):
        if choice >= 0 and state.current_player == seat:
            yield state.legal_actions()[choice]
