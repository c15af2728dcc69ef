"""Choices packed by the numbers of legal actions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core_ext import VARIANTS, State, errors


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 2**32),
    st.integers(0, 260).flatmap(lambda size: st.lists(st.integers(0, 63), min_size=size, max_size=size)),
    st.sampled_from(VARIANTS),
)
def test_packed_choices_come_back_and_lead_to_the_same_point(seed, numbers, variant):
    state = State.new(variant, None, seed)
    start, plain = state.clone(), state.clone()
    indexes = bytearray()
    for number in numbers:
        if state.is_over:
            break
        indexes.append(number % len(state.legal_actions()))
        state.apply(state.legal_actions()[indexes[-1]])
    packed, running_hash = plain.pack_choices(bytes(indexes))
    assert start.apply_packed(packed, len(indexes)) == (indexes, running_hash)
    assert start.actions() == plain.actions() == state.actions()


def bases(state, numbers):
    """How many legal actions there are at each choice."""
    found = []
    for number in numbers:
        found.append(len(state.legal_actions()))
        state.apply(state.legal_actions()[number])
    return found


def test_choices_are_packed_as_digits_of_64_bit_numbers_as_it_is_written():
    indexes = [0, 1] * 20
    counts = bases(State.new("sangohana", None, 9), indexes)
    expected, value, product = b"", 0, 1
    for index, count in zip(indexes, counts, strict=True):
        if product * count >= 2**64:
            expected += value.to_bytes(8, "little")
            value, product = 0, 1
        value += index * product
        product *= count
    expected += value.to_bytes(((product - 1).bit_length() + 7) // 8, "little")
    assert 8 < len(expected) < 16
    assert State.new("sangohana", None, 9).pack_choices(bytes(indexes))[0] == expected


def test_forced_choices_take_no_room():
    state = State.from_deck("sangohana", None, range(48))
    assert len(state.legal_actions()) == 1
    assert state.pack_choices(b"\0")[0] == b""


@pytest.mark.parametrize("packed", [b"", b"\xff", b"\0\0", b"\0" * 8, b"\0" * 9])
def test_bytes_that_no_choices_are_packed_as_are_refused(packed):
    state = State.new("sangohana", None, 9)
    assert len(state.legal_actions()) == 1
    with pytest.raises(errors.PackedChoicesError, match=f"the {len(packed)} bytes given are not what their 2 choices"):
        state.apply_packed(packed, 2)


def test_more_than_was_packed_is_refused():
    indexes = bytes(40)
    packed, _ = State.new("sangohana", None, 9).pack_choices(indexes)
    assert 8 < len(packed) < 16
    long = packed[:8] + packed[8:].ljust(8, b"\0")
    for wrong in (packed[:5], packed[:8], packed + bytes(8), long, long + b"\0"):
        with pytest.raises(errors.PackedChoicesError):
            State.new("sangohana", None, 9).apply_packed(wrong, 40)


def test_choices_packed_after_the_end_and_illegal_ones_are_refused():
    state = State.new("koikoi", {"months": 1, "teshi": False}, 9)
    with pytest.raises(errors.IllegalActionError):
        state.clone().pack_choices(b"\xff")
    with pytest.raises(errors.MatchOverError, match="after 16 choices"):
        state.apply_packed(bytes(99), 1000)


def test_the_running_hash_is_over_the_rules_the_seed_and_every_choice():
    def hashed(
        indexes: bytes, variant: str = "sangohana", options: dict[str, object] | None = None, seed: int = 9
    ) -> str:
        return State.new(variant, options, seed).pack_choices(indexes)[1]

    found = [
        hashed(b""),
        hashed(b"\0"),
        hashed(b"\0\0"),
        hashed(b"\0\1"),
        hashed(b"\0\0", seed=10),
        hashed(b"\0\0", options={"strict_pairs": True}),
        hashed(b"\0\0", "koikoi"),
    ]
    assert len(set(found)) == len(found)
    assert all(len(bytes.fromhex(text)) == 32 for text in found)
    assert hashed(b"\0\1") == found[3]
