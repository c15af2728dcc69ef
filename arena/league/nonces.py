"""Entrants' nonces: numbers to which bots commit before anybody reveals one, so that nobody can choose by the last."""

import hashlib
from collections.abc import Mapping

from arena.league.errors import NonceError

NONCE_BYTES = 32
_COMMITMENT = "hanafuda-arena/nonce/1"


def parse_nonce(text: str) -> str:
    """A nonce, 32 bytes, in lower-case hex; NonceError. A shorter one could be found by trying."""
    return _parsed("a nonce", text)


def parse_commitment(text: str) -> str:
    """A commitment, a SHA-256, in lower-case hex; NonceError."""
    return _parsed("the commitment to a nonce", text)


def nonce_commitment(league: str, bot: str, nonce: str) -> str:
    """What a bot publishes of its nonce when it enters: the SHA-256 in hex of a text of four lines.

    League and bot, by its name in the tables, are among them: a commitment that another bot copies is worth nothing.
    """
    return hashlib.sha256("\n".join((_COMMITMENT, league, bot, nonce)).encode()).hexdigest()


def commitments_digest(commitments: Mapping[str, str]) -> str:
    """SHA-256 in hex of all commitments of a league: of the lines `NAME:COMMITMENT`, in the order of the names."""
    return hashlib.sha256("\n".join(f"{name}:{commitments[name]}" for name in sorted(commitments)).encode()).hexdigest()


def check_nonces(league: str, commitments: Mapping[str, str], nonces: Mapping[str, str]) -> None:
    """Check that every nonce that was committed to is revealed, and is that one; NonceError names who is at fault."""
    for bot, commitment in sorted(commitments.items()):
        if bot not in nonces:
            raise NonceError(f"{bot} has committed to a nonce and not revealed it")
        if nonce_commitment(league, bot, nonces[bot]) != commitment:
            raise NonceError(f"the nonce of {bot} is not the one that it committed to")


def _parsed(what: str, text: str) -> str:
    if len(text) != 2 * NONCE_BYTES or not all(digit in "0123456789abcdefABCDEF" for digit in text):
        raise NonceError(f"{what} is exactly {2 * NONCE_BYTES} hex digits")
    return text.lower()
