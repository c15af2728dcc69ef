"""A match that is taken up again from its journal goes on as if it had not been broken off."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from seats_in_tests import FirstSeat, answer_nothing, first_asked, match, never_answer, told

from arena.match.journal import Entry, Forfeit, JournalError, Played
from arena.match.model import End, MatchResult, MatchSpec, Policy, Rejection, TimeControl
from arena.match.play import Abandonment, play
from arena.match.question import Answer, Question
from arena.replays import from_match, verify
from core_ext import SPECTATOR, VARIANTS, State, parse_seed, variant_info

SIZES = [
    (name, count)
    for name in VARIANTS
    for least, most, _ in [variant_info(name).seats]
    for count in range(least, most + 1)
]
"""Every variant with each number of seats."""


class Pages:
    """A journal in memory; after `room` entries it is somebody else's."""

    def __init__(self, room: int = 10**9) -> None:
        self.played: list[Entry] = []
        self.room = room

    async def write(self, entry: Entry) -> None:
        if len(self.played) == self.room:
            raise LostError
        self.played.append(entry)


class LostError(Exception):
    """The match is another's."""


class Rolling(FirstSeat):
    """Plays by its dice, and writes down all that a question holds; its answers to some are wrong."""

    def __init__(self, wrong: frozenset[int] = frozenset()) -> None:
        super().__init__()
        self.wrong = wrong
        self.seen: dict[int, object] = {}

    async def think(self, question: Question) -> Answer:
        await super().think(question)
        self.seen[question.number] = (question.observation, question.events, question.legal, question.random)
        self.tally.rejections += question.random % 7 == 0  # a stray move
        code = -1 if question.number in self.wrong else question.legal[question.random % len(question.legal)]
        return Answer(code, question.random % 3_000 / 1_000)


def long_match(variant: str, seed: int) -> MatchSpec:
    names = tuple("abcd"[: State.new(variant, {}, b"x" * 32).seats])
    return MatchSpec(
        match_id="m",
        variant=variant,
        seed=parse_seed(seed),
        names=names,
        time=TimeControl(per_decision_ms=1_000, bank_ms=3_600_000),
        policy=Policy.LENIENT,
    )


