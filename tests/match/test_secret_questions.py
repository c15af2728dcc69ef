"""Questions that others must not notice: four of a month in a dealt hand (koikoi R3), exchanges in koikoi45."""

import asyncio
import time

import pytest
from msgspec.structs import replace
from seats_in_tests import FirstSeat, match, never_answer

from arena import wire
from arena.match.journal import Entry
from arena.match.model import End, MatchSpec, Policy, Rejection, TimeControl
from arena.match.play import play
from arena.match.recess import Recess
from arena.match.referee import Referee
from arena.match.secrecy import portions
from core_ext import SPECTATOR, State

COVER_MS = 60


def seed_where(dealer_has: bool, other_has: bool) -> str:
    """The first seed whose first deal gives a teshi to exactly these."""
    for number in range(200_000):
        spec = match(str(number), months=1)
        state = State.new(spec.variant, spec.options, spec.seed)
        asked = set()
        while state.legal_texts()[0] == "pass":
            asked.add(state.current_player)
            state.apply(state.legal_actions()[0])
        if asked == {seat for seat, has in ((state.dealer, dealer_has), (1 - state.dealer, other_has)) if has}:
            return str(number)
    raise AssertionError("no such seed")


class Listening(FirstSeat):
    """Keeps every byte that it would be sent, but for the options and the time on the clock."""

    wants_updates = True

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[bytes] = []
        self.times: list[float] = []

    async def think(self, question):
        self.times.append(time.monotonic())
        decision = wire.decision_to_wire(question)
        decision.observation.options.clear()
        self.heard.append(decision.SerializeToString(deterministic=True))
        return await super().think(question)

    async def update(self, events):
        self.heard.append(wire.match_update("m", events).SerializeToString())
        await super().update(events)

    async def end(self, result, events):
        self.heard.append(b"".join(event.SerializeToString() for event in wire.events_to_wire(events)))


@pytest.mark.parametrize("dealer_has", [True, False])
async def test_nobody_hears_that_another_seat_was_asked(dealer_has):
    seed = seed_where(dealer_has, not dealer_has)
    heard, public, counts = [], [], []
    for teshi in (True, False):
        spec = match(seed, months=1, teshi=teshi)
        dealer = State.new(spec.variant, spec.options, spec.seed).dealer
        asked = dealer if dealer_has else 1 - dealer
        seats = [Listening(), Listening()]
        seen = []
        result = await play(spec, seats, spectator=seen.extend)
        assert result.end is End.COMPLETED
        heard.append(seats[1 - asked].heard)
        counts.append(len(seats[asked].heard))
        public.append(seen)
    assert counts[0] > counts[1], "the seat itself was asked, or this test tells nothing"
    assert heard[0] == heard[1]
    assert public[0] == public[1]


async def test_a_pass_is_an_event_for_the_seat_alone():
    spec = match(seed_where(True, False), months=1)
    state = State.new(spec.variant, spec.options, spec.seed)
    asked = state.current_player
    state.apply(state.legal_actions()[0])
    kinds = {seat: [event.kind for event in state.events(seat)] for seat in (asked, 1 - asked, SPECTATOR)}
    assert kinds[asked].count("pass") == 1
    assert kinds[1 - asked] == kinds[SPECTATOR]
    assert "pass" not in kinds[SPECTATOR]


@pytest.mark.parametrize(("dealer_has", "other_has"), [(False, False), (True, False), (False, True)])
async def test_with_cover_play_begins_when_both_could_have_been_asked(dealer_has, other_has):
    spec = match(seed_where(dealer_has, other_has), months=1, cover_ms=COVER_MS)
    dealer = State.new(spec.variant, spec.options, spec.seed).dealer
    seats = [Listening(), Listening()]
    began = time.monotonic()
    result = await play(spec, seats)
    assert result.end is End.COMPLETED
    first_play = seats[dealer].times[1 if dealer_has else 0]
    assert first_play - began >= 2 * COVER_MS / 1000
    if other_has:
        assert seats[1 - dealer].times[0] - began >= COVER_MS / 1000
    assert not dealer_has or seats[dealer].times[0] < first_play


