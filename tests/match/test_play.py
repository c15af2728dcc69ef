"""A match between seats, and what it costs a seat to misbehave."""

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seats_in_tests import LONG, NOTHING, FirstSeat, answer_nothing, break_down, first_asked, match, never_answer, told

from arena.match import play as referee
from arena.match.model import End, MatchResult, Policy, Rejection, TimeControl
from arena.match.play import Abandonment, play
from arena.match.question import Answer, Question, StaleQuestionError
from arena.match.seat import SeatFailure
from arena.replays import from_match, verify
from arena.seats.absent import AbsentSeat
from core_ext import SPECTATOR, State

SHORT = TimeControl(per_decision_ms=20, bank_ms=0)


async def played(spec, *acts):
    """The result of a match, and its seats; `acts` are for the seat that is asked first."""
    seats = [FirstSeat(), FirstSeat()]
    faulty = first_asked(spec)
    seats[faulty].acts = dict(acts)
    return await play(spec, seats), seats[faulty], seats[1 - faulty]


async def test_a_match_is_played_to_its_end_and_every_seat_is_told():
    spec = match()
    seats = [FirstSeat(), FirstSeat()]
    result = await play(spec, seats)
    state = State.new(spec.variant, spec.options, spec.seed)
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    assert result.end is End.COMPLETED
    assert (result.offender, result.rejections, result.text) == (-1, (0, 0), "")
    assert result.results == state.returns()
    assert result.placing == state.placing()
    assert result.choices == bytes(len(state.actions()))
    assert len(result.clock_ms) == len(result.choices)
    assert [seat.ends for seat in seats] == [told(result)] * 2
    assert [seat.last_events[-1].kind for seat in seats] == ["match_end", "match_end"]


async def test_a_seat_counts_its_own_questions_alone():
    _, ann, bo = await played(match())
    for seat in (ann, bo):
        assert [number for number, *_ in seat.questions] == list(range(1, len(seat.questions) + 1))


async def test_a_match_needs_a_seat_for_every_name():
    with pytest.raises(ValueError, match="2 names has 1 seats"):
        await play(match(), [FirstSeat()])


@pytest.mark.parametrize(
    ("act", "end", "reason", "code"),
    [
        (answer_nothing, End.ILLEGAL_ACTION, Rejection.ILLEGAL_ACTION, NOTHING),
        (never_answer, End.TIMEOUT, Rejection.TOO_LATE, None),
    ],
)
async def test_under_the_strict_policy_one_wrong_answer_forfeits(act, end, reason, code):
    result, faulty, other = await played(match(time=SHORT), (3, act))
    assert (result.end, result.offender) == (end, faulty.seat)
    assert faulty.rejected == [(3, code, reason, 1, None)]
    assert result.placing[faulty.seat] == 2
    assert result.placing[other.seat] == 1
    assert (result.rejections[faulty.seat], result.rejections[other.seat]) == (1, 0)
    assert faulty.ends == other.ends == told(result)


@pytest.mark.parametrize(
    ("act", "end", "reason", "code"),
    [
        (answer_nothing, End.ILLEGAL_ACTION, Rejection.ILLEGAL_ACTION, NOTHING),
        (never_answer, End.TIMEOUT, Rejection.TOO_LATE, None),
    ],
)
async def test_under_the_lenient_policy_the_fourth_wrong_answer_forfeits(act, end, reason, code):
    spec = match(time=SHORT, policy=Policy.LENIENT)
    result, faulty, other = await played(spec, *((number, act) for number in (1, 2, 4, 5)))
    defaults = [legal[0] for _, legal, *_ in faulty.questions]
    assert faulty.rejected == [
        (1, code, reason, 1, defaults[0]),
        (2, code, reason, 2, defaults[1]),
        (4, code, reason, 3, defaults[3]),
        (5, code, reason, 4, None),
    ]
    assert (result.end, result.offender) == (end, faulty.seat)
    assert result.rejections[faulty.seat] == 4
    assert other.rejected == []
    assert verify(from_match(spec, result)) == ()


