"""The analysis on the viewer's page: who may ask for it, what the page says then, and how it works in Chromium."""

import http.client
import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError

import pytest
from analysis_cases import FullShelf
from arena_command import DEADLINE_S
from axe_playwright_python.sync_playwright import Axe
from test_viewer_browser import DRAWN, SAME_AS_SERVED, viewing
from test_viewer_pages import read, valid
from viewer_cases import FORFEITS, NASTY, SEATS

from arena.bench.site import house_match, site
from arena.web.viewer.analysis.analyses import Analyses
from arena.web.viewer.routes import replay_routes
from arena.web.viewer.sources import source_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ANALYSED = [FORFEITS["koikoi"], FORFEITS["hachihachi"], SEATS["two"], SEATS["four"], NASTY]
FRESH = house_match("koikoi", "fresh", options={"months": 1})
OTHER = house_match("koikoi", "other", seed="other", options={"months": 1})


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    routes = replay_routes(source_of([*ANALYSED, FRESH, OTHER]), analyses=Analyses(FullShelf(ANALYSED), idle=False))
    with site(routes) as found:
        yield found


def analysis(address: str, match: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(read(f"{address}/api/v1/replays/{match}/analysis"))
    return found


def asked(address: str, path: str, **headers: str) -> http.client.HTTPResponse:
    """The answer to a form, without following where it leads."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=DEADLINE_S)
    connection.request("POST", path, b"", headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def marked(address: str, match: str) -> list[dict[str, Any]]:
    found = [one for one in analysis(address, match)["decisions"] if one["verdict"] != "good"]
    return sorted(found, key=lambda one: -float(one["loss"]))


def test_only_a_form_of_the_site_asks_and_reading_never_does(address: str) -> None:
    path = "/replays/other/analysis"
    assert asked(address, path).status == 403
    assert asked(address, path, origin="http://elsewhere.example").status == 403
    assert asked(address, "/replays/nothing/analysis", origin=address).status == 404
    with pytest.raises(HTTPError, match="404"):
        read(f"{address}{path}")
    for page in ("/embed/replays/other", "/replays/other?at=3"):
        read(f"{address}{page}")
    assert analysis(address, "other") == {"state": "unknown"}


def test_without_scripts_a_form_asks_and_the_page_shows_how_far_it_is_then_the_marks(address: str) -> None:
    before = valid(read(f"{address}/replays/fresh?at=2&seat=1"))
    assert 'action="/replays/fresh/analysis?at=2&amp;seat=1"' in before
    answer = asked(address, "/replays/fresh/analysis?at=2&seat=1", origin=address)
    assert (answer.status, answer.headers["location"]) == (303, "/replays/fresh?at=2&seat=1")
    while (found := analysis(address, "fresh"))["state"] == "waits":
        page = valid(read(f"{address}/replays/fresh?at=2"))
        assert ("decisions." in page and 'http-equiv="refresh"' in page) or "analysis-title" in page
        time.sleep(0.1)  # as a reader's page does
    assert found["state"] == "known"
    page = valid(read(f"{address}/replays/fresh?at=2"))
    assert "http-equiv" not in page
    assert "analysis-title" in page
    assert 'id="analyse"' not in page


@pytest.mark.parametrize("record", ANALYSED, ids=lambda record: record.match_id)
def test_what_stands_at_a_mark_is_what_was_found(address: str, record: Any) -> None:
    match = record.match_id
    found = analysis(address, match)
    for one in found["seats"]:
        assert one["luck"] + one["play"] == pytest.approx(one["margin"])
    worst = marked(address, match)
    page = valid(read(f"{address}/replays/{match}"))
    assert page.count('<li class="seat-') >= len(worst)
    for one in worst[:4]:
        page = valid(read(f"{address}/replays/{match}?at={one['step']}"))
        side = page.partition('id="decision"')[2].partition("</section>")[0]
        assert f"{one['verdict'].capitalize()}: {one['loss']:.1f} ±" in side
        assert side.count('class="best"') == 1
        # Who does not see the seat's choices is not told what it should have chosen.
        other = read(f"{address}/replays/{match}?at={one['step']}&seat={(one['seat'] + 1) % len(record.names)}")
        assert 'class="best"' not in other
        assert " better" not in other.partition('id="table"')[2].partition('class="controls"')[0]
    embedded = valid(read(f"{address}/embed/replays/{match}"))
    assert 'id="chances"' in embedded
    assert "/analysis" not in valid(read(f"{address}/embed/replays/other"))


@pytest.mark.browser
def test_the_reader_asks_follows_the_progress_and_steps_from_mark_to_mark(browser: "Browser", address: str) -> None:
    with viewing(browser, f"{address}/replays/other?at=3&seat=1", 1280, 900) as page:
        table = page.locator("#table").bounding_box()
        page.get_by_role("button", name="Analyse this match").click()
        page.locator("#analysis").wait_for()
        page.wait_for_selector("#viewer[data-ready]")
        assert page.locator("#table").bounding_box() == table, "the table stays where it is"
        assert "at=3&seat=1" in page.url
    worst = marked(address, "two")
    with viewing(browser, f"{address}/replays/two", 1280, 900) as page:
        page.locator(".worst a").first.click()
        page.wait_for_function(DRAWN)
        assert page.locator("#viewer").get_attribute("data-at") == str(worst[0]["step"])
        assert page.locator("#side .legal .best").count() == 1
        at = float(page.locator("#chance-now").get_attribute("transform").partition("(")[2].rstrip(")"))
        last = int(page.locator("#slider").get_attribute("max") or 0)
        assert at == pytest.approx(300 * worst[0]["step"] / last, abs=1)
        curve = page.locator("#chances svg").bounding_box()
        page.locator("#chances svg").click(position={"x": curve["width"] / 2, "y": 10})
        page.wait_for_function(DRAWN)
        assert abs(int(page.locator("#viewer").get_attribute("data-at") or 0) - last / 2) <= 1
        for place, here, served in page.evaluate(SAME_AS_SERVED, 6):
            assert here == served, place


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height", "scheme"), [(1280, 900, "light"), (390, 844, "dark"), (320, 640, "light")])
def test_axe_finds_nothing_on_an_analysed_match_and_nothing_hangs_out(
    browser: "Browser", address: str, width: int, height: int, scheme: Any
) -> None:
    for match in ("two", "four", "nasty"):
        at = next((one["step"] for one in marked(address, match)), 0)
        with viewing(browser, f"{address}/replays/{match}?at={at}", width, height, color_scheme=scheme) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width, match
            found = Axe().run(page)
            assert found.violations_count == 0, f"{match}\n{found.generate_report()}"
