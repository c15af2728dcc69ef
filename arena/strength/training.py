"""Training a variant from nothing, by self-play: the same seed gives the same weights, to the byte."""

import hashlib
import io
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.strength.errors import CheckpointError
from arena.strength.ladder import calibrated
from arena.strength.learning import Table, parameter_count, update
from arena.strength.network import LEAD_POINTS, MONTHS_LEFT
from arena.strength.weights import HIDDEN, Header, decode, encode, quantised, smoothed
from core_ext import State, variant_info
from core_ext.action_encoding import ActionEncoding
from core_ext.encoding import ENCODING_VERSION, Encoding

DEALS = 24
"""Deals that each table plays in a batch."""
CHECKPOINT_EVERY = 200
"""Batches from one checkpoint to the next."""
EQUITIES_EVERY = 50
"""Batches after which the chances to win are read off anew."""
REMEMBERED = 0.97
"""The share of older matches that still counts at each reading."""


@dataclass(frozen=True)
class Recipe:
    """How a variant is trained. `unit` is what margins are divided by, `tables` the seats of each table.

    `rate` (of learning) and `entropy` (what chance in the policy is worth) fall from the first number to the second.
    """

    unit: int
    batches: int
    tables: tuple[int, ...]
    rate: tuple[float, float] = (3e-3, 1e-4)
    entropy: tuple[float, float] = (0.02, 0.002)
    by_equity: float = 0.0
    """How much the chance to win the match counts, and not the margin, once half of the batches are done."""
    trace: float = 0.8
    """How much of what came later is credited, step by step (lambda of TD)."""


RECIPES = {
    "koikoi": Recipe(8, 30_000, (2, 2, 2, 2), (3e-3, 5e-5), (0.02, 0.002), by_equity=0.3),
    "koikoi45": Recipe(40, 30_000, (2, 2, 2, 2), (3e-3, 1e-4), (0.02, 0.002), by_equity=0.8),
    "kyogi": Recipe(8, 30_000, (2, 2, 2, 2), (3e-3, 5e-5), (0.02, 0.002), by_equity=0.5),
    "hachihachi": Recipe(300, 16_000, (3, 3, 3, 3), (3e-3, 1e-4), (0.02, 0.003)),
    "sangohana": Recipe(16, 40_000, (2, 3, 4, 4), (4e-3, 1e-4), (0.02, 0.001), trace=0.9),
}