@settings(max_examples=settings().max_examples // 4)
@given(st.sampled_from(VARIANTS), st.integers(0, 1000), st.floats(0, 1), st.frozensets(st.integers(1, 9), max_size=3))
def test_wherever_it_was_broken_off_it_ends_as_the_unbroken_one(variant, seed, share, wrong):
    spec = long_match(variant, seed)
    whole = Pages()
    seats = [Rolling(wrong) for _ in spec.names]
    unbroken = asyncio.run(play(spec, seats, journal=whole))
    broken = Pages(room=int(share * (len(whole.played) - 1)))
    first = [Rolling(wrong) for _ in spec.names]
    with pytest.raises(LostError):
        asyncio.run(play(spec, first, journal=broken))
    assert all(seat.ends == [] for seat in first), "it goes on elsewhere, so nobody is told of an end"
    assert broken.played == whole.played[: broken.room]
    again = Pages()
    second = [Rolling(wrong) for _ in spec.names]
    resumed: MatchResult = asyncio.run(play(spec, second, journal=again, resume=broken.played))
    assert resumed == unbroken
    assert broken.played + again.played == whole.played
    for before, after, both in zip(first, second, seats, strict=True):
        assert before.seen | after.seen == both.seen, "no card was dealt anew, no number given twice"
        asked_twice = set(before.seen) & set(after.seen)
        assert all(before.seen[number] == after.seen[number] for number in asked_twice)


async def test_a_spectator_is_shown_a_resumed_match_from_its_beginning_and_a_bot_from_where_it_is():
    spec = match(months=1)
    whole = Pages()
    await play(spec, [FirstSeat(), FirstSeat()], journal=whole)
    shown: list[object] = []
    seats = [FirstSeat(), FirstSeat()]
    seats[0].wants_updates = True
    result = await play(spec, seats, resume=whole.played[:5], spectator=shown.extend)
    state = State.new(spec.variant, spec.options, spec.seed)
    state.apply_choices(bytes(played.choice for played in whole.played[:5]))
    before = state.event_count
    state.apply_choices(result.choices[5:])
    assert tuple(shown) == state.events(SPECTATOR)
    assert tuple(seats[0].updates) == state.events(0, before)


@pytest.mark.parametrize("act", [never_answer, answer_nothing])
async def test_nobody_is_told_of_a_forfeit_by_an_arena_that_has_lost_the_match(act):
    spec = match(months=1, time=TimeControl(per_decision_ms=20, bank_ms=0))
    faulty = first_asked(spec)

    def seats() -> list[FirstSeat]:
        return [FirstSeat({1: act}) if seat == faulty else FirstSeat() for seat in range(2)]

    untold = seats()
    with pytest.raises(LostError):
        await play(spec, untold, journal=Pages(room=0))
    assert [seat.ends + seat.rejected for seat in untold] == [[], []]
    journal = Pages()
    result = await play(spec, seats(), journal=journal)
    assert result.end in (End.TIMEOUT, End.ILLEGAL_ACTION)
    assert journal.played == [Forfeit(result.end, faulty, result.text, 1)]


async def test_a_forfeit_that_was_written_down_stands_whatever_the_seats_would_do_now():
    spec = match(months=1, policy=Policy.LENIENT)
    first = first_asked(spec)
    journal = Pages()
    seats = [FirstSeat(), FirstSeat()]
    seats[first].acts = dict.fromkeys((1, 2, 3, 4), answer_nothing)
    result = await play(spec, seats, journal=journal)
    assert (result.end, result.offender) == (End.ILLEGAL_ACTION, first)
    again = [FirstSeat(), FirstSeat()]
    assert await play(spec, again, resume=journal.played) == result
    assert [seat.questions for seat in again] == [[], []]
    assert again[1 - first].ends == told(result)


@pytest.mark.parametrize("cover_ms", [0, 20])
@pytest.mark.parametrize("number", [0, 1, 5], ids=["as-it-is-dealt", "at-the-first-question", "at-a-fifth-question"])
@pytest.mark.parametrize(("variant", "count"), SIZES)
async def test_a_match_that_was_abandoned_is_a_sound_replay_and_stays_abandoned(variant, count, number, cover_ms):
    abandonment = Abandonment()

    async def abandon(question: Question) -> int:
        abandonment.give("its owner has ended")
        return await never_answer(question)

    def see(_: object) -> None:
        if number == 0:
            abandonment.give("its owner has ended")

    spec = replace(match(cover_ms=cover_ms), variant=variant, names=tuple("abcd"[:count]), options={})
    seats = [FirstSeat({number: abandon} if number else {1: never_answer}) for _ in spec.names]
    journal = Pages()
    result = await play(spec, seats, journal=journal, spectator=see, abandonment=abandonment)
    assert (result.end, result.offender, result.text) == (End.ABANDONED, -1, "its owner has ended")
    assert max(len(seat.questions) for seat in seats) <= max(number, 1)
    assert [seat.ends for seat in seats] == [told(result)] * count
    assert verify(from_match(spec, result)) == ()
    again = [FirstSeat() for _ in spec.names]
    assert await play(spec, again, resume=journal.played) == result
    assert [seat.questions for seat in again] == [[]] * count


async def test_a_cancelled_match_with_a_journal_tells_nobody_of_an_end():
    spec = match()
    seats = [FirstSeat({1: never_answer}), FirstSeat({1: never_answer})]
    task = asyncio.create_task(play(spec, seats, journal=Pages()))
    await seats[first_asked(spec)].asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [seat.ends for seat in seats] == [[], []]


async def test_a_resumed_match_whose_secret_questions_are_covered_ends_as_the_unbroken_one():
    spec = replace(match(months=1), cover_ms=20)
    whole = Pages()
    unbroken = await play(spec, [FirstSeat(), FirstSeat()], journal=whole)
    resumed = await play(spec, [FirstSeat(), FirstSeat()], resume=whole.played[:-2])
    assert (resumed.choices, resumed.results) == (unbroken.choices, unbroken.results)


async def test_a_journal_of_another_match_is_refused():
    spec = match(months=1)
    first = first_asked(spec)
    for played in (Played(1 - first, 0, 1, None, 0), Played(first, 99, 1, Rejection.TOO_LATE, 1)):
        with pytest.raises(JournalError):
            await play(spec, [FirstSeat(), FirstSeat()], resume=[played])