async def test_with_cover_a_secret_question_has_less_time_than_its_cover():
    time_control = TimeControl(per_decision_ms=0, bank_ms=60_000)
    spec = match(seed_where(True, False), months=1, cover_ms=COVER_MS, time=time_control)
    dealer = State.new(spec.variant, spec.options, spec.seed).dealer
    seats = [Listening(), Listening()]
    await play(spec, seats)
    clocks = [(decision_ms, bank_ms) for _, _, _, decision_ms, bank_ms in seats[dealer].questions]
    assert clocks[0] == (COVER_MS * 9 // 10, 0)
    assert set(clocks[1:]) == {(0, 60_000)}


def exchanging_match(able: bool, cover_ms: int = 0) -> MatchSpec:
    """The first match of koikoi45 without dealt hands in which nobody, or the seat that does not deal, can exchange."""
    for number in range(200_000):
        spec = replace(match(str(number), cover_ms=cover_ms), variant="koikoi45", options={})
        state = State.new(spec.variant, spec.options, spec.seed)
        asked = []
        while state.legal_texts()[0] == "pass":
            asked.append((state.current_player, state.observation(state.current_player).phase))
            state.apply(state.legal_actions()[0])
        if asked == ([(1 - state.dealer, "exchange")] if able else []):
            return spec
    raise AssertionError("no such seed")


class Exchanging(Listening):
    """Exchanges where it can."""

    async def think(self, question):
        await super().think(question)
        return question.legal[-1] if question.observation.phase == "exchange" else question.legal[0]


@pytest.mark.parametrize("kind", [Listening, Exchanging])
@pytest.mark.parametrize("able", [True, False])
async def test_with_cover_play_begins_when_every_seat_could_have_exchanged(able, kind):
    spec = exchanging_match(able, cover_ms=COVER_MS)
    dealer = State.new(spec.variant, spec.options, spec.seed).dealer
    seats = [kind(), kind()]
    began = time.monotonic()
    playing = asyncio.create_task(play(spec, seats))
    await asyncio.wait_for(seats[dealer].asked.wait(), 30)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert seats[dealer].times[0] - began >= 4 * COVER_MS / 1000
    if able:
        assert seats[1 - dealer].times[0] - began >= 2 * COVER_MS / 1000


def test_the_end_of_a_deal_that_runs_out_without_a_card_is_told_apart_from_the_deal():
    """In kyogi seats with dealt hands would have been asked between the two (kyogi R1)."""
    states = (State.new("kyogi", None, number) for number in range(2000))
    state = next(state for state in states if state.attempt > 0)
    for viewer in (0, 1, SPECTATOR):
        first, rest = portions(state, 0, viewer)[:2]
        assert [event.kind for event in first][-2:] == ["deal", "dealer"]
        assert rest[0].kind == "month_end"


class KeptJournal:
    """A journal in memory."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def write(self, entry: Entry) -> None:
        self.entries.append(entry)


@pytest.mark.parametrize("policy", list(Policy))
async def test_a_seat_that_does_not_answer_within_its_cover_has_passed_and_nobody_else_hears_of_it(policy):
    """Its cover is less time than the time control gives: that is no reason to forfeit, and a forfeit would tell."""
    heard = []
    for act in (never_answer, None):
        spec = match(seed_where(True, False), months=1, cover_ms=COVER_MS, policy=policy)
        dealer = State.new(spec.variant, spec.options, spec.seed).dealer
        seats = [Listening(), Listening()]
        seats[dealer].acts = {1: act} if act else {}
        journal = KeptJournal()
        result = await play(spec, seats, journal=journal)
        assert result.end is End.COMPLETED
        assert result.rejections[dealer] == (act is not None)
        heard.append(seats[1 - dealer].heard)
        if act:
            [(number, code, reason, _, default)] = seats[dealer].rejected
            assert (number, code, reason) == (1, None, Rejection.TOO_LATE)
            assert default == seats[dealer].questions[0][1][0], "the pass"
            referee = Referee(spec)
            for entry in journal.entries:
                referee.replay(entry, secret=entry is journal.entries[0])
            assert [seat.defaults for seat in referee.seats] == [0, 0], "the arena's own clock is no fault of the bot"
    assert heard[0] == heard[1]


@pytest.mark.parametrize("other_has", [True, False])
async def test_a_match_is_in_recess_while_it_waits_for_its_cover_even_after_a_seat_that_let_its_time_run_out(other_has):
    """What follows the cover comes when that is over, not when the seat is found to have passed."""
    spec = match(seed_where(False, other_has), months=1, cover_ms=1_000)
    dealer = State.new(spec.variant, spec.options, spec.seed).dealer
    seats = [Listening(), Listening()]
    told: list[object] = []

    async def lets_it_pass(question):
        told.append("asked")
        await asyncio.Event().wait()

    if other_has:
        seats[1 - dealer].acts = {1: lets_it_pass}
    recess = Recess()
    with recess.notifying(told.append):
        await play(spec, seats, recess=recess)
    # Cards that are dealt anew, which all see, have their recess too.
    assert told[-5:] == [True, False, "asked", True, False] if other_has else set(told[::2]) == {True}
    assert told[-2:] == [True, False]
