"""A table for reference matches with decks and answers of one's own: rare things are reached by play."""

import random
from collections.abc import Callable, Mapping

from reference_table import RandomTable

Decks = Mapping[int, list[str]]
"""Whole decks by month, top first; 0 is the deck of the first draws. A month that is not named is shuffled."""

Policy = Callable[[int, int, list[str], random.Random], str]
"""What a seat answers: the month, the seat and its legal actions are given."""


class RiggedTable(RandomTable):
    """As the random table, but for the decks that are given and the policy that answers."""

    def __init__(
        self, rng: random.Random, seats: int, decks: Decks | None = None, policy: Policy | None = None
    ) -> None:
        self._decks = decks or {}
        self._policy = policy
        super().__init__(rng, seats)

    def _shuffle(self, month: int, attempt: int) -> list[str]:
        return list(self._decks[month]) if month in self._decks else super()._shuffle(month, attempt)

    def _answer(self, seat: int, legal: list[str]) -> str:
        if self._policy is None:
            return super()._answer(seat, legal)
        return self._policy(self.months[-1]["month"], seat, legal, self.rng)
