"""drand's rounds: a signature is taken only if it is the one of the round that was named."""

import hashlib
import json

import pytest

from arena.league.beacon import address, check_signature, described, entropy_of, parse_signature, round_at, time_of
from arena.league.errors import BeaconError

# Round 1000 of quicknet, as drand's servers give it.
ROUND = 1_000
SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"


def test_the_signature_of_a_round_holds_for_that_round_alone() -> None:
    check_signature(ROUND, SIGNATURE)
    for other in (ROUND - 1, ROUND + 1, 1):
        with pytest.raises(BeaconError, match=f"this is not the signature of round {other} of drand's quicknet"):
            check_signature(other, SIGNATURE)


def test_what_is_not_the_one_signature_is_refused() -> None:
    """A point outside the group of prime order would verify too: whoever may add one could choose among signatures."""
    from py_ecc.bls.point_compression import compress_G1, decompress_G1
    from py_ecc.optimized_bls12_381 import add, curve_order, is_inf, multiply, neg

    signature = decompress_G1(int(SIGNATURE, 16))
    low_order = None
    for x in range(1, 50):  # a point of the curve whose order divides the cofactor
        try:
            point = decompress_G1((1 << 383) | x)
        except ValueError:
            continue
        low_order = multiply(point, curve_order)
        if not is_inf(low_order):
            break
    assert low_order is not None
    beside = f"{compress_G1(add(signature, low_order)):096x}"
    infinity = f"{0xC0 << 376:096x}"
    for wrong, reason in (
        (beside, "no point of the group"),
        (infinity, "no point of the group"),
        (f"{compress_G1(neg(signature)):096x}", "not the signature of round 1000"),
        ("00" * 48, "no point of the curve"),
        ("ff" * 48, "no point of the curve"),
    ):
        with pytest.raises(BeaconError, match=reason):
            check_signature(ROUND, wrong)


def test_a_signature_is_read_from_hex_and_from_what_the_servers_give() -> None:
    document = {"round": ROUND, "randomness": "fe29", "signature": SIGNATURE.upper()}
    assert parse_signature(json.dumps(document), ROUND) == SIGNATURE
    assert parse_signature(f" {SIGNATURE}\n", ROUND) == SIGNATURE
    for text, reason in (
        (json.dumps(document | {"round": 7}), "this is round 7, the league has named 1000"),
        (json.dumps({"round": ROUND}), "not the JSON of a round: .*signature"),
        (json.dumps({"round": ROUND, "signature": ["a"]}), "not the JSON"),
        ("{", "not the JSON"),
        ("[" * 100_000, "96 hex digits"),
        ('{"a":' * 100_000, "not the JSON"),
        ("", "96 hex digits"),
        (SIGNATURE[:-1] + "x", "96 hex digits"),
        (SIGNATURE[:-2], "96 hex digits"),
    ):
        with pytest.raises(BeaconError, match=reason):
            parse_signature(text, ROUND)


def test_rounds_have_their_times() -> None:
    assert described(ROUND) == "round 1000 of drand's quicknet, of 2023-08-23 15:59:24 UTC"
    assert address(ROUND).endswith("/public/1000")
    assert [round_at(time_of(ROUND) + seconds) for seconds in (-3, -2, 0, 1, 3)] == [999, 1000, 1000, 1001, 1001]
    assert round_at(0) == 1


def test_the_entropy_is_of_the_round_and_its_signature() -> None:
    text = f"hanafuda-arena/beacon/1\nquicknet\n1000\n{SIGNATURE}"
    assert entropy_of(ROUND, SIGNATURE) == hashlib.sha256(text.encode()).hexdigest()
