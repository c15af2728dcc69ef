"""The seats' own numbers."""

from hashlib import sha256

from seats_in_tests import FirstSeat, match

from arena.match.play import play
from arena.match.rng import SeatRng

ZERO_SEED_FIRST_ROLL = 0xF399BF47481FA862


def test_the_numbers_follow_from_seed_seat_and_question_as_documented():
    seed = bytes(range(32))
    for salt in ("", "table 3"):
        text = f"hanafuda-arena/random/1:{seed.hex()}:1:{salt}:12"
        assert SeatRng(seed, 1, salt).roll(12) == int.from_bytes(sha256(text.encode()).digest()[:8], "big")
    assert SeatRng(bytes(32), 0).roll(1) == ZERO_SEED_FIRST_ROLL


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
