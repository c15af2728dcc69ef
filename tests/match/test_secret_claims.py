"""Claims on a discard, asked in secret (sangohana): what others hear, and when."""

import time
from collections.abc import Iterator

import pytest
from seats_in_tests import LONG, FirstSeat

from arena import wire
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.match.seat import SeatFailure
from core_ext import ALL, SPECTATOR, State, parse_seed

COVER_MS = 15
SEATS = 3


class Patient(FirstSeat):
    """Draws, never wins, discards the first card; keeps every byte that it would be sent, and when."""

    wants_updates = True

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[bytes] = []
        self.times: list[tuple[float, str]] = []
        self.claims = 0

    async def think(self, question):
        if question.state.month > 1:
            raise SeatFailure(End.BOT_ERROR, "the first month is over")
        decision = wire.decision_to_wire(question)
        decision.observation.options.clear()
        texts = question.texts
        self.times.append((time.monotonic(), texts[0]))
        if texts[0] == "pass":
            self.claims += 1
            return question.legal[0]
        self.heard.append(decision.SerializeToString(deterministic=True))
        return next(code for code, text in zip(question.legal, texts, strict=True) if text != "win")

    async def update(self, events):
        self.heard.append(wire.match_update("m", events).SerializeToString())
        self.times.append((time.monotonic(), events[-1].kind))


def match(seed: str, cover_ms: int = 0, **options: object) -> MatchSpec:
    return MatchSpec(
        "m", "sangohana", parse_seed(seed), ("ann", "bo", "cy"), options=options, time=LONG, cover_ms=cover_ms
    )


STRICT = {"strict_pairs": True, "strict_three": True}


def patient(state: State) -> None:
    state.apply(state.parse_action(next(text for text in state.legal_texts() if text != "win")))


def chances(spec: MatchSpec) -> Iterator[tuple[int, str, bool]]:
    """Who could win in the first month where all are patient: seat, `pass` for a claim, whether the stock is empty."""
    state = State.new(spec.variant, spec.options, spec.seed, SEATS)
    while state.month == 1:
        legal = state.legal_texts()
        if "win" in legal:
            stock = next(zone.count for zone in state.spectate().zones if zone.kind == "stock")
            yield state.current_player, legal[0], stock == 0
        patient(state)


def seed_where(last: bool) -> tuple[str, int]:
    """A seed with one chance to win in month 1, a claim, on its last discard or not, and none under strict rules."""
    for number in range(200_000):
        found = list(chances(match(str(number))))
        if [chance[1:] for chance in found] == [("pass", last)] and not list(chances(match(str(number), **STRICT))):
            return str(number), found[0][0]
    raise AssertionError("no such seed")


@pytest.mark.parametrize("last", [False, True], ids=["in the month", "on the month's last discard"])
async def test_nobody_hears_that_another_seat_was_asked_for_a_claim(last):
    """The same month with a claim and, under other options, without it."""
    seed, claimant = seed_where(last)
    heard, public, counts = [], [], []
    for options in ({}, STRICT):
        seats = [Patient() for _ in range(SEATS)]
        seen: list[tuple] = []
        await play(match(seed, **options), seats, spectator=seen.append)
        counts.append(seats[claimant].claims)
        heard.append([seat.heard for number, seat in enumerate(seats) if number != claimant])
        public.append(seen)
    assert counts == [1, 0]
    assert heard[0] == heard[1]
    assert public[0] == public[1]


async def test_with_cover_a_turn_begins_when_every_other_seat_could_have_been_asked():
    seed, claimant = seed_where(False)
    seats = [Patient() for _ in range(SEATS)]
    await play(match(seed, cover_ms=COVER_MS), seats)
    happened = sorted(moment for seat in seats for moment in seat.times)
    discards = [at for at, kind in happened if kind == "discard"][::SEATS]
    draws = sorted(at for seat in seats for at, kind in seat.times if kind == "draw")
    assert seats[claimant].claims == 1
    for discarded, drawn in zip(discards, draws[1:], strict=False):
        assert drawn - discarded >= (SEATS - 1) * COVER_MS / 1000 - 0.002


async def test_with_cover_a_claim_is_asked_in_the_slot_of_its_seat():
    seed, claimant = seed_where(False)
    seats = [Patient() for _ in range(SEATS)]
    await play(match(seed, cover_ms=COVER_MS), seats)
    asked = next(at for at, kind in seats[claimant].times if kind == "pass")
    discarded = max(at for at, kind in seats[claimant].times if kind == "discard" and at < asked)
    state = State.new("sangohana", None, parse_seed(seed), SEATS)
    while state.legal_texts()[0] != "pass":
        patient(state)
    slot = (claimant - state.spectate().turn) % SEATS
    assert asked - discarded >= slot * COVER_MS / 1000 - 0.002


@pytest.mark.parametrize("last", [True, False], ids=["claimed", "unclaimed"])
async def test_with_cover_a_months_end_is_told_when_its_last_discard_could_have_been_claimed(last):
    seed, claimant = seed_where(last)
    seats = [Patient() for _ in range(SEATS)]
    told: list[tuple[float, str]] = []
    await play(
        match(seed, cover_ms=COVER_MS),
        seats,
        spectator=lambda events: told.append((time.monotonic(), events[0].kind)),
    )
    assert seats[claimant].claims == 1
    ended = next(number for number, (_, kind) in enumerate(told) if kind == "pay")
    assert told[ended - 1][1] == "discard"
    assert told[ended][0] - told[ended - 1][0] >= (SEATS - 1) * COVER_MS / 1000 - 0.002


async def test_a_spectator_is_told_of_no_claim():
    seed, _ = seed_where(False)
    state = State.new("sangohana", None, parse_seed(seed), SEATS)
    while state.month == 1:
        patient(state)
    assert "pass" in [event.kind for event in state.events(ALL)]
    assert "pass" not in [event.kind for event in state.events(SPECTATOR)]
