"""Training gives the same weights to the byte, however often it is interrupted and however many threads work on it."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arena.strength import training
from arena.strength.errors import CheckpointError, WeightsError
from arena.strength.playouts import duel
from arena.strength.training import RECIPES, Recipe, Training
from arena.strength.weights import decode, read, shipped
from core_ext import VARIANTS, State

TINY = Recipe(8, 6, (2, 2), by_equity=0.5)


def learned(variant: str, seed: int, recipe: Recipe, threads: int = 1) -> bytes:
    """The weights of a whole training."""
    made = Training(variant, seed, recipe)
    with ThreadPoolExecutor(threads) as pool:
        while not made.is_over:
            made.step(pool)
    return made.weights_file()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_seed_gives_the_same_weights_with_any_number_of_threads(variant: str) -> None:
    recipe = replace(RECIPES[variant], batches=3)
    first = learned(variant, 5, recipe)
    assert learned(variant, 5, recipe, threads=3) == first
    assert learned(variant, 6, recipe) != first
    header, network = decode(first, variant)
    assert (header.variant, header.seed, header.batches) == (variant, 5, 3)
    assert len(first) <= 500_000
    assert network.variant == variant


def test_a_training_goes_on_from_a_checkpoint_as_if_nothing_had_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_EVERY", 2)
    whole = learned("koikoi", 1, TINY)
    path = tmp_path / "c"
    with ThreadPoolExecutor(1) as pool:
        first = Training("koikoi", 1, TINY)
        for _ in range(4):
            first.step(pool)
        first.save(path)
        first.step(pool)  # what came after the checkpoint is lost, and done again
        second = Training("koikoi", 1, TINY)
        second.resume(path)
        assert second.batch == 4
        while not second.is_over:
            second.step(pool)
    assert second.weights_file() == whole


def test_a_checkpoint_of_another_training_and_a_damaged_one_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "c"
    Training("koikoi", 1, TINY).save(path)
    for other, differs in (
        (Training("koikoi", 2, TINY), "another seed"),
        (Training("koikoi", 1, replace(TINY, batches=7)), "another recipe"),
        (Training("kyogi", 1, TINY), "other numbers"),
    ):
        with pytest.raises(CheckpointError, match=differs):
            other.resume(path)
    whole = path.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"PK" + whole[2:500]):
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError, match="no whole checkpoint"):
            Training("koikoi", 1, TINY).resume(path)


def test_a_training_that_is_killed_loses_only_what_came_after_its_last_checkpoint(tmp_path: Path) -> None:
    """It is of so many batches that it is under way however late it is killed."""
    recipe = replace(RECIPES["koikoi"], batches=10_000_000)
    target, checkpoint = tmp_path / "killed.weights", tmp_path / "killed.weights.checkpoint"
    command = [Path(sys.executable).with_name("arena"), "strength", "train", "koikoi", "--seed", "3"]
    child = subprocess.Popen([*command, "--batches", str(recipe.batches), "--to", target], stderr=subprocess.DEVNULL)
    killed = Training("koikoi", 3, recipe)
    try:
        while killed.batch == 0:
            with pytest.raises(subprocess.TimeoutExpired):  # it does not end by itself
                child.wait(0.05)
            if checkpoint.exists():
                killed.resume(checkpoint)
    finally:
        child.kill()
        child.wait()
    assert not target.exists()
    killed.resume(checkpoint)
    undisturbed = Training("koikoi", 3, recipe)
    with ThreadPoolExecutor(1) as pool:
        while undisturbed.batch < killed.batch:
            undisturbed.step(pool)
        killed.step(pool)
        undisturbed.step(pool)
    assert killed.weights_file() == undisturbed.weights_file()


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_was_learned_plays_better_than_chance(variant: str) -> None:
    _, network = decode(learned(variant, 1, replace(RECIPES[variant], batches=60)), variant)
    margins, _ = duel(State.new(variant), network, 100, 1, 256, -1)
    assert sum(margins) > 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_shipped_weights_are_those_of_the_recipe(variant: str) -> None:
    header, _ = read(shipped(variant))
    assert (header.seed, header.batches, header.unit) == (1, RECIPES[variant].batches, RECIPES[variant].unit)
    assert shipped(variant).stat().st_size <= 500_000


def test_weights_that_do_not_fit_the_rules_are_refused(tmp_path: Path) -> None:
    data = shipped("koikoi").read_bytes()
    path = tmp_path / "koikoi.weights"
    for damaged, said in (
        (data[:-1], "bytes"),
        (data.replace(b'"features":', b'"features":1', 1), "train it again"),
        (b"{}\n" + data, "no file of weights"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(WeightsError, match=said):
            read(path)
