"""The value by which luck and mistakes are measured: a variant's shipped weights, and their hash, of one reading."""

from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from arena.strength import weights
from arena.strength.network import Network


class Weights(NamedTuple):
    """A network, and the SHA-256 in hex of the file that it was read from."""

    network: Network
    sha256: str


@lru_cache
def shipped(variant: str) -> Weights:
    """Read the weights of a variant that come with the arena. Raises WeightsError, OSError."""
    path = weights.shipped(variant)
    data = path.read_bytes()
    return Weights(weights.decode(data, path.name)[1], sha256(data).hexdigest())
