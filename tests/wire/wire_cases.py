"""Questions of matches played at random."""

import random
from collections.abc import Iterator, Mapping

from arena.match.model import MatchSpec
from arena.match.question import Question
from core_ext import VARIANTS, State, parse_seed, variant_info

_HOUSE_OPTIONS = {
    "months": 2,
    "teshi": False,
    "points.goko": 12,
    "koi_multiplier": 4,
    "oyaken_points": 3,
    "strict_pairs": True,
    "strict_kiri_times": 4,
}


def house_options(variant: str) -> dict[str, object]:
    """Options other than the defaults, of those that the variant has."""
    known = {option.name for option in variant_info(variant).options}
    return {name: value for name, value in _HOUSE_OPTIONS.items() if name in known}


def spec(variant: str, seed: str, options: Mapping[str, object] | None = None) -> MatchSpec:
    names = ("ann", "bo", "cy", "di")[: variant_info(variant).seats[2]]
    return MatchSpec(
        match_id=f"match-{seed}", variant=variant, seed=parse_seed(seed), names=names, options=options or {}
    )


def questions(seed: int, variant: str = VARIANTS[0], options: Mapping[str, object] | None = None) -> Iterator[Question]:
    """Every question of a match in which each answer is drawn by lot; to be looked at before the next is taken."""
    rng = random.Random(seed)
    match = spec(variant, str(seed), options)
    state = State.new(match.variant, match.options, match.seed)
    numbers = [0] * state.seats
    since = [0] * state.seats
    while (seat := state.current_player) >= 0:
        numbers[seat] += 1
        legal = tuple(state.legal_actions())
        bank = rng.choice([0, 60_000])
        until = state.event_count
        yield Question(match, seat, numbers[seat], legal, rng.getrandbits(64), 2_000, bank, since[seat], until, state)
        since[seat] = until
        state.apply(rng.choice(legal))
