"""Bots of the SDK in this process."""

import asyncio

import pytest
from seats_in_tests import match

from arena import wire
from arena.match.model import End, TimeControl
from arena.match.play import play
from arena.match.question import Question
from arena.sdk import Bot, Decision
from arena.seats.in_process import InProcessSeat
from core_ext import State
from hanafuda.arena.v1 import match_pb2


class DiceBot(Bot):
    """Plays by its dice and keeps what it was told."""

    updates = True

    def __init__(self):
        self.told = []
        self.happenings = 0

    def started(self, match):
        self.told.append(("started", match.id, match.seat, match.bots, dict(match.options)))

    def choose(self, decision):
        return decision.random.choice(decision.legal)

    def happened(self, match, events):
        self.happenings += len(events)

    def ended(self, match, end):
        self.told.append(("ended", match.seat, end.reason))


async def test_a_bot_is_told_of_its_match_from_start_to_end():
    bots = [DiceBot(), DiceBot()]
    result = await play(match(), [InProcessSeat(bot) for bot in bots])
    assert result.end is End.COMPLETED
    for seat, bot in enumerate(bots):
        assert bot.told == [
            ("started", "m", seat, ("ann", "bo"), {"months": "2"}),
            ("ended", seat, match_pb2.MATCH_END_REASON_COMPLETED),
        ]
        assert bot.happenings > len(result.choices)


async def test_the_same_bots_play_the_same_match_again():
    results = [await play(match(), [InProcessSeat(DiceBot()), InProcessSeat(DiceBot())]) for _ in range(2)]
    assert results[0].choices == results[1].choices


async def test_a_decision_in_process_says_what_it_says_over_the_wire():
    class Comparing(Bot):
        seen = 0

        def choose(self, decision):
            wired = Decision(decision.message)
            assert (decision.number, decision.variant, decision.seat) == (wired.number, wired.variant, wired.seat)
            assert (decision.legal, decision.hand, decision.field) == (wired.legal, wired.hand, wired.field)
            assert (decision.events, decision.clock) == (wired.events, wired.clock)
            assert decision.random.random() == wired.random.random()
            assert decision.repeated is False
            self.seen += 1
            return wired.legal[-1]

    bot = Comparing()
    result = await play(match(), [InProcessSeat(bot), InProcessSeat(bot)])
    assert (result.end, bot.seen) == (End.COMPLETED, len(result.choices))


async def test_a_decision_that_asks_for_little_builds_no_message(monkeypatch):
    monkeypatch.setattr("arena.seats.in_process.decision_to_wire", lambda question: pytest.fail("a message was built"))
    result = await play(match(), [InProcessSeat(DiceBot()), InProcessSeat(DiceBot())])
    assert result.end is End.COMPLETED


async def test_an_async_bot_can_be_timed_out():
    class Sleeper(Bot):
        async def choose(self, decision):
            await asyncio.Event().wait()

    spec = match(time=TimeControl(per_decision_ms=20, bank_ms=0))
    result = await play(spec, [InProcessSeat(Sleeper()), InProcessSeat(Sleeper())])
    assert result.end is End.TIMEOUT


@pytest.mark.parametrize("answer", [10**9, "koi koi", None, object()])
async def test_a_bot_that_answers_nonsense_fails(answer):
    class Nonsense(Bot):
        def choose(self, decision):
            return answer

    result = await play(match(), [InProcessSeat(Nonsense()), InProcessSeat(Nonsense())])
    assert result.end is End.BOT_ERROR
    assert "is not legal here" in result.text


async def test_an_answer_may_be_an_action_a_code_or_a_text():
    spec = match()
    state = State.new(spec.variant, spec.options, spec.seed)
    legal = tuple(state.legal_actions())
    for pick in (lambda d: d.legal[1], lambda d: d.legal[1].code, lambda d: d.legal[1].text):

        class Picker(Bot):
            choose = staticmethod(pick)

        seat = InProcessSeat(Picker())
        await seat.start(spec, state.current_player)
        question = Question(spec, state.current_player, 1, legal, 1, 10, 0, 0, state.event_count, state)
        assert (await seat.decide(question)).code == legal[1]
        assert wire.decision_to_wire(question).legal[1].code == legal[1]
