"""Boards: the seats they are played in, and seeds that nobody can know or choose."""

import hashlib
import hmac
from collections.abc import Mapping

from arena.league.errors import BoardError

SECRET_BYTES = 32
_BOARD_LABEL = "hanafuda-arena/board/1"


def parse_secret(text: str) -> bytes:
    """The 32 bytes of a league secret from its 64 hex digits; BoardError otherwise."""
    if len(text) != 2 * SECRET_BYTES or not all(digit in "0123456789abcdefABCDEF" for digit in text):
        raise BoardError(f"a secret is exactly {2 * SECRET_BYTES} hex digits")
    return bytes.fromhex(text)


def commitment(secret: bytes) -> str:
    """SHA-256 of the secret in hex: published before entries open, proved when the secret is published."""
    return hashlib.sha256(_checked(secret)).hexdigest()


def entropy(nonces: Mapping[str, str]) -> str:
    """SHA-256 in hex of the entrants' nonces, fixed when the league starts.

    The hashed text is the UTF-8 lines `NAME:NONCE`, one for each entrant that gave a nonce, in the order of the
    names' code points, joined by a line feed; without nonces it is the empty text. Names and nonces hold no line
    feed and names no colon, so different nonces never give the same text.
    """
    for name, nonce in nonces.items():
        if ":" in name or "\n" in name or "\n" in nonce:
            raise BoardError(f"a nonce is one line, and the name of its bot holds no colon: {name!r}")
    text = "\n".join(f"{name}:{nonces[name]}" for name in sorted(nonces))
    return hashlib.sha256(text.encode()).hexdigest()


def board_seed(secret: bytes, league: str, variant: str, round_number: int, board: int, entropy_hex: str) -> bytes:
    """The 32-byte match seed of a board; rounds and boards count from 1.

    HMAC-SHA256 with the league secret as key over the UTF-8 lines `hanafuda-arena/board/1`, league name, variant,
    round, board, entropy, joined by a line feed, numbers in decimal.
    """
    if round_number < 1 or board < 1:
        raise BoardError(f"rounds and boards count from 1, not {round_number} and {board}")
    lines = (_BOARD_LABEL, league, variant, str(round_number), str(board), entropy_hex)
    if any("\n" in line for line in lines):
        raise BoardError("no part of a board's name may hold a line feed")
    return hmac.digest(_checked(secret), "\n".join(lines).encode(), "sha256")


def board_set(bots: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The seatings that one board is played in: every rotation, so that each bot sits in each seat once."""
    if not 2 <= len(bots) <= 4 or len(set(bots)) != len(bots):
        raise BoardError(f"a board is played by two to four different bots, not {bots}")
    return tuple(bots[turn:] + bots[:turn] for turn in range(len(bots)))


def _checked(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise BoardError(f"a secret is {SECRET_BYTES} bytes, not {len(secret)}")
    return secret
