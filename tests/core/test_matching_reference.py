"""The two-seat matching games held against their references both ways, under random options."""

import json
import random
from types import ModuleType

import pytest
import reference_koikoi
import reference_koikoi45
import reference_kyogi
from reference_cards import CARDS
from reference_seeded import SeededTable
from reference_table import Transcript

from core_ext import OptionInfo, State, variant_info

REFERENCES = {"koikoi": reference_koikoi, "koikoi45": reference_koikoi45, "kyogi": reference_kyogi}
MATCHES = {"koikoi": 120, "koikoi45": 60, "kyogi": 12}
ENDINGS = {
    "koikoi": {"stop", "run_out", "redeal", "declare"},
    "koikoi45": {"stop", "run_out", "declare"},
    "kyogi": {"stop", "run_out", "declare"},
}
KOI = {"koikoi": (0.0, 0.5, 0.95), "koikoi45": (0.0, 0.9), "kyogi": (0.0, 0.5)}
"""How likely koi is where it may be said, match by match."""


def random_value(option: OptionInfo, rng: random.Random) -> object:
    if option.type == "ints":
        return [
            rng.choice([option.low, option.high, rng.randint(option.low, option.high)]) for _ in range(option.length)
        ]
    if option.type == "bool":
        return rng.random() < 0.5
    if option.type == "choice":
        return rng.choice(option.choices)
    if option.name.startswith("points."):
        return rng.choice([0, 1, 3, 5, 8, 10, rng.randint(option.low, option.high)])
    return rng.randint(option.low, min(option.high, 40))


def random_options(variant: str, rng: random.Random) -> dict[str, object]:
    options = variant_info(variant).options
    return {option.name: random_value(option, rng) for option in options if rng.random() < 0.5}


def chosen(legal: list[str], koi: float, rng: random.Random) -> str:
    """A random action; koi is as likely as said, an exchange likelier than a pass."""
    if "koi" in legal and rng.random() < koi:
        return "koi"
    exchanges = [text for text in legal if text.startswith("exchange")]
    if exchanges and rng.random() < 0.8:
        return rng.choice(exchanges)
    return rng.choice(legal)


def engine_match(variant: str, number: int) -> Transcript:
    """A random match of the engine's under options of its own."""
    rng = random.Random(number)
    koi = KOI[variant][number % len(KOI[variant])]
    state = State.new(variant, random_options(variant, rng), f"reference/{number}")
    while not state.is_over:
        state.apply(state.parse_action(chosen(state.legal_texts(), koi, rng)))
    return state.transcript(legal=True)


def reference_match(variant: str, number: int) -> tuple[State, Transcript]:
    """The engine at the beginning of a match, and how the reference plays it."""
    rng = random.Random(f"again/{number}")
    koi = KOI[variant][number % len(KOI[variant])]
    state = State.new(variant, random_options(variant, rng), f"again/{number}")
    options = json.loads(json.dumps(dict(state.options)))
    module: ModuleType = REFERENCES[variant]
    cards = CARDS[: variant_info(variant).cards]
    table = SeededTable(state.seed, rng, cards=cards, choose=lambda legal, dice: chosen(legal, koi, dice))
    return state, module.play_match(table, options, state.seed.hex())


def in_any_order(transcript: Transcript) -> Transcript:
    """The transcript with the yaku of each month in one order."""
    months = [month | {"yaku": sorted(month["yaku"])} for month in transcript["months"]]
    return json.loads(json.dumps(transcript | {"months": months}))


@pytest.mark.parametrize("variant", REFERENCES)
def test_the_engines_random_matches_are_what_the_reference_plays(variant):
    endings = set()
    for number in range(MATCHES[variant]):
        transcript = engine_match(variant, number)
        REFERENCES[variant].check(transcript)
        endings |= {month["ended"] for month in transcript["months"]}
    assert endings == ENDINGS[variant]


@pytest.mark.parametrize("variant", REFERENCES)
def test_the_references_random_matches_are_what_the_engine_plays(variant):
    for number in range(MATCHES[variant]):
        state, played = reference_match(variant, number)
        for month in played["months"]:
            for action in month["actions"]:
                assert (state.current_player, state.legal_texts()) == (action["seat"], action["legal"])
                state.apply(state.parse_action(action["action"]))
        assert state.is_over
        assert in_any_order(state.transcript(legal=True)) == in_any_order(played)


@pytest.mark.parametrize("variant", REFERENCES)
def test_the_reference_notices_a_score_that_is_not_right(variant):
    transcript = engine_match(variant, 1)
    transcript["months"][0]["scores"][0] += 1
    with pytest.raises(AssertionError, match="month 1 attempt 0: scores"):
        REFERENCES[variant].check(transcript)


@pytest.mark.parametrize("variant", REFERENCES)
def test_the_engines_options_are_the_references(variant):
    assert json.loads(json.dumps(dict(State.new(variant).options))) == dict(REFERENCES[variant].OPTIONS)
