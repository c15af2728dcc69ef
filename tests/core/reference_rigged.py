"""A table for reference matches with decks and answers of one's own: rare things are reached by play."""

import random
from collections.abc import Callable, Mapping, Sequence

from reference_table import RandomTable

Decks = Mapping[int, Sequence[str]]
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


def card_of(action: str) -> str:
    """The card that an action plays or discards; of other actions their text."""
    return action.partition("*")[0].removeprefix("discard:")


class Plans:
    """A policy: in the months that have plans each seat follows its own, elsewhere it answers by default.

    A plan is a text of cards (`3R`: the first way to play it, or to discard it) and whole actions (`3R*3y`, `koi`). A
    seat that is asked for a card must be able to play the next word. To any other question the next word is the
    answer if it is one; else the first default that is one, else chance.
    """

    def __init__(self, plans: Mapping[int, Sequence[str]], defaults: str = "stop pass") -> None:
        self.plans = {month: [plan.split() for plan in by_seat] for month, by_seat in plans.items()}
        self.defaults = defaults.split()

    def __call__(self, month: int, seat: int, legal: list[str], rng: random.Random) -> str:
        plan = self.plans[month][seat] if month in self.plans else []
        fits = [action for action in legal if plan and plan[0] in (action, card_of(action))]
        if fits:
            plan.pop(0)
            return fits[0]
        for_a_card = legal[-1][0].isdigit() or legal[-1].startswith("discard:")
        assert not (plan and for_a_card), f"seat {seat} cannot play {plan[0]}, legal are {legal}"
        return next((action for action in self.defaults if action in legal), None) or rng.choice(legal)
