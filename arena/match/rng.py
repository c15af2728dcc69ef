"""A seat's own random numbers: the same in every play of a match."""

import hashlib


class SeatRng:
    """The numbers of one seat of one match.

    The number of a seat's n-th question (n from 1) is the first 8 bytes, big-endian, of the SHA-256 of the text
    `hanafuda-arena/random/1:SEED:SEAT:SALT:N`, the seed in 64 hex digits, seat and N in decimal. The salt is empty but
    where one seat of one board is played several times, by bots that should not roll alike. The number follows one-way
    from the seed: who knows all of a seat's numbers knows nothing of the cards.
    """

    __slots__ = ("_begun",)

    def __init__(self, seed: bytes, seat: int, salt: str = "") -> None:
        # Hashed once, as it is the same for every number.
        self._begun = hashlib.sha256(f"hanafuda-arena/random/1:{seed.hex()}:{seat}:{salt}:".encode())

    def roll(self, number: int) -> int:
        """Return the number of the seat's question `number`, 64 bits."""
        text = self._begun.copy()
        text.update(b"%d" % number)
        return int.from_bytes(text.digest()[:8])
