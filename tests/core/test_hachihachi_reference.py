"""Random matches of hachihachi under random options, held against the rules as they are written a second time."""

import random
from collections import Counter

import pytest
import reference_hachihachi
from hachihachi_scene import engine_agrees_on_all
from reference_table import Transcript

from core_ext import State

HABITS = {
    "by chance": (0.5, 0.5, 0.5),
    "bold": (1.0, 0.9, 0.05),
    "careful": (1.0, 0.5, 0.5),
}
"""How likely a seat declares, says koi, cancels."""


def answer(legal: list[str], habit: tuple[float, float, float], rng: random.Random) -> str:
    """A random action, the words by habit."""
    declares, koi, cancels = habit
    match legal[0]:
        case "stop":
            return "koi" if rng.random() < koi else "stop"
        case "cancel":
            return "cancel" if rng.random() < cancels else "pass"
        case "pass":
            return rng.choice(legal[1:]) if rng.random() < declares else "pass"
    return rng.choice(legal)


def options_of(number: int) -> dict[str, object]:
    """Options in turn, so that a few matches meet them all."""
    return {"menu": "ABCDEF"[number % 6], "etsunen": number % 4 > 1}


def random_match(number: int, habit: str) -> Transcript:
    rng = random.Random(f"{habit} {number}")
    state = State.new("hachihachi", options_of(number), f"{habit}/{number}")
    while not state.is_over:
        state.apply(state.parse_action(answer(state.legal_texts(), HABITS[habit], rng)))
    return state.transcript(legal=True)


@pytest.mark.parametrize("habit", HABITS)
def test_random_matches_are_what_the_reference_plays_from_the_same_decks_and_actions(habit):
    endings = Counter()
    for number in range(48):
        transcript = random_match(number, habit)
        reference_hachihachi.check(transcript)
        endings.update(month["ended"] for month in transcript["months"])
    assert set(endings) >= {"stop", "run_out", "cancel"}


def test_matches_that_the_reference_plays_are_what_the_engine_plays_from_the_same_decks_and_actions():
    for number in range(36):
        rng = random.Random(number)
        habit = list(HABITS.values())[number % 3]
        options = options_of(number)
        match = reference_hachihachi.play(
            options, rng, policy=lambda month, seat, legal, rng, habit=habit: answer(legal, habit, rng)
        )
        engine_agrees_on_all(match)


def test_the_reference_notices_a_score_that_is_not_right():
    transcript = random_match(1, "by chance")
    transcript["months"][0]["scores"][0] += 1
    with pytest.raises(AssertionError, match="month 1 attempt 0: scores"):
        reference_hachihachi.check(transcript)


def test_the_engines_options_are_the_references():
    assert dict(State.new("hachihachi").options) == reference_hachihachi.DEFAULTS
