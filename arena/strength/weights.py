"""Weights in files: a line of JSON that says what they are, and the numbers of the network after it."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.strength.errors import WeightsError
from arena.strength.network import LEAD_POINTS, MONTHS_LEFT, Network
from core_ext import State, variant_info
from core_ext.action_encoding import ActionEncoding
from core_ext.encoding import ENCODING_VERSION, Encoding

HIDDEN = 64
_SCALE = 256
_MAX_WEIGHT = 32_767
_CARD = re.compile(r"(?:hand|field|discards|pile\+\d|shown\+\d)\.(\d+\w)")


class Header(msgspec.Struct, frozen=True):
    """What a file of weights says of itself. `heats` are 256 / temperature of the rungs of the ladder, ascending."""

    variant: str
    rules_version: int
    encoding_version: int
    features: int
    actions: int
    action_features: int
    unit: int
    seed: int
    batches: int
    heats: tuple[int, ...] = ()


def encode(header: Header, network: bytes) -> bytes:
    """The bytes of a file."""
    return msgspec.json.encode(header) + b"\n" + network


def decode(data: bytes, name: str) -> tuple[Header, Network]:
    """Read a file's bytes. Raises WeightsError where it is damaged or belongs to other rules."""
    line, _, numbers = data.partition(b"\n")
    try:
        header = msgspec.json.decode(line, type=Header)
    except msgspec.DecodeError as error:
        raise WeightsError(f"{name} is no file of weights: {error}") from error
    info = variant_info(header.variant)
    encoding = Encoding(State.new(header.variant))
    current = {
        "rules_version": info.rules_version,
        "encoding_version": ENCODING_VERSION,
        "features": encoding.size,
        "actions": info.num_actions,
        "action_features": ActionEncoding(encoding).size,
    }
    for field, number in current.items():
        if getattr(header, field) != number:
            raise WeightsError(f"{name} has {field} {getattr(header, field)}, here it is {number}: train it again")
    return header, Network(
        header.variant, header.features, header.actions, header.action_features, header.unit, numbers
    )


def shipped(variant: str) -> Path:
    """The file of a variant's weights that comes with the arena."""
    return Path(__file__).parent / "weights" / f"{variant}.weights"


def read(path: Path) -> tuple[Header, Network]:
    """Read a file. Raises WeightsError, OSError."""
    return decode(path.read_bytes(), path.name)


@lru_cache
def load(variant: str) -> Network:
    """The shipped network of a variant. Raises WeightsError."""
    return read(shipped(variant))[1]


@lru_cache
def header(variant: str) -> Header:
    """What the shipped file says of itself."""
    return read(shipped(variant))[0]


@lru_cache
def fingerprint(variant: str) -> str:
    """The SHA-256 of the shipped file, in hex: the name of a value that does not change."""
    return hashlib.sha256(shipped(variant).read_bytes()).hexdigest()


def quantised(
    parameters: NDArray[np.float32], equities: NDArray[np.float64], names: Sequence[str], actions: int
) -> bytes:
    """Return the network in whole numbers: 1/256 in the layers, 1/65536 in logits and chances. No sum can overflow.

    A hidden unit whose sum could leave 16 bits has its weights made smaller, and those that go out larger: a unit that
    cuts off at 0 computes the same then.
    """
    features = len(names)
    numbers = parameters.astype(np.float64)
    ends = np.cumsum([HIDDEN * features, HIDDEN, HIDDEN * actions, actions, HIDDEN, 1])
    first, bias, policy, policy_bias, value, value_bias, action_weights = np.split(numbers, ends)
    first, policy = first.reshape(features, HIDDEN), policy.reshape(actions, HIDDEN)
    reach = np.abs(bias) + _highest_sums(first, names)
    shrink = np.minimum(1.0, (_MAX_WEIGHT - features) / (_SCALE * np.maximum(reach, 1e-9)))
    first, bias = first * shrink, bias * shrink
    policy, value = policy / shrink, value / shrink
    out = [
        np.rint(policy_bias * _SCALE**2).astype("<i4"),
        np.rint(value_bias * _SCALE**2).astype("<i4"),
        np.rint(equities * _SCALE**2).astype("<i4").ravel(),
        np.rint(action_weights * _SCALE**2).astype("<i4"),
        *(
            np.clip(np.rint(part * _SCALE), -_MAX_WEIGHT, _MAX_WEIGHT).astype("<i2").ravel()
            for part in (first, bias, policy, value)
        ),
    ]
    return b"".join(part.tobytes() for part in out)


def _highest_sums(first: NDArray[np.float64], names: Sequence[str]) -> NDArray[np.float64]:
    """The most that active features can add up to in each hidden unit: of a group one feature alone is active."""
    groups: dict[str, NDArray[np.float64]] = {}
    for name, row in zip(names, np.abs(first), strict=True):
        group = _group_of(name)
        groups[group] = np.maximum(groups.get(group, 0.0), row)
    total: NDArray[np.float64] = np.sum(list(groups.values()), axis=0)
    return total


def _group_of(name: str) -> str:
    """The group of features of which one is active at most: the places of a card, or the steps of one number."""
    card = _CARD.fullmatch(name)
    if card:
        return card[1]
    if name.startswith("month."):
        return ".".join(name.split(".")[:2])
    return name.rpartition(".")[0]


def smoothed(reached: NDArray[np.float64], won: NDArray[np.float64], prior: float = 40.0) -> NDArray[np.float64]:
    """Return the chance to win by months left and lead, from how often matches came there and were won: it never falls.

    Where little was seen, the next shorter distance counts for so many matches more.
    """
    chances = np.full((MONTHS_LEFT, len(LEAD_POINTS)), 0.5)
    chances[0, 1:] = 1.0
    for months in range(1, MONTHS_LEFT):
        for place in range(1, len(LEAD_POINTS)):
            before = chances[months, place - 1]
            seen = won[months, place] + prior * before
            chances[months, place] = max(before, seen / (reached[months, place] + prior))
    return chances


def describe(variant: str) -> Mapping[str, object]:
    """Name and hash of a variant's shipped weights, as they stand in definitions and proofs."""
    return {"variant": variant, "sha256": fingerprint(variant)}
