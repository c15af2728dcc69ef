"""The tables of docs/rules say what the reference rules play."""

import re
from pathlib import Path
from types import ModuleType

import pytest
import reference_koikoi
import reference_koikoi45
import reference_kyogi
from reference_cards import CARDS

RULES = Path(__file__).parents[2] / "docs" / "rules"
MODULES = {"koikoi": reference_koikoi, "koikoi45": reference_koikoi45, "kyogi": reference_kyogi}


def rows(variant: str, heading: str) -> dict[str, list[str]]:
    """The table under a heading: the other cells by the id in the first."""
    text = (RULES / f"{variant}.md").read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:3] == "| `"]
    return {cell[0].strip("`"): cell[1:] for cell in cells}


@pytest.mark.parametrize("variant", ["koikoi", "koikoi45"])
def test_the_points_in_the_table_are_the_defaults(variant: str) -> None:
    written = {name: int(re.match(r"\d+", cells[-1])[0]) for name, cells in rows(variant, "Yaku").items()}
    assert written == MODULES[variant].POINTS


def test_the_points_in_kyogis_table_are_those_that_are_paid() -> None:
    table = rows("kyogi", "Yaku")
    by_cards = {name: cells[1].split() for name, cells in table.items() if set(cells[1].split()) <= set(CARDS)}
    assert len(by_cards) == 13
    for name, cards in by_cards.items():
        assert reference_kyogi.yaku(cards)[name] == int(table[name][-1])
    assert set(table) == set(reference_kyogi.complete(CARDS))


def test_the_dealt_hands_in_kyogis_table_are_those_that_are_paid() -> None:
    written = {
        tuple(map(int, pattern.split("-"))): (name, int(points))
        for name, (_, patterns, points, _) in rows("kyogi", "Deal and dealt hands").items()
        for pattern in patterns.split(", ")
    }
    assert written == reference_kyogi.DEALT_HANDS


@pytest.mark.parametrize(("variant", "count"), [("koikoi", 9), ("koikoi45", 8), ("kyogi", 8)])
def test_rulings_are_numbered_without_a_gap(variant: str, count: int) -> None:
    rulings = re.findall(r"^- \*\*R(\d+)\*\*", (RULES / f"{variant}.md").read_text(), re.MULTILINE)
    assert rulings == [str(number) for number in range(1, count + 1)]


def options_of(module: ModuleType) -> set[str]:
    return {name for name in module.OPTIONS if not name.startswith("points.")}


@pytest.mark.parametrize("variant", ["koikoi", "koikoi45"])
def test_every_option_is_in_the_table_of_options(variant: str) -> None:
    named = {name for row in rows(variant, "Options") for name in re.split("[`, ]+", row)}
    assert named - {"points.ID"} == options_of(MODULES[variant])
