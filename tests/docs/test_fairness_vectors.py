"""The vectors in docs/fairness.md, recomputed from its own words: SHA-256, ChaCha20, the shuffle that it prints."""

import hashlib
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from core_ext.cards import parse_card
from core_ext.shuffle import deck, keystream, parse_seed

DOCUMENT = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text("utf-8")


class Vector(NamedTuple):
    text: str
    seed: str
    month: int
    attempt: int
    keystream: str
    deck: tuple[int, ...]


def vectors() -> list[Vector]:
    """Every vector of the document."""
    pattern = r"```\nseed text +(.+)\nseed +(\w+)\nmonth +(\d+) +attempt (\d+)\nkeystream +(\w+)\ndeck +([^`]+)```"
    return [
        Vector(text, seed, int(month), int(attempt), stream, tuple(parse_card(card) for card in cards.split()))
        for text, seed, month, attempt, stream, cards in re.findall(pattern, DOCUMENT)
    ]


def printed_shuffle() -> Callable[[Iterator[int], range], list[int]]:
    """The function `deck` as the document prints it."""
    [code] = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    names: dict[str, Callable[[Iterator[int], range], list[int]]] = {}
    exec(code, names)
    return names["deck"]


def words(seed: bytes, month: int, attempt: int) -> Iterator[int]:
    """The keystream's words by a ChaCha20 of its own, straight from RFC 8439, section 2.3."""

    def quarter(state: list[int], a: int, b: int, c: int, d: int) -> None:
        for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = (state[x] + state[y]) & 0xFFFFFFFF
            mixed = state[z] ^ state[x]
            state[z] = (mixed << turn | mixed >> (32 - turn)) & 0xFFFFFFFF

    block = 0
    while True:
        start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", seed), block, month, attempt, 0]
        state = list(start)
        for _ in range(10):
            for column in range(4):
                quarter(state, column, 4 + column, 8 + column, 12 + column)
            for diagonal in range(4):
                quarter(state, diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4, 12 + (diagonal + 3) % 4)
        yield from ((x + y) & 0xFFFFFFFF for x, y in zip(state, start, strict=True))
        block += 1


def test_the_document_has_vectors() -> None:
    assert len(vectors()) == 5
    assert {len(vector.deck) for vector in vectors()} == {48, 45}


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: f"{vector.text}-{vector.month}-{vector.attempt}")
def test_a_vector_follows_from_the_documents_words(vector: Vector) -> None:
    seed = hashlib.sha256(b"hanafuda-arena/seed/1:" + vector.text.encode()).digest()
    assert seed.hex() == vector.seed
    stream = words(seed, vector.month, vector.attempt)
    assert struct.pack("<4I", *(next(stream) for _ in range(4))).hex() == vector.keystream
    shuffled = printed_shuffle()(words(seed, vector.month, vector.attempt), range(len(vector.deck)))
    assert tuple(shuffled) == vector.deck


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: f"{vector.text}-{vector.month}-{vector.attempt}")
def test_the_core_deals_the_vectors(vector: Vector) -> None:
    assert parse_seed(vector.text).hex() == vector.seed
    assert keystream(vector.text, vector.month, vector.attempt, 0, 16).hex() == vector.keystream
    assert deck(vector.text, vector.month, vector.attempt, len(vector.deck)) == vector.deck
