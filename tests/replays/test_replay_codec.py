"""The bytes of a replay: what is written comes back, and nothing else is taken for it."""

import random
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay_cases import played, random_record, record_of

from arena.match.model import End, Policy, TimeControl
from arena.replays import (
    AlteredReplayError,
    ForeignReplayError,
    MalformedReplayError,
    ReplayError,
    ReplayRecord,
    TruncatedReplayError,
    UnknownVersionError,
    decode,
    encode,
)
from core_ext import ALL, VARIANTS, State, variant_info
from hanafuda.arena.v1 import replay_pb2

RECORD = random_record("codec", options={"months": 2})
DATA = encode(RECORD)
TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs")))
INT64 = st.integers(-(2**63), 2**63 - 1)


@st.composite
def records(draw: st.DrawFn) -> ReplayRecord:
    seats = draw(st.integers(2, 4))
    decisions = draw(st.integers(0, 300))
    clock = draw(st.booleans())
    texts = st.lists(TEXTS, min_size=seats, max_size=seats).map(tuple)
    kept = texts.map(lambda found: found if any(found) else ())
    return ReplayRecord(
        match_id=draw(TEXTS),
        variant="koikoi",
        rules_version=draw(st.integers(0, 2**32 - 1)),
        options=draw(st.dictionaries(st.sampled_from(["months", "target", "sanko"]), st.integers(13, 99))),
        names=draw(texts),
        versions=draw(texts),
        seed=draw(st.binary(min_size=32, max_size=32)),
        packed=draw(st.binary(max_size=300)),
        decisions=decisions,
        clock_ms=tuple(draw(st.integers(0, 2**32 - 1)) for _ in range(decisions)) if clock else (),
        end=draw(st.sampled_from(End)),
        offender=draw(st.integers(-1, seats - 1)),
        results=draw(st.lists(INT64, min_size=seats, max_size=seats).map(tuple)),
        running_hash=draw(st.binary(min_size=32, max_size=32)).hex(),
        house_bots=draw(kept),
        salts=draw(kept),
        time=draw(st.none() | st.builds(TimeControl, st.integers(1, 3_600_000), st.integers(0, 3_600_000))),
        policy=draw(st.sampled_from(Policy)),
    )


@given(records())
def test_every_record_comes_back_as_it_was(record):
    assert decode(encode(record)) == record


@given(records())
def test_a_record_is_always_written_with_the_same_bytes(record):
    assert encode(decode(encode(record))) == encode(record)


def test_every_flipped_bit_is_refused():
    for place in range(len(DATA)):
        for bit in range(8):
            flipped = bytearray(DATA)
            flipped[place] ^= 1 << bit
            with pytest.raises(ReplayError):
                decode(bytes(flipped))


