"""What a bot pays for that goes to another node, or whose node is lost, in the middle of a decision."""

from collections.abc import Callable

import pytest

from arena.match.clock import clock
from arena.match.model import MatchSpec
from arena.match.question import Answer, Question
from arena.match.referee import Referee
from arena.seats.errors import LinkError, NoPlaceError, NotConnectedError, SeatTakenError
from arena.seats.failover import FailoverSeat
from arena.seats.stream import ConnectedSeat

LIMIT_MS = 10_000
AWAY_S = 0.2
THINKING_S = 0.1


class Carrier(ConnectedSeat):
    """The seat of a bot at some node: it thinks for a while, and then answers or is lost."""

    def __init__(self, thinks_s: float, lost: Exception | None = None) -> None:
        super().__init__("m")
        self.thinks_s = thinks_s
        self.lost = lost
        self.limit_ms = 0
        self.repeated = False

    def begin(self, message: bytes) -> None:
        pass

    async def ask(self, question: Question, limit_ms: int, *, repeated: bool) -> Answer:
        self.limit_ms, self.repeated = limit_ms, repeated
        if self.thinks_s:
            await clock.sleep_until(clock.now() + self.thinks_s)
        if self.lost is not None:
            raise self.lost
        return Answer(question.legal[0], self.thinks_s)

    def notify(self, message: bytes, *, keep: bool = False) -> None:
        pass

    def release(self) -> None:
        pass


async def asked(first: Carrier, second: Carrier) -> Answer:
    """The answer of a bot that is at `first`, and some time after that is lost at `second`."""
    lost_at: list[float] = []

    async def find() -> ConnectedSeat:
        lost_at.append(clock.now())
        if clock.now() - lost_at[0] < AWAY_S:
            raise NotConnectedError("not yet")
        return second

    async def changed(_: float) -> None:
        await clock.sleep_until(lost_at[0] + AWAY_S)

    seat = FailoverSeat("m", first, find, changed)
    seat.reconnect_ms = 60_000
    question = Referee(MatchSpec("m", "koikoi", bytes(32), ("ann", "bo"))).ask()
    with clock.held():
        return await seat.ask(question, LIMIT_MS, repeated=False)


@pytest.mark.parametrize(
    ("lost", "least_s", "most_s"),
    [
        (LinkError, 2 * THINKING_S, 2 * THINKING_S + AWAY_S),
        (NotConnectedError, 2 * THINKING_S + AWAY_S, float("inf")),
    ],
    ids=["its-node-is-lost", "it-goes-to-another-node"],
)
async def test_a_bot_pays_for_what_it_has_thought_and_for_its_absence_only_where_it_left_by_itself(
    lost: Callable[[str], Exception], least_s: float, most_s: float
) -> None:
    first, second = Carrier(THINKING_S, lost("gone")), Carrier(THINKING_S)
    answer = await asked(first, second)
    assert least_s <= answer.thinking_s < most_s
    assert second.repeated
    assert first.limit_ms == LIMIT_MS
    assert second.limit_ms == LIMIT_MS - int((answer.thinking_s - THINKING_S) * 1000)


async def test_a_match_lets_its_seats_go_whose_bot_plays_as_many_others_as_it_takes() -> None:
    """Two that each hold one seat, and wait for the other's, would wait for ever."""
    tries: list[float] = []

    async def find() -> ConnectedSeat:
        tries.append(clock.now())
        raise NoPlaceError("bot bo takes no more matches now")

    async def changed(seconds: float) -> None:
        await clock.sleep_until(clock.now() + seconds)

    seat = FailoverSeat("m", None, find, changed)
    seat.reconnect_ms = 500
    question = Referee(MatchSpec("m", "koikoi", bytes(32), ("ann", "bo"))).ask()
    with clock.held(), pytest.raises(SeatTakenError, match="goes on when all of its bots have a place"):
        await seat.ask(question, LIMIT_MS, repeated=False)
    assert tries[-1] - tries[0] > 0.5, "it has no more than reconnect_ms to come, but it is there"


async def test_a_bot_that_left_by_itself_pays_until_it_has_a_place_and_no_seat_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It could otherwise have its clock back by coming again with room for one match less."""
    monkeypatch.setattr("arena.seats.failover._CROWDED_S", 0.05)
    first, second = Carrier(THINKING_S, NotConnectedError("gone")), Carrier(THINKING_S)
    began = clock.now()

    async def find() -> ConnectedSeat:
        if clock.now() - began < THINKING_S + AWAY_S:
            raise NoPlaceError("bot bo takes no more matches now")
        return second

    async def changed(_: float) -> None:
        await clock.sleep_until(clock.now() + 0.02)

    seat = FailoverSeat("m", first, find, changed)
    seat.reconnect_ms = 500
    question = Referee(MatchSpec("m", "koikoi", bytes(32), ("ann", "bo"))).ask()
    with clock.held():
        answer = await seat.ask(question, LIMIT_MS, repeated=False)
    assert answer.thinking_s >= 2 * THINKING_S + AWAY_S
