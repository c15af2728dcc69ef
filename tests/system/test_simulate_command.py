"""`arena simulate`: matches in one process, the same from their seed everywhere, as transcripts on demand."""

import json
from pathlib import Path
from typing import Any

import pytest
import reference_koikoi
from arena_command import document, done

from core_ext import parse_seed

THREE = ("simulate", "--variant", "koikoi", "--matches", "3", "--seed", "7", "--option", "months=2")


def simulated(folder: Path, *more: str) -> list[dict[str, Any]]:
    """The transcripts of three matches."""
    done(*THREE, "--transcript", "games.jsonl", *more, cwd=folder)
    return [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]


def test_transcripts_hold_before_the_reference_rules_and_carry_every_option_and_legal_list(tmp_path: Path) -> None:
    for transcript in simulated(tmp_path, "--legal", "--option", "points.goko=10"):
        reference_koikoi.check(transcript)
        assert (transcript["options"]["months"], transcript["options"]["points.goko"]) == (2, 10)
        actions = [action for month in transcript["months"] for action in month["actions"]]
        assert all(action["action"] in action["legal"] for action in actions)


def test_one_match_has_the_seed_and_of_several_each_has_its_number_behind_it(tmp_path: Path) -> None:
    several = simulated(tmp_path)
    assert [match["seed"] for match in several] == [parse_seed(f"7/{number}").hex() for number in (1, 2, 3)]
    assert all("legal" not in action for month in several[0]["months"] for action in month["actions"])
    one = ("simulate", "--variant", "koikoi", "--seed", "7", "--transcript", tmp_path / "one.jsonl")
    done(*one)
    assert json.loads((tmp_path / "one.jsonl").read_text())["seed"] == parse_seed("7").hex()
    # So the second of several is the one match of that seed.
    done(*one[:-1], tmp_path / "second.jsonl", "--option", "months=2", "--seed", "7/2")
    assert json.loads((tmp_path / "second.jsonl").read_text()) == several[1]


def test_a_simulation_is_the_same_again_and_counted_in_one_document() -> None:
    told = document(*THREE, "--bots", "greedy,house:random")
    assert told == document(*THREE, "--bots", "greedy,house:random")
    assert told["bots"] == ["greedy", "random"]
    assert sum(told["wins"]) + told["draws"] == told["matches"] == 3
    assert told["margins"][0] == -told["margins"][1] == pytest.approx((told["totals"][0] - told["totals"][1]) / 3)
