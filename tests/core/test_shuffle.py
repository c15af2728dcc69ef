"""ChaCha20 against RFC 8439, and shuffles against a plain second way to make them and frozen vectors."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core_ext import parse_seed
from core_ext.cards import cards_text
from core_ext.errors import SeedError
from core_ext.shuffle import deck, keystream

VECTORS = json.loads((Path(__file__).parent.parent / "golden" / "shuffles.json").read_text())

# A seed, month and attempt whose shuffle meets a word that must be passed over (about one deck in 7.6 million does).
PASSED_OVER = ("hanafuda", 1, 14112787)


def block(key: str, nonce: str, counter: int) -> str:
    """The keystream block of an RFC 8439 vector; the nonce is month, attempt and purpose, each little-endian."""
    words = bytes.fromhex(nonce)
    month, attempt, purpose = (int.from_bytes(words[i : i + 4], "little") for i in (0, 4, 8))
    return keystream(bytes.fromhex(key), month, attempt, purpose, 64 * (counter + 1))[64 * counter :].hex()


def test_the_block_of_rfc_8439_section_2_3_2():
    key = bytes(range(32)).hex()
    assert block(key, "000000090000004a00000000", 1) == (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


def test_the_encryption_of_rfc_8439_section_2_4_2():
    plain = (
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
        b"sunscreen would be it."
    )
    key = bytes(range(32)).hex()
    stream = bytes.fromhex(block(key, "000000000000004a00000000", 1) + block(key, "000000000000004a00000000", 2))
    assert bytes(a ^ b for a, b in zip(plain, stream, strict=False)).hex() == (
        "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b357"
        "1639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
        "5af90bbf74a35be6b40b8eedf2785e42874d"
    )


@pytest.mark.parametrize(
    ("key", "nonce", "counter", "expected"),
    [
        (
            "00" * 32,
            "00" * 12,
            0,
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
        ),
        (
            "00" * 32,
            "00" * 12,
            1,
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
        ),
        (
            "00" * 31 + "01",
            "00" * 12,
            1,
            "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
            "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
        ),
        (
            "00ff" + "00" * 30,
            "00" * 12,
            2,
            "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
            "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
        ),
        (
            "00" * 32,
            "00" * 11 + "02",
            0,
            "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
            "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
        ),
    ],
)
def test_the_keystreams_of_rfc_8439_appendix_a_1(key, nonce, counter, expected):
    assert block(key, nonce, counter) == expected


def plain_deck(seed: str, month: int, attempt: int, cards: int) -> tuple[list[int], int]:
    """The shuffle as the rules say it, from the keystream alone; and how many words it passed over."""
    stream = keystream(seed, month, attempt, 0, 4 * 64)
    words = iter(int.from_bytes(stream[i : i + 4], "little") for i in range(0, len(stream), 4))
    passed_over = 0
    order = list(range(cards))
    for i in range(cards - 1):
        n = cards - i
        word = next(words)
        while word >= 2**32 - 2**32 % n:
            passed_over += 1
            word = next(words)
        j = i + word % n
        order[i], order[j] = order[j], order[i]
    return order, passed_over


@given(st.text(min_size=1), st.integers(0, 48), st.integers(0, 30), st.sampled_from([45, 48]))
def test_a_deck_is_the_rules_shuffle_of_the_keystream(seed, month, attempt, cards):
    assert list(deck(seed, month, attempt, cards)) == plain_deck(seed, month, attempt, cards)[0]


def test_a_word_that_would_favour_some_cards_is_passed_over():
    order, passed_over = plain_deck(*PASSED_OVER, 48)
    assert passed_over == 1
    assert list(deck(*PASSED_OVER)) == order


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"{vector['seed']}-{vector['month']}-{vector['attempt']}"
)
def test_frozen_shuffles_do_not_change(vector):
    assert parse_seed(vector["seed"]).hex() == vector["key"]
    order = deck(vector["seed"], vector["month"], vector["attempt"], vector["cards"])
    assert cards_text(order) == vector["deck"]


def test_a_text_seed_is_hashed_and_64_hex_digits_are_the_seed_itself():
    assert parse_seed("7") == hashlib.sha256(b"hanafuda-arena/seed/1:7").digest() == parse_seed(7)
    assert parse_seed("Ab" * 32) == bytes([0xAB] * 32) == parse_seed(bytes([0xAB] * 32))
    assert parse_seed("ab" * 31) != bytes([0xAB] * 31)


@pytest.mark.parametrize(
    "seed",
    [
        "",
        b"",
        b"short",
        None,
        True,
        1.5,
        pytest.param("\ud800", id="half a pair"),
        pytest.param(10**5000, id="a number of 5,001 digits"),
    ],
)
def test_an_empty_or_malformed_seed_is_refused(seed):
    with pytest.raises(SeedError):
        parse_seed(seed)


@pytest.mark.parametrize("cards", [0, 49])
def test_a_deck_of_an_impossible_size_is_refused(cards):
    with pytest.raises(ValueError, match="a deck has 1 to 48 cards"):
        deck(1, 1, 0, cards)
