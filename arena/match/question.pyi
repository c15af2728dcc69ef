"""A decision as it is asked and answered."""

from typing import final

from arena.match.model import MatchSpec
from core_ext import Event, Observation, State

class StaleQuestionError(RuntimeError):
    """A question's view was looked at for the first time after the match had gone on."""

class QuestionError(RuntimeError):
    """The core cannot say what a question holds: no fault of the seat that is asked."""

@final
class Question:
    """One decision of one seat, as it is asked. It does not change.

    `number` counts the seat's own questions from 1: a number over all seats would tell that others were asked.
    `legal` is ascending and never empty. `random` is the seat's own number for this decision (64 bits), the same in
    every play of the match. The events from `events_since` up to `events_until` are new to the seat. What costs time to
    build is built when it is first looked at.
    """

    def __init__(
        self,
        spec: MatchSpec,
        seat: int,
        number: int,
        legal: tuple[int, ...],
        random: int,
        decision_ms: int,
        bank_ms: int,
        events_since: int,
        events_until: int,
        state: State,
    ) -> None: ...
    @property
    def spec(self) -> MatchSpec: ...
    @property
    def seat(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def legal(self) -> tuple[int, ...]: ...
    @property
    def random(self) -> int: ...
    @property
    def decision_ms(self) -> int: ...
    @property
    def bank_ms(self) -> int: ...
    @property
    def events_since(self) -> int: ...
    @property
    def events_until(self) -> int: ...
    @property
    def state(self) -> State: ...
    @property
    def secret(self) -> bool:
        """Whether it is asked in a slot of its own, unseen by the others."""
    @property
    def limit_ms(self) -> int:
        """How long the seat may think."""
    @property
    def observation(self) -> Observation:
        """All that the seat may know now.

        Its events are the deal's where they are part of what the seat knows, else those since its last question.
        """
    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the seat's last question, as the seat may see it."""
    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the legal actions."""
    def live_state(self) -> State:
        """The state that the question is about. StaleQuestionError when it has gone on: every action is an event."""

@final
class Answer:
    """What a seat answers: the action's code, None when the time was over before one came, and the thinking time.

    The seat measures the time, and it alone: only it knows when the question left and when the answer arrived, so that
    no bot pays for the delays of the arena. It counts by the arena's clock (`arena.match.clock`), and ends its wait
    when the question's `limit_ms` are over. What is charged, and what is too late, the referee judges.
    """

    def __init__(self, code: int | None, thinking_s: float) -> None: ...
    @property
    def code(self) -> int | None: ...
    @property
    def thinking_s(self) -> float: ...
