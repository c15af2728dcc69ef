"""The seats' own numbers."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st
from seats_in_tests import FirstSeat, match

from arena.match.play import play
from arena.match.rng import SeatRng

ZERO_SEED_FIRST_ROLL = 0xF399BF47481FA862


@given(st.binary(min_size=32, max_size=32), st.integers(0, 3), st.text(), st.integers(1, 2**31 - 1))
def test_the_numbers_follow_from_seed_seat_and_question_as_documented(seed, seat, salt, number):
    assert SeatRng(seed, seat, salt).roll(number) == as_documented(seed, seat, salt, number)


def test_the_numbers_are_as_documented_wherever_the_text_ends_in_its_block():
    for length in range(130):
        assert SeatRng(bytes(32), 0, "x" * length).roll(1) == as_documented(bytes(32), 0, "x" * length, 1)
    assert SeatRng(bytes(32), 0).roll(1) == ZERO_SEED_FIRST_ROLL


def as_documented(seed, seat, salt, number):
    text = f"hanafuda-arena/random/1:{seed.hex()}:{seat}:{salt}:{number}"
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


async def test_every_play_of_a_match_rolls_the_same_numbers():
    spec = match()
    rolls = []
    for _ in range(2):
        seats = [FirstSeat(), FirstSeat()]
        await play(spec, seats)
        rolls.append([[random for _, _, random, _, _ in seat.questions] for seat in seats])
    assert rolls[0] == rolls[1]
    assert rolls[0] == [
        [SeatRng(spec.seed, seat).roll(number) for number in range(1, len(numbers) + 1)]
        for seat, numbers in enumerate(rolls[0])
    ]
    assert len(set(rolls[0][0] + rolls[0][1])) == len(rolls[0][0]) + len(rolls[0][1])