async def test_under_the_lenient_policy_three_wrong_answers_are_forgiven():
    spec = match(time=SHORT, policy=Policy.LENIENT)
    result, faulty, _ = await played(spec, (1, answer_nothing), (2, never_answer), (3, answer_nothing))
    assert result.end is End.COMPLETED
    assert result.choices == bytes(len(result.choices)), "the default is the first legal action"
    assert [reason for _, _, reason, _, _ in faulty.rejected] == [
        Rejection.ILLEGAL_ACTION,
        Rejection.TOO_LATE,
        Rejection.ILLEGAL_ACTION,
    ]


async def test_after_a_forfeit_the_results_are_the_balances_as_they_stood():
    spec = match("16", months=12)
    asked = first_asked(spec)
    result, faulty, _ = await played(spec, (60, answer_nothing))
    state = State.new(spec.variant, spec.options, spec.seed)
    state.apply_choices(result.choices)
    assert faulty.seat == asked
    assert result.results == state.balances()
    assert any(result.results), "the match has to have gone far enough for this test to tell"


async def test_a_longer_decision_is_paid_by_the_bank():
    async def think(question: Question) -> Answer:
        return Answer(question.legal[0], 0.0505)

    spec = match(time=TimeControl(per_decision_ms=20, bank_ms=1_000))
    result, faulty, other = await played(spec, (1, think), (3, think))
    assert [bank for *_, bank in faulty.questions[:4]] == [1_000, 970, 970, 940]
    assert {bank for *_, bank in other.questions} == {1_000}
    assert result.clock_ms[0] == 50
    assert result.end is End.COMPLETED


async def test_a_decision_may_use_up_the_bank_but_no_more():
    async def think(question: Question) -> Answer:
        return Answer(question.legal[0], 0.0305 if question.number == 1 else 0.0215)

    spec = match(time=TimeControl(per_decision_ms=20, bank_ms=10))
    result, faulty, _ = await played(spec, (1, think), (2, think))
    assert [bank for *_, bank in faulty.questions] == [10, 0]
    assert (result.end, result.offender) == (End.TIMEOUT, faulty.seat)
    assert result.text == f"decision 2 of seat {faulty.seat} took 21 ms of 20"


async def test_a_real_bank_runs_out():
    spec = match(time=TimeControl(per_decision_ms=10, bank_ms=20))
    result, faulty, _ = await played(spec, (1, never_answer))
    assert (result.end, result.offender) == (End.TIMEOUT, faulty.seat)


async def test_a_seat_does_not_pay_for_the_way_of_its_answer():
    class Delayed(FirstSeat):
        async def decide(self, question: Question) -> Answer:
            code = (await super().decide(question)).code
            if question.number == 1:
                await asyncio.sleep(0.06)
            return Answer(code, 0.0)

    delayed = [Delayed(), Delayed()]
    result = await play(match(time=SHORT), delayed)
    assert result.end is End.COMPLETED
    assert set(result.clock_ms) == {0}
    assert [seat.rejected for seat in delayed] == [[], []]


async def test_an_answer_that_comes_after_its_cancellation_is_late():
    async def stubborn(question: Question) -> int:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return question.legal[0]
        return NOTHING

    result, faulty, _ = await played(match(time=SHORT), (1, stubborn))
    assert (result.end, result.offender) == (End.TIMEOUT, faulty.seat)
    assert faulty.rejected == [(1, None, Rejection.TOO_LATE, 1, None)]


@pytest.mark.parametrize("end", [End.DISCONNECTED, End.BOT_ERROR])
async def test_a_seat_that_cannot_go_on_forfeits_as_it_says(end):
    async def fail(question: Question) -> int:
        raise SeatFailure(end, "gone for 10 s")

    result, faulty, other = await played(match(policy=Policy.LENIENT), (2, fail))
    assert (result.end, result.offender, result.text) == (end, faulty.seat, "gone for 10 s")
    assert other.ends == told(result)


async def test_the_words_of_a_failure_are_for_the_seat_that_failed_alone():
    result, faulty, other = await played(match(), (2, break_down))
    assert (result.end, result.offender) == (End.BOT_ERROR, faulty.seat)
    assert result.text == faulty.end_text == "the bot broke"
    assert other.end_text == f"seat {faulty.seat} forfeited", "an error's words may speak of hidden cards"
    assert other.ends == told(result)


