"""Deals of sangohana that are laid out for a test, and ways to play them."""

import random
from collections.abc import Callable, Mapping, Sequence

from reference_table import arranged_deck

from core_ext import State
from core_ext.cards import ANIMALS, CHAFF, LIGHTS, RIBBONS, parse_card

Policy = Callable[[State, random.Random], str]

READY = "1R 2R 3R 2A 4A 5A 6A"
"""Waits for an animal: 7, doubled by the poem ribbons."""
DULL = ("1L 2x 3x 4R 5R 6x 9A", "8L 1x 3y 7R 9R 10x 10A")
"""Two hands that wait for nothing."""
KINDS = tuple(map(frozenset, (LIGHTS, ANIMALS, RIBBONS, CHAFF)))


def scene(hands: Sequence[str], stock: str = "", dealer: int = 0, month: int = 1, **options: object) -> State:
    """A deal with these hands by seat and this stock; what is not named is filled up in id order."""
    deck = arranged_deck(*((7, hand) for hand in hands), (48 - 7 * len(hands), stock))
    return State.from_deck("sangohana", options, " ".join(deck), dealer, month, seats=len(hands))


def follow(state: State, policy: Policy, rng: random.Random, until: Callable[[State], bool] | None = None) -> State:
    """Plays on by a policy, to the end of the match or until something holds."""
    while not state.is_over and not (until and until(state)):
        state.apply(state.parse_action(policy(state, rng)))
    return state


def by_chance(state: State, rng: random.Random) -> str:
    return rng.choice(state.legal_texts())


def patiently(state: State, rng: random.Random) -> str:
    """Draws, never wins, discards by chance: every month runs out."""
    legal = [text for text in state.legal_texts() if text not in ("win", "take")]
    return "pass" if "pass" in legal else rng.choice(legal)


def eagerly(state: State, rng: random.Random) -> str:
    """As by chance, but wins whenever it may."""
    legal = state.legal_texts()
    return "win" if "win" in legal else rng.choice(legal)


def building(state: State, rng: random.Random) -> str:
    """Wins whenever it may, and discards what is furthest from a three and a five."""
    legal = state.legal_texts()
    if "win" in legal:
        return "win"
    if "draw" in legal:
        return rng.choice(legal)
    seat = state.current_player
    hand = next(set(zone.cards) for zone in state.observation(seat).zones if (zone.kind, zone.seat) == ("hand", seat))

    def progress(text: str) -> int:
        counts = [len((hand - {parse_card(text.removeprefix("discard:"))}) & kind) for kind in KINDS]
        return max(
            min(three, 3) + min(five, 5) for i, three in enumerate(counts) for j, five in enumerate(counts) if i != j
        )

    return max(rng.sample(legal, len(legal)), key=progress)


def building_but_passing(state: State, rng: random.Random) -> str:
    """As building, but never wins: claims are asked again and again."""
    legal = state.legal_texts()
    if "pass" in legal:
        return "pass"
    return patiently(state, rng) if "win" in legal else building(state, rng)


POLICIES: Mapping[str, Policy] = {
    "by chance": by_chance,
    "eagerly": eagerly,
    "building": building,
    "patiently": patiently,
    "building but passing": building_but_passing,
}


def mixed(seats: int, rng: random.Random) -> Policy:
    """Each seat by a policy of its own."""
    chosen = rng.choices(tuple(POLICIES.values()), k=seats)
    return lambda state, rng: chosen[state.current_player](state, rng)


def random_options(rng: random.Random) -> dict[str, object]:
    return {
        "strict_pairs": rng.random() < 0.5,
        "strict_three": rng.random() < 0.5,
        "strict_kiri_times": rng.choice([3, 4]),
    }
