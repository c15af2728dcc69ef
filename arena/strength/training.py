"""Training a variant from nothing, by self-play: the same seed gives the same weights, to the byte."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.strength.learning import Table, parameter_count, update
from arena.strength.network import LEAD_POINTS, MONTHS_LEFT
from arena.strength.weights import HIDDEN, Header, encode, quantised, smoothed
from core_ext import State, variant_info
from core_ext.encoding import ENCODING_VERSION, Encoding

DEALS = 24
"""Deals that each table plays in a batch."""
TRACE = 0.8
"""How much of what came later is credited, step by step (lambda of TD)."""
CHECKPOINT_EVERY = 500
"""Batches from one checkpoint to the next."""
EQUITIES_EVERY = 50
"""Batches after which the chances to win are read off anew."""
REMEMBERED = 0.97
"""The share of older matches that still counts at each reading."""


@dataclass(frozen=True)
class Recipe:
    """How a variant is trained. `unit` is what margins are divided by, `tables` the seats of each table."""

    unit: int
    batches: int
    tables: tuple[int, ...]
    rate: tuple[float, float] = (3e-3, 1e-4)
    entropy: tuple[float, float] = (0.03, 0.004)
    by_equity: float = 0.0
    """How much the chance to win the match counts, and not the margin, once half of the batches are done."""


RECIPES = {
    "koikoi": Recipe(8, 20_000, (2, 2, 2, 2), by_equity=0.5),
    "koikoi45": Recipe(40, 20_000, (2, 2, 2, 2), by_equity=0.8),
    "kyogi": Recipe(8, 20_000, (2, 2, 2, 2), by_equity=0.5),
    "hachihachi": Recipe(300, 12_000, (3, 3, 3, 3)),
    "sangohana": Recipe(16, 12_000, (3, 2, 4, 3)),
}


@dataclass(frozen=True)
class Progress:
    """How far a training has come."""

    batch: int
    batches: int
    deals: int
    decisions: int
    seconds: float


class Training:
    """A training under way. `run` goes on to its end; a checkpoint holds all that decides how it goes on."""

    def __init__(self, variant: str, seed: int, batches: int | None = None) -> None:
        self.variant, self.seed = variant, seed
        self.recipe = RECIPES[variant]
        self.batches = self.recipe.batches if batches is None else batches
        self.batch = 0
        info = variant_info(variant)
        self._names = Encoding(State.new(variant)).names
        self._actions = info.num_actions
        size = parameter_count(len(self._names), self._actions)
        random = np.random.Generator(np.random.PCG64(seed))
        self.weights = np.zeros(size, np.float32)
        self.weights[: HIDDEN * len(self._names)] = random.integers(-999, 1000, HIDDEN * len(self._names)) * 1e-4
        start = HIDDEN * (len(self._names) + 1)
        self.weights[start : start + HIDDEN * self._actions] = (
            random.integers(-999, 1000, HIDDEN * self._actions) * 5e-5
        )
        self.equities = _first_equities(self.recipe.unit)
        self._mean, self._square = np.zeros(size, np.float32), np.zeros(size, np.float32)
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
                TRACE,
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
        gradient = np.zeros_like(self.weights)
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

    def weights_file(self) -> bytes:
        """The file of the weights as they are."""
        info = variant_info(self.variant)
        header = Header(
            self.variant,
            info.rules_version,
            ENCODING_VERSION,
            len(self._names),
            self._actions,
            self.recipe.unit,
            self.seed,
            self.batch,
        )
        return encode(header, quantised(self.weights, self.equities.astype(np.float64), self._names, self._actions))


def _first_equities(unit: int) -> NDArray[np.float32]:
    """A guess at the chance to win, until there are matches to read it off."""
    spread = unit * np.sqrt(np.maximum(1, np.arange(MONTHS_LEFT)))[:, None]
    lead = np.asarray(LEAD_POINTS)[None, :]
    guess: NDArray[np.float32] = (0.5 + 0.5 * lead / (lead + spread)).astype(np.float32)
    return guess