@pytest.mark.parametrize("error", [TimeoutError("no store"), RuntimeError("a bug"), KeyError("a bug")])
async def test_an_error_of_the_arena_is_nobodys_forfeit(error):
    async def fail(question: Question) -> int:
        raise error

    spec = match(policy=Policy.LENIENT)
    seats = [FirstSeat(), FirstSeat({2: fail})]
    with pytest.raises(type(error)):
        await play(spec, seats)
    assert [[result.end for result in seat.ends] for seat in seats] == [[End.ABANDONED], [End.ABANDONED]]
    assert [result.offender for seat in seats for result in seat.ends] == [-1, -1]


@pytest.mark.parametrize("answer", ["stop", 1.5, [1, 2]])
async def test_an_answer_that_is_no_code_is_an_illegal_action(answer):
    async def nonsense(question: Question) -> int:
        return answer

    result, faulty, _ = await played(match(), (1, nonsense))
    assert (result.end, result.offender) == (End.ILLEGAL_ACTION, faulty.seat)


async def test_a_seat_that_fails_at_the_start_forfeits_before_anything_is_asked():
    class Absent(FirstSeat):
        async def start(self, spec, seat):
            raise SeatFailure(End.DISCONNECTED, "never came")

    spec = match()
    ann, bo = FirstSeat(), Absent()
    result = await play(spec, [ann, bo])
    assert (result.end, result.offender, result.choices) == (End.DISCONNECTED, 1, b"")
    assert ann.questions == []
    assert ann.ends == told(result)
    assert verify(from_match(spec, result)) == ()


async def test_a_seat_that_cannot_be_told_hurts_nobody():
    class Deaf(FirstSeat):
        wants_updates = True

        async def update(self, events):
            raise RuntimeError("no ears")

        async def reject(self, *args):
            raise RuntimeError("no ears")

        async def end(self, result, events):
            raise RuntimeError("no ears")

    for deaf, other in itertools.permutations(range(2)):
        seats = [FirstSeat(), FirstSeat()]
        seats[deaf] = Deaf({1: answer_nothing})
        result = await play(match(policy=Policy.LENIENT), seats)
        assert result.end is End.COMPLETED
        assert seats[other].ends == told(result)


async def test_a_seat_that_takes_long_to_be_told_is_told_once(monkeypatch):
    class Slow(FirstSeat):
        wants_updates = True
        told = 0

        async def update(self, events):
            self.told += 1
            await asyncio.Event().wait()

    monkeypatch.setattr(referee, "NOTICE_SECONDS", 0.02)
    slow, other = Slow(), FirstSeat()
    result = await play(match(), [slow, other])
    assert result.end is End.COMPLETED
    assert slow.told == 1
    assert other.ends == told(result)


async def test_updates_and_spectators_see_what_they_may_see():
    spec = match("3", months=12)
    seats = [FirstSeat(), FirstSeat()]
    seats[1].wants_updates = True
    public = []
    result = await play(spec, seats, spectator=public.extend)
    state = State.new(spec.variant, spec.options, spec.seed)
    state.apply_choices(result.choices)
    assert tuple(public) == state.events(SPECTATOR)
    assert tuple(seats[1].updates) == state.events(1)
    assert seats[0].updates == []


async def test_an_action_is_journaled_before_anything_that_follows_from_it_is_sent():
    log = []
    refused = []

    class Logging(FirstSeat):
        wants_updates = True

        async def think(self, question):
            log.append("asked")
            return await super().think(question)

        async def update(self, events):
            log.append("told")

        async def reject(self, *args):
            log.append("rejected")

    class Log:
        async def write(self, played):
            await asyncio.sleep(0)
            log.append(("journaled", played.seat, played.choice))
            refused.append(played.refused)

    spec = match(months=1, policy=Policy.LENIENT)
    seats = [Logging({1: answer_nothing}), Logging({1: answer_nothing})]
    result = await play(spec, seats, journal=Log())
    assert [entry[2] for entry in log if isinstance(entry, tuple)] == list(result.choices)
    asked = [number for number, entry in enumerate(log) if entry == "asked"]
    assert all(isinstance(log[number + 1], tuple) for number in asked)
    assert log.count("rejected") == 2
    assert refused.count(Rejection.ILLEGAL_ACTION) == 2
    assert refused.count(None) == len(refused) - 2


