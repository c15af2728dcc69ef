"""Pages in Chromium of those who forfeited while they led, and of those of whom nothing is known yet."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from arena_command import DEADLINE_S, arena, done, pages_port, running, until
from walked_arena import FOUR, THREE, TWO, entries, forfeits, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 200_000
BOLD = """(names) => names.filter((one) => getComputedStyle(one.querySelector("strong") ?? one).fontWeight >= 600)
  .map((one) => one.innerText)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An arena in which `flaky` forfeited in each number of seats, always while it led."""
    folder = tmp_path_factory.mktemp("forfeits")
    for file in forfeits(folder):
        arena("league", "run", file, "--uncaged", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with running("web", "--listen", "127.0.0.1:0", cwd=folder) as run:
        yield f"http://127.0.0.1:{pages_port(run)}"


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("league", [TWO, THREE, FOUR])
def test_who_forfeited_while_it_led_is_nowhere_shown_as_the_winner(site: str, page: "Page", league: str) -> None:
    with urlopen(f"{site}/api/v1/matches?league={league}", timeout=DEADLINE_S) as answer:
        matches = json.load(answer)["matches"]
    assert all(one["results"][one["offender"]] == max(one["results"]) for one in matches)
    assert {one["bots"][one["offender"]] for one in matches} == {"flaky"}

    page.goto(f"{site}/matches?league={league}")
    rows = page.locator("table.listed tbody tr").all()
    assert len(rows) == len(matches)
    for row, match in zip(rows, matches, strict=True):
        names = row.locator(".seating .name")
        assert "flaky" not in names.evaluate_all(BOLD)
        assert names.all_inner_texts()[-1] == "flaky"
        points = row.locator(".seating").inner_text().split()
        assert match["scored"] == any(point.lstrip("-−").isdecimal() for point in points)

    replay = matches[0]["replay"]
    page.goto(f"{site}/replays/{replay}?at=99999")
    winners = page.locator(".match-head .seating > span:has(.mark)").all_inner_texts()
    assert winners
    assert not any(winner.startswith("flaky") for winner in winners)
    assert page.locator(".match-head .seating .name").all_inner_texts()[-1] == "flaky"

    page.goto(f"{site}/leagues/{league}")
    assert page.locator(".leader").all_inner_texts() != ["flaky"]
    assert page.locator("table.standings tbody th").all_inner_texts()[-1].strip() == "flaky"


def test_the_index_names_top_bots_once_their_ratings_are_known_the_highest_first(
    folder: Path, site: str, page: "Page"
) -> None:
    keys = 'variant = "kyogi"\nrounds = {}\nboards = {}\n'
    kyogi = page.locator(".games li:has(a[href='/rules/kyogi'])")
    bots = entries(["greedy", "search"], ["house:greedy", "house:random"])
    done("league", "run", write(folder, "short", keys.format(3, 1) + bots), cwd=folder)
    until(lambda: page.goto(f"{site}/") and page.locator("a:text-is('short')").count(), "the index has the league")
    assert "Not enough boards have been played yet." in kyogi.inner_text()
    assert kyogi.locator(".name").count() == 0
    bots = entries(["zoe", "ann"], ["house:greedy", "house:random"])
    done("league", "run", write(folder, "long", keys.format(1, 24) + bots), cwd=folder)
    until(lambda: page.goto(f"{site}/") and kyogi.locator(".name").count(), "the index has seen the league's end")
    assert kyogi.locator(".name").all_inner_texts() == ["zoe", "ann"]
    ratings = [int(text.split()[-1]) for text in kyogi.locator("ol .soft").all_inner_texts()]
    assert ratings == sorted(ratings, reverse=True)


def test_rules_say_at_its_name_that_a_yaku_is_off_by_default(site: str, page: "Page") -> None:
    page.goto(f"{site}/rules/koikoi")
    marked = page.locator(".yaku-row:has(.mark:text-is('off by default'))")
    ids = marked.evaluate_all("(all) => all.map((one) => one.id)")
    assert sorted(ids) == ["yaku-akatan_aotan", "yaku-omote_sugawara", "yaku-yontan"]
    assert all(one.locator("h3 .mark").is_visible() for one in marked.all())
