"""The tables of docs/rules say what the reference rules play."""

import json
import re
from collections.abc import Callable, Collection
from math import comb, factorial, perm, prod
from pathlib import Path

import pytest
import reference_hachihachi
import reference_koikoi
import reference_koikoi45
import reference_kyogi
from reference_cards import CARDS

from core_ext import VARIANTS, variant_info
from core_ext.variants import hachihachi_table

TESTS = Path(__file__).parent
RULES = Path(__file__).parents[2] / "docs" / "rules"
MODULES = {"koikoi": reference_koikoi, "koikoi45": reference_koikoi45, "kyogi": reference_kyogi}


def section(variant: str, heading: str) -> list[str]:
    """The lines under a heading."""
    return (RULES / f"{variant}.md").read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0].splitlines()


def rows(variant: str, heading: str) -> dict[str, list[str]]:
    """The table under a heading: the other cells by the id in the first. Of two tables with an id, the first."""
    lines = [line.strip(" |").split("|") for line in section(variant, heading) if line.lstrip().startswith("| `")]
    cells = [[cell.strip() for cell in line] for line in lines]
    return {cell[0].strip("`"): cell[1:] for cell in reversed(cells)}


@pytest.mark.parametrize("variant", ["koikoi", "koikoi45"])
def test_the_points_in_the_table_are_the_defaults(variant: str) -> None:
    written = {name: int(re.match(r"\d+", cells[-1])[0]) for name, cells in rows(variant, "Yaku").items()}
    assert written == MODULES[variant].POINTS


HOUSE_ROWS = reference_koikoi.OPTIONS | {"omote_sugawara": True, "yontan": True, "akatan_aotan": True}
MAKES: dict[str, tuple[str, int, Callable[[Collection[str]], Collection[str]]]] = {
    "koikoi": ("Yaku", 9, lambda pile: reference_koikoi.yaku(pile, HOUSE_ROWS)),
    "koikoi45": ("Yaku", 8, reference_koikoi45.yaku),
    "kyogi": ("Yaku", 13, reference_kyogi.complete),
    "hachihachi": ("Turn", 5, reference_hachihachi.yaku_of),
}
"""Where the table stands, in how many of its rows just so many cards are named, and the rows that a pile makes."""


@pytest.mark.parametrize("variant", MAKES)
def test_a_row_of_the_table_is_made_by_all_of_its_cards_and_by_no_fewer(variant: str) -> None:
    heading, count, made = MAKES[variant]
    table = {name: set(cells[1].split()) for name, cells in rows(variant, heading).items()}
    written = {name: cards for name, cards in table.items() if cards <= set(CARDS)}
    assert len(written) == count
    for name, cards in written.items():
        assert name in made(cards)
        for card in cards:
            assert name not in made(cards - {card})


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


def hands_with(pattern: list[int]) -> int:
    """How many hands hold so many cards of each month: ways to choose the months, then the cards of each."""
    months = perm(12, len(pattern)) // prod(factorial(pattern.count(size)) for size in set(pattern))
    return months * prod(comb(4, size) for size in pattern)


def test_the_dealt_hands_in_kyogis_table_are_as_many_as_can_be_dealt() -> None:
    for patterns, _, hands in (cells[1:] for cells in rows("kyogi", "Deal and dealt hands").values()):
        counts = [hands_with(list(map(int, pattern.split("-")))) for pattern in patterns.split(", ")]
        assert hands == f"{sum(counts):,}"


def kan_by_id(variant: str, heading: str, column: int) -> dict[str, int]:
    """Points or kan in the table under a heading: the number that a cell begins with."""
    return {name: int(re.match(r"\d+", cells[column])[0]) for name, cells in rows(variant, heading).items()}


def test_the_tables_of_hachihachi_are_those_that_are_paid() -> None:
    dealt = hachihachi_table.BY_NUMBER + hachihachi_table.BY_POVERTY
    heading = "Dealt hands (teyaku 手役)"
    assert kan_by_id("hachihachi", heading, 2) == {row.id: row.kan for row in dealt}
    assert kan_by_id("hachihachi", "Turn", 2) == {row.id: row.points for row in hachihachi_table.YAKU}
    hatto = {name for name, cells in rows("hachihachi", "Turn").items() if cells[-1] == "yes"}
    assert hatto == set(hachihachi_table.UNDER_HATTO)
    special = kan_by_id("hachihachi", "Hands played out", 2)
    assert special == {row.id: row.kan for row in hachihachi_table.SPECIAL}
    for menu, row in rows("hachihachi", "Multiplier").items():
        twice, added = hachihachi_table.MENUS[menu]
        written = [f"and {kan} kan" for kan in added] if menu == "F" else [f"{number / 2:g}" for number in twice]
        assert row == written


def test_the_hands_of_sangohana_are_those_that_are_paid() -> None:
    table = {row.id: row for row in variant_info("sangohana").yaku}
    written = rows("sangohana", "Hands")
    assert {name: int(cells[-1]) for name, cells in written.items() if name in table} == {
        name: row.points for name, row in table.items()
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_rulings_are_numbered_without_a_gap(variant: str) -> None:
    rulings = rulings_of(variant)
    assert len(rulings) >= 6
    assert rulings == [str(number) for number in range(1, len(rulings) + 1)]


def rulings_of(variant: str) -> list[str]:
    return re.findall(r"^- \*\*R(\d+)\*\*", (RULES / f"{variant}.md").read_text(), re.MULTILINE)


def sources_of_tests(variant: str) -> str:
    """The source of a variant's tests."""
    files = [path for path in TESTS.glob("test_*.py") if variant in path.stem.split("_")]
    return "\n".join(path.read_text() for path in files)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_ruling_has_a_test_that_names_it(variant: str) -> None:
    names = " ".join(re.findall(r"def (test_\w+)", sources_of_tests(variant)))
    assert set(re.findall(r"_r(\d+)", names)) >= set(rulings_of(variant))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_row_of_yaku_and_dealt_hands_is_named_in_a_test_and_in_the_rules(variant: str) -> None:
    info = variant_info(variant)
    names = {row.id for row in info.yaku} | set(info.dealt_hands)
    tests, document = sources_of_tests(variant), (RULES / f"{variant}.md").read_text()
    assert not {name for name in names if not re.search(rf"\b{name}\b", tests)}
    assert not {name for name in names if f"`{name}`" not in document}


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant_info(variant).options])
def test_the_table_of_options_has_every_option_with_its_default(variant: str) -> None:
    header = next(line for line in section(variant, "Options") if line.startswith("| option ")).strip("| ").split(" | ")
    default = header.index("default") - 1
    written = {
        name: cells[default].strip("`")
        for row, cells in rows(variant, "Options").items()
        for name in re.findall(r"[\w.]+", row)
    }
    options = [option for option in variant_info(variant).options if not option.name.startswith("points.")]
    assert {name: text for name, text in written.items() if name != "points.ID"} == {
        option.name: "none" if option.default is None else json.dumps(option.default).strip('"') for option in options
    }


def test_the_sets_of_options_are_written_as_they_are() -> None:
    written = rows("koikoi", "Sets of options")
    for options in variant_info("koikoi").option_sets:
        values = [f"`{name}` {value if isinstance(value, int) else f'`{value}`'}" for name, value in options.values]
        assert written[options.name] == [", ".join(values).replace("True", "true").replace("False", "false")]
