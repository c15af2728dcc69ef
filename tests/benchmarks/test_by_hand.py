"""The program in C that the rules core is measured against plays the same game."""

import subprocess
from pathlib import Path

import pytest

from benchmarks.by_hand import by_hand, compiled
from core_ext import State, playout


def test_the_program_written_by_hand_plays_matches_as_long_and_as_dear_as_those_of_the_core(tmp_path: Path) -> None:
    program = compiled(tmp_path)
    _, decisions = by_hand(program, "match", 20_000)
    out = subprocess.run([program, "match", "20000", "1"], check=True, capture_output=True, text=True).stdout
    results = [playout.run(State.new("koikoi", seed=seed), 1, seed, True) for seed in range(1_000)]
    # a match's decisions and its winner's points vary by about 11 and 20
    assert decisions == pytest.approx(sum(result.decisions for result in results) / 1_000, abs=2)
    assert int(out.split()[2]) / 20_000 == pytest.approx(sum(max(result.sums) for result in results) / 1_000, abs=5)


def test_the_program_written_by_hand_deals_the_hidden_cards_anew_as_the_core_does(tmp_path: Path) -> None:
    _, decisions = by_hand(compiled(tmp_path), "anew", 20_000)
    views = [(state := State.new("koikoi", seed=seed)).observation(state.current_player) for seed in range(400)]
    results = [playout.dealt_anew(view, 50, seed) for seed, view in enumerate(views)]
    # One deal is longer than another: by about 1.
    assert decisions == pytest.approx(sum(result.decisions for result in results) / 20_000, abs=3)
