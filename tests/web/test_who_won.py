"""Winners on pages are those that leagues count: who forfeited is last, however many points it had."""

import re

import pytest

from arena.league.estimates import Interval
from arena.league.table_row import TableRow
from arena.match.model import End
from arena.match.outcome import placing
from arena.web.environment import environment_in
from arena.web.language import ENGLISH
from arena.web.site.bots import outcome
from arena.web.site.documents import ENDS, ReplayDocument
from arena.web.site.reader import strongest_of
from arena.web.site.rules import rules
from core_ext import VARIANTS


def match(results: tuple[int, ...], offender: int, *, scored: bool = True) -> ReplayDocument:
    bots = ("flaky", "bo", "cy", "di")[: len(results)]
    end = (End.TIMEOUT if offender >= 0 else End.COMPLETED).value
    return ReplayDocument(
        "m", "", "sangohana", bots, results, placing(results, offender), scored, end, offender, thinking=(), time=""
    )


def listed(shown: ReplayDocument) -> str:
    parts = environment_in(ENGLISH).get_template("site_parts.html").module
    return str(parts.match_table([shown], ENDS))  # type: ignore[attr-defined]


@pytest.mark.parametrize("results", [(61, 20), (61, 20, -81), (61, 20, -11, -70)])
def test_who_forfeited_is_never_set_as_the_winner_and_stands_last(results: tuple[int, ...]) -> None:
    page = listed(match(results, offender=0))
    assert re.findall(r"<strong>(\w+)</strong>", page) == ["bo"]
    names = re.findall(r'class="name">(?:<strong>)?(\w+)', page)
    assert (names[0], names[-1]) == ("bo", "flaky")


def test_scores_as_they_stood_are_not_shown_beside_final_results_of_another_unit() -> None:
    assert ">61<" in listed(match((61, 20), offender=0))
    assert ">61<" not in listed(match((61, 20), offender=0, scored=False))


def test_of_three_only_the_best_of_those_that_did_not_forfeit_has_won() -> None:
    shown = match((61, 20, -81), offender=0)
    assert [outcome(shown, seat) for seat in range(3)] == [0, 2, 0]
    assert outcome(shown, 2, 0) == 2
    assert outcome(shown, 1, 2) == 2


def row(bot: str, rating: Interval | None) -> TableRow:
    values = dict.fromkeys(TableRow.__struct_fields__, 0) | {"bot": bot, "rating": rating}
    return TableRow(**values)  # type: ignore[arg-type]


def test_the_top_bots_are_those_with_the_highest_ratings_that_are_known() -> None:
    rows = [row("greedy", Interval(1480, 1400, 1560)), row("search", Interval(1600, 1500, 1700))]
    assert [one.bot for one in strongest_of(rows)] == ["search", "greedy"]
    assert not strongest_of([row("greedy", Interval(1480, None, None)), row("search", None)])


def test_rules_say_which_yaku_are_off_by_default() -> None:
    off = {variant: {one.id for one in rules(variant).yaku if not one.counts} for variant in VARIANTS}
    koikoi = {"akatan_aotan", "omote_sugawara", "yontan"}
    assert off == {variant: set[str]() for variant in VARIANTS} | {"koikoi": koikoi}