def test_a_flipped_byte_inside_is_called_an_alteration():
    flipped = bytearray(DATA)
    flipped[len(DATA) // 2] ^= 0xFF
    with pytest.raises(AlteredReplayError, match="altered"):
        decode(bytes(flipped))


def test_a_truncated_replay_is_refused_by_name():
    for length in range(len(DATA)):
        with pytest.raises(TruncatedReplayError, match=r"cut off|empty"):
            decode(DATA[:length])


@pytest.mark.parametrize("tail", [b"\n", b"\x00", DATA, b"\x1a\x01x"])
def test_bytes_after_the_end_are_refused(tail):
    with pytest.raises(ReplayError):
        decode(DATA + tail)


@pytest.mark.parametrize("other", [b"PK\x03\x04", b'{"format": "hanafuda-transcript/1"}', b"\x00" * 64, b"GIF89a"])
def test_a_file_of_another_kind_is_called_foreign(other):
    with pytest.raises(ForeignReplayError, match="not a replay"):
        decode(other)


@given(st.binary(max_size=200))
def test_no_chance_bytes_are_a_replay(data):
    with pytest.raises(ReplayError):
        decode(data)


def signed(**changes: object) -> bytes:
    """A replay with a good digest whose body says something else."""
    body = replay_pb2.ReplayBody.FromString(replay_pb2.Replay.FromString(DATA).body)
    for name, value in changes.items():
        body.ClearField(name)
        body.MergeFrom(replay_pb2.ReplayBody(**{name: value}))
    raw = body.SerializeToString()
    return replay_pb2.Replay(body=raw, sha256=sha256(raw).digest()).SerializeToString()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"end": 0}, "names an end"),
        ({"end": 99}, "names an end"),
        ({"seed": b"short"}, "seed has 5 bytes"),
        ({"running_hash": b"short"}, "hash has 5 bytes"),
        ({"seats": []}, "has 0 seats"),
        ({"results": [1]}, "1 results"),
        ({"offender": 2}, "the offender 2"),
        ({"offender": -2}, "the offender -2"),
        ({"clock_ms": [1, 2]}, "2 clock readings"),
        ({"options": {"months": "twelve"}}, "option months"),
        ({"per_decision_ms": 4_000_000}, "a time control gives at most"),
    ],
)
def test_a_replay_of_no_possible_match_says_what_is_wrong(changes, why):
    with pytest.raises(MalformedReplayError, match=why):
        decode(signed(**changes))


@pytest.mark.parametrize(("format_", "needed"), [(0, 1), (3, 3)])
def test_a_replay_of_another_format_is_refused_with_the_format_that_it_needs(format_, needed):
    with pytest.raises(UnknownVersionError, match=f"needs a program that reads format {needed}"):
        decode(signed(format=format_))


@pytest.mark.parametrize(
    "named",
    [
        {"match_id": "\x1b]0;mine\x07"},
        {"names": ("\x9b31m", "greedy")},
        {"versions": ("", "a\nb")},
        {"house_bots": ("\x1b[2J", "")},
    ],
)
def test_a_strangers_replay_whose_names_would_steer_a_terminal_is_refused(named):
    with pytest.raises(MalformedReplayError, match="a name with control characters: ") as caught:
        decode(encode(msgspec.structs.replace(RECORD, **named)))
    assert str(caught.value).isprintable()


def test_a_signed_body_of_something_else_is_called_foreign():
    raw = b"\xff\xff\xff not protobuf"
    with pytest.raises(ForeignReplayError):
        decode(replay_pb2.Replay(body=raw, sha256=sha256(raw).digest()).SerializeToString())


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_replay_of_twelve_deals_takes_a_kibibyte_at_most_and_half_as_much_again_with_three_seats(variant):
    most = 1_024 if variant_info(variant).seats[2] == 2 else 1_536
    for number in range(200):
        record = random_record(f"size/{number}", variant)
        deals = sum(event.kind == "month_end" for event in played(record).events(ALL))
        assert len(encode(record)) <= most + 64 * max(0, deals - 12)


@pytest.mark.parametrize(
    ("variant", "patience", "least"), [("sangohana", {"take", "pass"}, 12 * 2 * 195), ("kyogi", {"koi", "pass"}, 2_000)]
)
def test_even_months_that_only_a_safeguard_ends_make_a_small_replay(variant, patience, least):
    rng = random.Random(1)
    state = State.new(variant, seed="longest")
    choices = bytearray()
    while not state.is_over:
        texts = state.legal_texts()
        patient = patience.intersection(texts) or set(texts) - {"win"}
        choices.append(texts.index(rng.choice(sorted(patient))))
        state.apply(state.legal_actions()[choices[-1]])
    deals = sum(event.kind == "month_end" for event in state.events(ALL))
    assert len(choices) > least
    most = 1_536 if state.seats == 3 else 1_024 + 64 * (deals - 12)
    assert len(encode(record_of(state, {}, bytes(choices), "longest"))) <= most


def test_options_at_their_defaults_take_no_room():
    written_out = msgspec.structs.replace(RECORD, options={"months": 2, "teshi": True, "points.goko": 15})
    assert encode(written_out) == DATA
