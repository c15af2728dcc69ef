"""A match that is played again is held against what was played, decision by decision."""

from arena.match.model import End, MatchResult, MatchSpec
from arena.match.play import play
from arena.match.rerun import play_again
from arena.sdk import Action, Bot, Decision
from arena.seats.in_process import InProcessSeat
from bots import house

SPEC = MatchSpec("m0", "koikoi", bytes(32), ("ann", "bo"), options={"months": 2}, salts=("a", "b"))


class Turns(Bot):
    """Plays by its dice, and from decision `turn` on in another way."""

    def __init__(self, turn: int = 10**9, answer: object = None) -> None:
        self.turn = turn
        self.answer = answer

    def choose(self, decision: Decision) -> object:
        if decision.number < self.turn:
            return decision.random.choice(decision.legal)
        return self.other(decision) if self.answer is None else self.answer

    def other(self, decision: Decision) -> Action:
        usual = decision.random.choice(decision.legal)
        return next(action for action in (*decision.legal[::-1], usual) if action is not usual)


async def played(spec: MatchSpec, first: Bot) -> MatchResult:
    return await play(spec, [InProcessSeat(first), InProcessSeat(house("random"))])


async def again(spec: MatchSpec, first: Bot, result: MatchResult) -> object:
    return await play_again(spec, [InProcessSeat(first), InProcessSeat(house("random"))], result.choices)


async def test_bots_that_play_the_same_differ_nowhere() -> None:
    result = await played(SPEC, Turns())
    assert result.end is End.COMPLETED
    assert await again(SPEC, Turns(), result) is None


async def test_the_first_other_action_is_told_with_its_decision_seat_and_legal_actions() -> None:
    result = await played(SPEC, Turns())
    difference = await play_again(SPEC, [InProcessSeat(Turns(3)), InProcessSeat(house("random"))], result.choices)
    assert (difference.seat, difference.end) == (0, None)
    assert difference.then in difference.legal
    assert difference.now in difference.legal
    assert difference.then != difference.now
    assert 3 <= difference.decision < len(result.choices)


async def test_what_was_forfeited_then_is_compared_up_to_there_and_not_asked_again() -> None:
    result = await played(SPEC, Turns(5, answer=9999))
    assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert await again(SPEC, Turns(5, answer=9999), result) is None
    assert await again(SPEC, Turns(), result) is None


async def test_a_bot_that_forfeits_only_now_differs_there_and_says_why() -> None:
    result = await played(SPEC, Turns())
    difference = await play_again(
        SPEC, [InProcessSeat(Turns(1, answer=9999)), InProcessSeat(house("random"))], result.choices
    )
    assert (difference.seat, difference.end) == (0, End.BOT_ERROR)
    assert f"forfeit (bot_error): {difference.now}" in str(difference)


async def test_other_salts_are_other_dice() -> None:
    result = await played(SPEC, Turns())
    other = MatchSpec("m0", "koikoi", bytes(32), ("ann", "bo"), options={"months": 2}, salts=("a", "c"))
    assert await again(other, Turns(), result) is not None