class Training:
    """A training under way; a checkpoint holds all that decides how it goes on."""

    def __init__(self, variant: str, seed: int, recipe: Recipe | None = None) -> None:
        """Begin one, by the variant's own recipe unless another is given. UnknownVariantError."""
        info = variant_info(variant)
        self.variant, self.seed = variant, seed
        self.recipe = recipe or RECIPES[variant]
        self.batches = self.recipe.batches
        self.batch = 0
        encoding = Encoding(State.new(variant))
        self._names = encoding.names
        self._actions = info.num_actions
        self._action_features = ActionEncoding(encoding).size
        size = parameter_count(len(self._names), self._actions, self._action_features)
        random = np.random.Generator(np.random.PCG64(seed))
        self.weights = np.zeros(size, np.float32)
        self.weights[: HIDDEN * len(self._names)] = random.integers(-999, 1000, HIDDEN * len(self._names)) * 1e-4
        start = HIDDEN * (len(self._names) + 1)
        self.weights[start : start + HIDDEN * self._actions] = (
            random.integers(-999, 1000, HIDDEN * self._actions) * 5e-5
        )
        self.equities = _first_equities(self.recipe.unit)
        self._mean, self._square = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self._gradient = np.zeros(size, np.float32)
        self._reached = np.zeros((MONTHS_LEFT, len(LEAD_POINTS)))
        self._won = np.zeros_like(self._reached)
        self._decisions = 0
        self._tables: list[Table] = []

    def _seat_tables(self) -> None:
        """Begin new matches at every table: from here on, all follows from what a checkpoint holds."""
        self._decisions = self.decisions
        random = np.random.Generator(np.random.PCG64([self.seed, self.batch]))
        self._tables = [
            Table(
                State.new(self.variant, seats=seats),
                int(random.integers(1 << 63)),
                self.weights,
                self.equities,
                self.recipe.unit,
                self.recipe.trace,
            )
            for seats in self.recipe.tables
        ]

    @property
    def decisions(self) -> int:
        """How many decisions were played so far."""
        return self._decisions + sum(table.decisions for table in self._tables)

    def step(self, pool: ThreadPoolExecutor) -> None:
        """Play a batch at every table and learn from it."""
        if self.batch % CHECKPOINT_EVERY == 0:
            self._seat_tables()
        part = self.batch / self.batches
        rate, entropy = (high * (low / high) ** part for high, low in (self.recipe.rate, self.recipe.entropy))
        by_equity = self.recipe.by_equity if part > 0.5 else 0.0
        list(pool.map(lambda table: table.play(DEALS, entropy, by_equity), self._tables))
        gradient = self._gradient
        gradient[:] = 0
        for table in self._tables:
            gradient += table.take_gradient()
            table.take_gradient()[:] = 0
        gradient /= np.float32(DEALS * len(self._tables))
        self.batch += 1
        warm = min(1.0, self.batch / 100)
        update(self.weights, gradient, self._mean, self._square, rate * warm, 0.9, 0.999)
        if self.batch % EQUITIES_EVERY == 0:
            self._learn_equities()

    def _learn_equities(self) -> None:
        """Read the chance to win off the matches so far; what is old is forgotten little by little."""
        for table in self._tables:
            for total, counts in zip((self._reached, self._won), table.take_results(), strict=True):
                total += counts
                counts[:] = 0
        self.equities[:] = smoothed(self._reached, self._won)
        self._reached *= REMEMBERED
        self._won *= REMEMBERED

    @property
    def is_over(self) -> bool:
        """Whether every batch is done."""
        return self.batch == self.batches

    @property
    def at_checkpoint(self) -> bool:
        """Whether all that decides how it goes on is in what `save` writes: every `CHECKPOINT_EVERY` batches."""
        return self.batch % CHECKPOINT_EVERY == 0 or self.is_over

    def save(self, path: Path) -> None:
        """Write a checkpoint, in place of an older one and whole or not at all. OSError."""
        written = io.BytesIO()
        parts: dict[str, Any] = {**self._numbers(), "told": np.frombuffer(self._identity(), np.uint8)}
        np.savez(written, **parts)
        part = path.with_name(path.name + ".part")
        with part.open("wb") as file:
            file.write(written.getvalue())
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint. Raises CheckpointError where it is damaged or of another training, OSError."""
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as saved:
                arrays: dict[str, NDArray[Any]] = dict(saved)
            identity = msgspec.json.decode(arrays.pop("told").tobytes())
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile, msgspec.DecodeError) as error:
            raise CheckpointError(f"{path} is no whole checkpoint: remove it to begin anew") from error
        shapes = {name: (numbers.shape, numbers.dtype) for name, numbers in self._numbers().items()}
        if {name: (numbers.shape, numbers.dtype) for name, numbers in arrays.items()} != shapes:
            raise CheckpointError(f"{path} holds other numbers than this training has: remove it to begin anew")
        expected = msgspec.json.decode(self._identity())
        if identity != expected:
            differs = ", ".join(sorted(name for name in expected if identity.get(name) != expected[name]))
            raise CheckpointError(f"{path} is of a training with another {differs}: remove it or name another file")
        self.batch, self._decisions = int(arrays["batch"]), int(arrays["decisions"])
        for name in ("weights", "mean", "square", "equities", "reached", "won"):
            self._numbers()[name][:] = arrays[name]
        self._tables = []

    def _numbers(self) -> dict[str, NDArray[Any]]:
        return {
            "weights": self.weights,
            "mean": self._mean,
            "square": self._square,
            "equities": self.equities,
            "reached": self._reached,
            "won": self._won,
            "batch": np.asarray(self.batch),
            "decisions": np.asarray(self.decisions),
        }

    def _identity(self) -> bytes:
        """What training this is."""
        return msgspec.json.encode(
            {
                "variant": self.variant,
                "seed": self.seed,
                "recipe": asdict(self.recipe),
                "features": hashlib.sha256("\n".join(self._names).encode()).hexdigest(),
            }
        )

    def finished_file(self) -> bytes:
        """The file of the weights with the heats of the ladder's rungs, which are found by play: it takes a while."""
        plain = self.weights_file()
        _, network = decode(plain, self.variant)
        return self.weights_file(calibrated(network, self.seed))

    def weights_file(self, heats: tuple[int, ...] = ()) -> bytes:
        """The file of the weights as they are."""
        info = variant_info(self.variant)
        header = Header(
            self.variant,
            info.rules_version,
            ENCODING_VERSION,
            len(self._names),
            self._actions,
            self._action_features,
            self.recipe.unit,
            self.seed,
            self.batch,
            heats,
        )
        return encode(header, quantised(self.weights, self.equities.astype(np.float64), self._names, self._actions))


def _first_equities(unit: int) -> NDArray[np.float32]:
    """A guess at the chance to win, until there are matches to read it off."""
    spread = unit * np.sqrt(np.maximum(1, np.arange(MONTHS_LEFT)))[:, None]
    lead = np.asarray(LEAD_POINTS)[None, :]
    guess: NDArray[np.float32] = (0.5 + 0.5 * lead / (lead + spread)).astype(np.float32)
    return guess
