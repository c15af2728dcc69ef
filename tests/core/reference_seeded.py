"""A table for reference matches that meets the decks and picks of a seed, as the engine does."""

import random
from collections.abc import Callable, Iterable

from reference_cards import CARDS
from reference_table import RandomTable

from core_ext.cards import CARD_NAMES
from core_ext.shuffle import deck, keystream

Chooser = Callable[[list[str], random.Random], str]
"""What is answered: the legal actions and the dice are given."""

PICKS = 1
LAST_WORD = 2**32 - 1


class SeededTable(RandomTable):
    """Every deck, draw and pick from the seed; answers by chance, or by a chooser."""

    def __init__(
        self,
        seed: bytes,
        rng: random.Random,
        seats: int = 2,
        cards: Iterable[str] = CARDS,
        choose: Chooser = lambda legal, rng: rng.choice(legal),
    ) -> None:
        self.seed = seed
        self._choose = choose
        super().__init__(rng, seats, tuple(cards))

    def _shuffle(self, month: int, attempt: int) -> list[str]:
        return [CARD_NAMES[card] for card in deck(self.seed, month, attempt, len(self.cards))]

    def _blind(self, cards: list[str]) -> str:
        """``below(3)`` of the attempt's own stream; the words before were used by the picks before."""
        assert len(cards) == 3
        now = self.months[-1]
        stream = keystream(self.seed, now["month"], now["attempt"], PICKS, 256)
        words = [int.from_bytes(stream[place : place + 4], "little") for place in range(0, len(stream), 4)]
        used = [word for word in words if word != LAST_WORD][len(now["picks"])]
        return cards[used % 3]

    def _answer(self, seat: int, legal: list[str]) -> str:
        return self._choose(legal, self.rng)
