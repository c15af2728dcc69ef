"""Nonces: what is committed to, by whom and for which league, is what counts in the end."""

import hashlib

import pytest

from arena.league.errors import NonceError
from arena.league.nonces import check_nonces, commitments_digest, nonce_commitment, parse_commitment, parse_nonce

NONCE = bytes(range(32)).hex()


def test_a_commitment_is_the_sha256_of_the_documented_lines() -> None:
    lines = f"hanafuda-arena/nonce/1\nspring\nalice\n{NONCE}"
    assert nonce_commitment("spring", "alice", NONCE) == hashlib.sha256(lines.encode()).hexdigest()
    assert (
        nonce_commitment("spring", "alice", NONCE) == "dacac72314f54658894b55e6682e6e2368a8c0c0af91e18ae26b2a09e7f14eb8"
    )


def test_a_copied_commitment_is_worth_nothing() -> None:
    copied = {"alice": nonce_commitment("spring", "alice", NONCE), "bob": nonce_commitment("spring", "alice", NONCE)}
    with pytest.raises(NonceError, match="the nonce of bob is not the one that it committed to"):
        check_nonces("spring", copied, {"alice": NONCE, "bob": NONCE})
    with pytest.raises(NonceError, match="the nonce of alice is not"):
        check_nonces("autumn", {"alice": copied["alice"]}, {"alice": NONCE})


def test_a_nonce_that_is_withheld_is_named() -> None:
    committed = {name: nonce_commitment("spring", name, NONCE) for name in ("alice", "bob")}
    check_nonces("spring", committed, {"alice": NONCE, "bob": NONCE})
    with pytest.raises(NonceError, match="bob has committed to a nonce and not revealed it"):
        check_nonces("spring", committed, {"alice": NONCE})


@pytest.mark.parametrize("text", ["", "7", "0" * 63, "0" * 65, "0" * 63 + "x", "0" * 63 + "\n"])
def test_what_could_be_found_by_trying_is_no_nonce(text: str) -> None:
    with pytest.raises(NonceError, match="a nonce is exactly 64 hex digits"):
        parse_nonce(text)
    with pytest.raises(NonceError, match="the commitment to a nonce is exactly 64 hex digits"):
        parse_commitment(text)


def test_case_does_not_matter_where_a_nonce_is_read() -> None:
    assert parse_nonce(NONCE.upper()) == NONCE
    assert parse_commitment("AB" * 32) == "ab" * 32


def test_the_digest_of_all_commitments_is_of_their_lines_by_name() -> None:
    assert commitments_digest({"b": "2", "a": "1"}) == hashlib.sha256(b"a:1\nb:2").hexdigest()
