"""Random matches under random options, held against the rules as they are written a second time."""

import random

import pytest
import reference_koikoi
from reference_table import Transcript

from core_ext import OptionInfo, State, variant_info


def random_value(option: OptionInfo, rng: random.Random) -> object:
    if option.type == "bool":
        return rng.random() < 0.5
    if option.type == "choice":
        return rng.choice(option.choices)
    if option.name.startswith("points."):
        return rng.choice([0, 1, 3, 5, 8, 10, rng.randint(option.low, option.high)])
    return rng.randint(option.low, min(option.high, 40))


def random_match(number: int, koi: float) -> Transcript:
    """A match under options of its own; ``koi`` is how likely koi is where it may be said."""
    rng = random.Random(number)
    options = {
        option.name: random_value(option, rng) for option in variant_info("koikoi").options if rng.random() < 0.5
    }
    state = State.new("koikoi", options, f"reference/{number}")
    while not state.is_over:
        texts = state.legal_texts()
        says_koi = "koi" in texts and rng.random() < koi
        state.apply(state.parse_action("koi") if says_koi else rng.choice(state.legal_actions()))
    return state.transcript(legal=True)


@pytest.mark.parametrize("koi", [0.0, 0.95])
def test_random_matches_are_what_the_reference_plays_from_the_same_decks_and_actions(koi):
    endings = set()
    for number in range(300):
        transcript = random_match(number, koi)
        reference_koikoi.check(transcript)
        endings |= {month["ended"] for month in transcript["months"]}
    assert endings == {"stop", "run_out", "redeal", "declare"}


def test_the_reference_notices_a_score_that_is_not_right():
    transcript = random_match(1, 0.0)
    transcript["months"][0]["scores"][0] += 1
    with pytest.raises(AssertionError, match="month 1 attempt 0: scores"):
        reference_koikoi.check(transcript)


def test_the_engines_options_are_the_references():
    assert dict(State.new("koikoi").options) == dict(reference_koikoi.OPTIONS)