async def test_a_cancelled_match_tells_its_seats_that_it_was_abandoned():
    spec = match()
    seats = [FirstSeat({2: never_answer}), FirstSeat({2: never_answer})]
    task = asyncio.create_task(play(spec, seats))
    waiting = seats[first_asked(spec)]
    while len(waiting.questions) < 2:
        await waiting.asked.wait()
        waiting.asked.clear()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [[result.end for result in seat.ends] for seat in seats] == [[End.ABANDONED], [End.ABANDONED]]
    [result] = seats[0].ends
    assert (result.offender, result.placing) == (-1, (1, 1))
    assert verify(from_match(spec, result)) == ()


async def test_an_owner_that_has_ended_is_why_its_match_ends_though_its_bot_went_with_it():
    abandonment = Abandonment()
    abandonment.give("its owner has ended")
    seats = [AbsentSeat(End.DISCONNECTED, "not connected"), FirstSeat()]
    result = await play(match(), seats, abandonment=abandonment)
    assert (result.end, result.offender, result.text) == (End.ABANDONED, -1, "its owner has ended")


@pytest.mark.parametrize("begun", [False, True])
async def test_a_match_that_is_abandoned_ends_by_nobodys_fault_with_its_reason(begun: bool):
    spec, abandonment = match(), Abandonment()
    seats = [FirstSeat({2: never_answer}), FirstSeat({2: never_answer})]
    if not begun:
        abandonment.give("its owner has ended")
    task = asyncio.create_task(play(spec, seats, abandonment=abandonment))
    if begun:
        await seats[first_asked(spec)].asked.wait()
        abandonment.give("its owner has ended")
    await asyncio.sleep(0)
    abandonment.give("once more, while it ends")
    result = await task
    assert (result.end, result.offender, result.text) == (End.ABANDONED, -1, "its owner has ended")
    assert [seat.ends for seat in seats] == [told(result)] * 2
    assert verify(from_match(spec, result)) == ()
    abandonment.give("once more, afterwards")


async def test_a_question_cannot_be_looked_at_for_the_first_time_after_its_answer():
    kept: list[Question] = []

    async def keep(question: Question) -> int:
        kept.append(question)
        if question.number == 2:
            assert question.observation.seat == question.seat
        return question.legal[0]

    await played(match(), (1, keep), (2, keep))
    with pytest.raises(StaleQuestionError, match="question 1"):
        _ = kept[0].observation
    with pytest.raises(StaleQuestionError):
        _ = kept[0].events
    assert kept[1].observation.seat == kept[1].seat


async def test_many_matches_share_one_event_loop():
    specs = [match(str(seed)) for seed in range(200)]
    results = await asyncio.gather(*(play(spec, [FirstSeat(), FirstSeat()]) for spec in specs))
    assert {result.end for result in results} == {End.COMPLETED}
    assert not any(verify(from_match(spec, result)) for spec, result in zip(specs, results, strict=True))


class Turmoil(FirstSeat):
    """Does what it was dealt to do, by the number of its question."""

    def __init__(self, faults: dict[int, str]) -> None:
        super().__init__()
        self.faults = faults

    async def think(self, question: Question) -> int:
        fault = self.faults.get(question.number)
        if fault == "hang":
            await asyncio.Event().wait()
        if fault == "raise":
            raise SeatFailure(End.BOT_ERROR, "broken")
        if fault == "leave":
            raise SeatFailure(End.DISCONNECTED, "left")
        return NOTHING if fault == "illegal" else question.legal[question.random % len(question.legal)]


FAULTS = st.dictionaries(st.integers(1, 20), st.sampled_from(["hang", "raise", "leave", "illegal"]), max_size=5)


@given(st.integers(0, 10_000), st.sampled_from(Policy), st.tuples(FAULTS, FAULTS))
def test_whatever_seats_do_the_match_ends_and_only_the_faulty_pays(seed, policy, faults):
    spec = match(str(seed), time=TimeControl(per_decision_ms=1, bank_ms=0), policy=policy)
    seats = [Turmoil(fault) for fault in faults]
    if not any("hang" in fault.values() for fault in faults):
        spec = match(str(seed), time=LONG, policy=policy)
    result: MatchResult = asyncio.run(play(spec, seats))
    assert [seat.ends for seat in seats] == [told(result)] * 2
    assert verify(from_match(spec, result)) == ()
    if result.offender >= 0:
        assert result.placing[result.offender] == 2
        assert sorted(result.placing) == [1, 2]
        if result.end is not End.TIMEOUT:
            assert seats[result.offender].faults
    else:
        assert result.end is End.COMPLETED
