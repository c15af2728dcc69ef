"""A replay is played again, and compared."""

import json
from collections.abc import Iterator

import pytest
import reference_koikoi
from msgspec.structs import replace
from replay_cases import GOLDEN, choices_of, first_choices, golden_records, played, random_record

from arena.match.model import End
from arena.replays import (
    MalformedReplayError,
    ReplayRecord,
    UnknownVersionError,
    decode,
    encode,
    transcript,
    verify,
)
from arena.replays.verify import start
from core_ext import VARIANTS
from core_ext.errors import CoreError

MAX_LEGAL = 40
RECORD = random_record("verify", options={"months": 3})


def forfeit(record: ReplayRecord, decisions: int, end: End) -> ReplayRecord:
    """The match as far as some decisions, and then the asked seat forfeits."""
    cut = first_choices(record, decisions)
    state = played(cut)
    return replace(
        cut,
        end=end,
        offender=-1 if end is End.ABANDONED else state.current_player,
        results=state.balances(),
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_match_that_was_played_verifies(variant):
    for number in range(20):
        record = random_record(f"true/{number}", variant)
        assert verify(record) == ()


@pytest.mark.parametrize("end", [End.ILLEGAL_ACTION, End.TIMEOUT, End.DISCONNECTED, End.BOT_ERROR, End.ABANDONED])
def test_a_match_that_was_not_played_out_verifies_as_it_stood(end):
    for decisions in (0, 1, RECORD.decisions // 2, RECORD.decisions - 1):
        assert verify(forfeit(RECORD, decisions, end)) == ()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"results": (RECORD.results[0] + 1, RECORD.results[1])}, "the results are"),
        ({"running_hash": "0" * 64}, "the hash over all positions is"),
        ({"end": End.TIMEOUT, "offender": 0}, "but after its last action the match is over"),
        ({"end": End.SAFEGUARD}, "but the match ends as completed"),
        ({"offender": 1}, "the seat that forfeited is 1"),
        ({"packed": first_choices(RECORD, 20).packed, "decisions": 20}, "the match is not over"),
        ({"decisions": RECORD.decisions - 9}, "its actions are not those of a legal match"),
        ({"decisions": RECORD.decisions + 1}, "its actions are not those of a legal match: the match is over"),
        ({"packed": RECORD.packed[:-1]}, "its actions are not those of a legal match"),
        ({"packed": RECORD.packed + b"\x00"}, "its actions are not those of a legal match"),
        ({"seed": bytes(32)}, "the hash over all positions is"),
        ({"options": {"months": 4}}, "the match is not over"),
    ],
)
def test_whatever_is_not_as_it_was_is_found_and_named(changes, why):
    found = verify(replace(RECORD, **changes))
    assert any(why in difference for difference in found)


def with_another_choice(record: ReplayRecord) -> Iterator[tuple[str, ReplayRecord]]:
    """The record with one choice changed, with the hash of its last position; the hash over all is not made anew."""
    choices = choices_of(record)
    for number, choice in enumerate(choices):
        for other in range(MAX_LEGAL):
            changed = choices[:number] + bytes([other]) + choices[number + 1 :]
            state = start(record)
            try:
                packed, _ = state.pack_choices(changed)
            except CoreError:
                continue
            if other != choice:
                yield state.state_hash(), replace(record, packed=packed)


@pytest.mark.parametrize("variant", ["koikoi", "sangohana"])
def test_a_changed_choice_is_found_even_where_the_match_ends_in_the_same_position(variant):
    record = random_record("changed", variant)
    last = played(record).state_hash()
    same = [changed for position, changed in with_another_choice(record) if position == last]
    assert same
    for changed in same:
        (difference,) = verify(changed)
        assert difference.startswith("the hash over all positions is")


def test_a_forfeit_by_the_wrong_seat_is_found():
    record = forfeit(RECORD, 5, End.TIMEOUT)
    found = verify(replace(record, offender=1 - record.offender))
    assert any("forfeited, but seat" in difference for difference in found)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"rules_version": 99}, "the replay needs version 99 of the rules of koikoi; this program plays version 1"),
        ({"variant": "poker"}, "which this program does not play"),
    ],
)
def test_rules_that_are_not_played_here_are_an_error_of_their_own(changes, why):
    with pytest.raises(UnknownVersionError, match=why):
        verify(replace(RECORD, **changes))


@pytest.mark.parametrize("changes", [{"options": {"wind": 1}}, {"names": ("a", "b", "c"), "versions": ("",) * 3}])
def test_a_match_that_cannot_begin_is_malformed(changes):
    with pytest.raises(MalformedReplayError):
        verify(replace(RECORD, **changes))


@pytest.mark.parametrize("legal", [False, True])
def test_a_transcript_follows_the_rules_as_they_are_written_a_second_time(legal):
    for number in range(10):
        written = json.loads(json.dumps(transcript(random_record(f"transcript/{number}"), legal=legal)))
        reference_koikoi.check(written)
        assert all(("legal" in action) == legal for month in written["months"] for action in month["actions"])


def test_the_golden_replays_are_what_is_written_today():
    expected = {name: encode(record) for name, record in golden_records().items()}
    assert {path.name: path.read_bytes() for path in GOLDEN.glob("*.hreplay")} == expected


def test_the_golden_replays_verify():
    records = [decode(path.read_bytes()) for path in sorted(GOLDEN.glob("*.hreplay"))]
    assert {record.variant for record in records} == set(VARIANTS)
    assert [verify(record) for record in records] == [()] * len(records)
