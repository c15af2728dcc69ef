"""Seeded lots, which break the last ties: the same on every machine and for every order of input."""

import hashlib

PAIR_BITS = 40


class Lots:
    """Lots drawn by SHA-256 from a seed text and the purpose of the lots, such as pairing a round."""

    def __init__(self, seed: str, *purpose: str) -> None:
        self._hash = hashlib.sha256("\n".join(("hanafuda-arena/lot/1", seed, *purpose, "")).encode())

    def of(self, name: str) -> bytes:
        """The lot of one name, 32 bytes; the smallest wins."""
        lot = self._hash.copy()
        lot.update(name.encode())
        return lot.digest()

    def of_pair(self, first: str, second: str) -> int:
        """The lot of two names in either order, an integer of `PAIR_BITS` bits."""
        low, high = (first, second) if first < second else (second, first)
        lot = self._hash.copy()
        lot.update(f"{low}\n{high}".encode())
        return int.from_bytes(lot.digest()[: PAIR_BITS // 8])
