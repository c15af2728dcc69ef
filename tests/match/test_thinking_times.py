"""A result counts how long each seat's decisions took, in classes that double."""

from arena.match.model import THINKING_CLASSES, MatchSpec, TimeControl
from arena.match.play import play
from arena.match.question import Answer, Question
from arena.match.seat import Seat
from core_ext import parse_seed

TIMES_S = (0.0, 0.0009, 0.001, 0.0039, 0.004, 0.5, 32.767, 32.768, 3_000.0)
CLASSES = (0, 0, 1, 2, 3, 9, 15, 16, 16)


class Timed(Seat):
    """Takes the times one after another."""

    def __init__(self, times_s: tuple[float, ...]) -> None:
        super().__init__()
        self.times_s = times_s
        self.asked = 0

    async def decide(self, question: Question) -> Answer:
        self.asked += 1
        return Answer(question.legal[0], self.times_s[(self.asked - 1) % len(self.times_s)])


async def test_each_decision_is_counted_in_the_class_of_its_time() -> None:
    times, instant = Timed(TIMES_S), Timed((0.0,))
    spec = MatchSpec("m", "koikoi", parse_seed("1"), ("slow", "quick"), time=TimeControl(3_600_000, 0))
    result = await play(spec, [times, instant])
    expected = [0] * THINKING_CLASSES
    for number in range(times.asked):
        expected[CLASSES[number % len(CLASSES)]] += 1
    assert times.asked >= len(TIMES_S)
    assert result.thinking == (tuple(expected), (instant.asked,))
