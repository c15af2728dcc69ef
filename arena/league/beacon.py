"""Public randomness: rounds of drand's quicknet, which nobody can know beforehand, checked without a network.

Quicknet (https://docs.drand.love) signs the number of a round every three seconds: a BLS signature of several dozen
organisations, of which more than half would have to work together to know it before its time. A round has one valid
signature, so whoever brings it has no choice.
"""

import hashlib
import sys
from datetime import UTC, datetime

import msgspec

from arena.league.errors import BeaconError

NETWORK = "quicknet"
CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""What drand's servers call the network."""
SIGNATURE_BYTES = 48

_PUBLIC_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
    "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
    "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
_GENESIS = 1_692_803_367  # of round 1, in seconds since 1970
_PERIOD = 3
_TAG = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_LABEL = "hanafuda-arena/beacon/1"


class _Document(msgspec.Struct):
    """What drand's servers give of a round."""

    round: int
    signature: str


def time_of(round_number: int) -> int:
    """When a round is published, in seconds since 1970."""
    return _GENESIS + (round_number - 1) * _PERIOD


def round_at(time: int) -> int:
    """The first round that is published at a time, in seconds since 1970, or after it."""
    return max(1, -((_GENESIS - time) // _PERIOD) + 1)


def described(round_number: int) -> str:
    """A round, in words, with its time."""
    return (
        f"round {round_number} of drand's {NETWORK}, of {datetime.fromtimestamp(time_of(round_number), UTC):%F %T} UTC"
    )


def address(round_number: int) -> str:
    """Where a round can be had from once it is published."""
    return f"https://api.drand.sh/{CHAIN}/public/{round_number}"


def parse_signature(text: str, round_number: int) -> str:
    """A round's signature in lower-case hex, of itself or of the JSON that drand's servers give; BeaconError.

    Whether it is valid says `check_signature`.
    """
    text = text.strip()
    if text.startswith("{"):
        try:
            document = msgspec.json.decode(text, type=_Document)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BeaconError(f"this is not the JSON of a round: {error}") from error
        if document.round != round_number:
            raise BeaconError(f"this is round {document.round}, the league has named {round_number}")
        text = document.signature
    if len(text) != 2 * SIGNATURE_BYTES or not _is_hex(text):
        raise BeaconError(f"a round's signature is {2 * SIGNATURE_BYTES} hex digits, or the JSON that holds it")
    return text.lower()


def check_signature(round_number: int, signature: str) -> None:
    """Check that a signature in hex is the one of a round of quicknet; takes a second or two. BeaconError.

    Also raised, with what to do, where the library for it is not installed.
    """
    limit = sys.getrecursionlimit()
    try:
        from py_ecc.bls.hash_to_curve import hash_to_G1
        from py_ecc.bls.point_compression import compress_G1, decompress_G1, decompress_G2
        from py_ecc.optimized_bls12_381 import FQ12, G2, curve_order, final_exponentiate, is_inf, multiply, neg, pairing
    except ImportError as error:
        install = "pip install 'hanafuda-arena[beacon]'"
        raise BeaconError(f"signatures of drand cannot be checked here; install what checks them: {install}") from error
    finally:
        sys.setrecursionlimit(limit)  # py_ecc raises it so far that a deep document would end the process
    number = int(parse_signature(signature, round_number), 16)
    try:
        point = decompress_G1(number)
    except ValueError as error:
        raise BeaconError(f"the signature is no point of the curve: {error}") from error
    # A point outside the group of prime order would give valid signatures to choose from.
    if is_inf(point) or not is_inf(multiply(point, curve_order)) or compress_G1(point) != number:
        raise BeaconError("the signature is no point of the group that quicknet signs in")
    key = decompress_G2((int.from_bytes(_PUBLIC_KEY[:48], "big"), int.from_bytes(_PUBLIC_KEY[48:], "big")))
    message = hash_to_G1(hashlib.sha256(round_number.to_bytes(8, "big")).digest(), _TAG, hashlib.sha256)
    product = pairing(G2, point, final_exponentiate=False) * pairing(neg(key), message, final_exponentiate=False)
    if final_exponentiate(product) != FQ12.one():
        raise BeaconError(f"this is not the signature of {described(round_number)}")


def entropy_of(round_number: int, signature: str) -> str:
    """What a round adds to a league's seeds: the SHA-256 in hex of four lines, the last being its signature in hex."""
    text = "\n".join((_LABEL, NETWORK, str(round_number), signature))
    return hashlib.sha256(text.encode()).hexdigest()


def _is_hex(text: str) -> bool:
    return all(digit in "0123456789abcdefABCDEF" for digit in text)
