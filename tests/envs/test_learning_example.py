"""The worked example in short: it learns, and what it learned is checked, submitted and seen on a table."""

import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arena_command import document, done

from arena.envs import VectorEnv

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn"


@pytest.fixture(scope="module")
def example() -> Any:
    """`examples/learn/train.py`."""
    spec = spec_from_file_location("learning_example", EXAMPLE / "train.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def weights(example: Any) -> Any:
    """What it learns from some thousand months."""
    learner = example.Learner(games=64)
    for _ in range(80):
        learner.update()
    return learner.weights


def lead(example: Any, weights: Any) -> float:
    """The mean points by which a policy is ahead of random play in a month, each in one seat of half of the games."""
    games, random = np.arange(256), np.random.default_rng(3)
    env = VectorEnv("koikoi", len(games), options={"months": 1}, copy=False)
    seen, infos = env.reset(seed=3)
    points = months = 0.0
    for _ in range(60):
        scores = example.inputs_of(seen["cards"], seen["numbers"]) @ weights
        scores[infos["seat"] != games % 2] = 0
        scores += random.gumbel(size=scores.shape)  # the highest is then drawn by the policy
        seen, _, ended, _, infos = env.step(np.where(seen["action_mask"], scores, -np.inf).argmax(1))
        won = infos["rewards"]
        points += (won[games, games % 2] - won[games, 1 - games % 2]).sum()
        months += ended.sum()
    return points / months


def test_it_learns_from_playing_against_itself(example: Any, weights: Any) -> None:
    assert abs(lead(example, np.zeros_like(weights))) < 0.5
    assert lead(example, weights) > 1


def test_an_actions_effects_are_the_cards_that_it_takes_or_lays(example: Any) -> None:
    effects = dict(zip(example.NAMES.actions, example.effects(), strict=True))
    assert effects["1L"].nonzero()[0].tolist() == [48]
    assert effects["1L*1R"].nonzero()[0].tolist() == [0, 1]
    assert effects["*1R"].nonzero()[0].tolist() == [1]
    assert effects["koi"].sum() == 1
    assert not np.array_equal(effects["koi"], effects["stop"])


@pytest.mark.usefixtures("bubblewrap")
def test_the_bot_of_twenty_lines_is_checked_submitted_and_seen_on_a_leagues_table(
    example: Any, weights: Any, tmp_path: Path
) -> None:
    program = (EXAMPLE / "bot" / "bot.py").read_text("utf-8")
    assert len([line for line in program.splitlines() if line.strip()]) <= 20
    shutil.copytree(EXAMPLE, tmp_path / "learn", ignore=shutil.ignore_patterns("__pycache__", "*.npz"))
    np.savez(tmp_path / "learn" / "bot" / "weights.npz", weights=weights, scale=example.SCALE)
    assert "keeps the protocol" in done("bot", "check", "learn/bot", cwd=tmp_path)
    assert done("bot", "submit", "learn/bot", "--activate", cwd=tmp_path).endswith(" is active\n")
    file = tmp_path / "learn" / "league.toml"
    text = file.read_text("utf-8").replace("rounds = 3", "rounds = 1").replace("boards = 10", "boards = 1")
    file.write_text(text.replace("\nentries", "options = { months = 1 }\nentries"))
    told = document("league", "run", "learn/league.toml", cwd=tmp_path)
    assert "learned" in {row["name"] for row in told["divisions"][0]["table"]["standings"]}
