"""Playing by hand in Chromium: by keyboard to the end, by touch on a phone, what is in sight, what axe finds."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from arena_command import done, league_file, pages_port, running
from axe_playwright_python.sync_playwright import Axe

from core_ext import VARIANTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 200_000
TO_DO = "#game[data-waits=true], #go-on, #moves a[href='/play']"

HAND_IN_SIGHT = """() => {
  const [hand, choices] = ["#table > .seat .hand", "#game .moves"].map((part) =>
    document.querySelector(part).getBoundingClientRect());
  return hand.bottom <= choices.top;
}"""

WINDOWS = ((1440, 900), (1280, 800), (390, 844))
OUT_OF_SIGHT = """() => [...document.querySelectorAll("#moves :is(#moves-title, button, .ways a, .placing li)")]
  .filter((one) => { const { top, bottom } = one.getBoundingClientRect(); return top < 0 || bottom > innerHeight; })
  .map((one) => one.innerText)"""
MAX_CHOICES = 13
WITH_MOST_CHOICES = """(most) => {
  const list = document.querySelector("#moves .legal");
  const take = [...list.children].find((one) => one.querySelectorAll(".card").length > 1) ?? list.firstElementChild;
  while (list.children.length < most) list.append(take.cloneNode(true));
}"""
"""As many choices as a matching game has at most: twelve months of random play, 300 times, had no more."""
SCORES = """() => [...document.querySelectorAll("#table .seat")].map((seat) => [
  seat.querySelector(".name").innerText,
  [...seat.querySelectorAll(".counters span")].find((one) => one.innerText.startsWith("score")).lastChild.innerText])"""
TAKE_MOST = """() => {
  const cards = (button) => button.dataset.cards.split(" ").length;
  const choices = [...document.querySelectorAll(".legal button")];
  choices.reduce((one, other) => (cards(other) > cards(one) ? other : one)).click();
}"""


def out_of_sight(page: "Page") -> list[tuple[int, str]]:
    """What is asked, offered or told that lies outside of one of the windows, with the window's width."""
    found: list[tuple[int, str]] = []
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        found += [(width, one) for one in page.evaluate(OUT_OF_SIGHT)]
    return found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("games")
    done("league", "run", league_file(folder, ["house:random"] * 2, rounds=1, boards=1), cwd=folder)
    with running("web", "--listen", "127.0.0.1:0", cwd=folder) as run:
        yield f"http://127.0.0.1:{pages_port(run)}"


def page_of(browser: "Browser", width: int = 1280, *, dark: bool = False, touch: bool = False) -> "Page":
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light", has_touch=touch
    )
    context.set_default_timeout(PATIENCE_MS)
    return context.new_page()


def begin(page: "Page", address: str, variant: str, months: int = 1) -> None:
    """A game against `random`, shown at once rather than step by step."""
    page.goto(f"{address}/play")
    choice = page.locator(f"section[aria-labelledby=play-{variant}]")
    choice.get_by_label("against").select_option("random")
    if variant == "koikoi":
        choice.get_by_label("months").select_option(str(months))
    with page.expect_navigation() as begun:
        choice.get_by_role("button").press("Enter")
    assert begun.value.ok, page.inner_text("main")
    page.wait_for_selector("#game[data-ready]")
    page.get_by_label("Pace").select_option("at once")
    page.wait_for_selector(TO_DO)


def month_by_keyboard(page: "Page", address: str) -> int:
    """A month of koikoi played to its end; how many moves it took."""
    begin(page, address, "koikoi")
    page.locator("#moves-title").focus()
    page.evaluate("window.loadedOnce = true")
    moves = 0
    while not page.query_selector("#moves a[href^='/replays/']"):
        if page.query_selector("#game[data-waits=true]"):
            step = page.get_attribute("#game", "data-at")
            page.keyboard.press(["ArrowRight", "1", "ArrowLeft"][moves % 3])
            if moves % 3 != 1:
                page.keyboard.press("Enter")
            page.wait_for_function("step => document.getElementById('game').dataset.at !== step", arg=step)
            moves += 1
        else:
            page.keyboard.press("Enter")
        page.wait_for_selector(TO_DO)
    return moves


def test_a_month_is_played_by_keyboard_to_its_end_and_its_replay_opened(browser: "Browser", address: str) -> None:
    page = page_of(browser)
    # A month may be over with its deal, or by the opponent's first two cards.
    while month_by_keyboard(page, address) < 4:
        pass
    assert page.evaluate("window.loadedOnce")
    assert page.inner_text("#moves-title") == "The match was played to its end."
    assert page.inner_text("#moves").count("The match") == 1
    assert not out_of_sight(page)
    placing = [text.rsplit(maxsplit=1) for text in page.locator("#moves .placing li").all_inner_texts()]
    assert sorted(page.evaluate(SCORES)) == sorted(placing)
    assert page.evaluate("document.activeElement.textContent") == "See the replay"
    assert not Axe().run(page).violations_count
    page.keyboard.press("Enter")
    page.wait_for_selector("#viewer[data-ready]")
    assert "a person" in page.inner_text("h1")
    page.context.close()


def test_all_that_is_asked_is_in_sight_the_choice_to_stop_too_and_leaving_asks_first(
    browser: "Browser", address: str
) -> None:
    page = page_of(browser)
    begin(page, address, "koikoi", months=12)
    while page.query_selector("#go-on"):
        page.click("#go-on")
        page.wait_for_selector(TO_DO)
    kept = page.inner_html("#moves")
    page.evaluate(WITH_MOST_CHOICES, MAX_CHOICES)
    assert not out_of_sight(page)
    page.evaluate("(kept) => { document.getElementById('moves').innerHTML = kept; }", kept)
    stop = page.locator("#moves button[data-cards='']")
    while True:
        assert not out_of_sight(page)
        if stop.count():
            break
        step = page.get_attribute("#game", "data-at")
        if page.query_selector("#go-on"):
            page.click("#go-on")
        else:
            page.evaluate(TAKE_MOST)
        page.wait_for_function("step => document.getElementById('game').dataset.at !== step", arg=step)
        page.wait_for_selector(TO_DO)
    assert len(stop.all_inner_texts()) == 2
    end = page.get_by_role("button", name="End it")
    assert not end.is_visible()
    page.get_by_text("Leave the game").click()
    assert end.is_visible()
    assert stop.first.is_enabled()
    end.click()
    page.wait_for_url("**/play")
    page.context.close()


def test_after_a_restart_of_the_arena_a_move_says_that_the_game_is_gone(browser: "Browser", tmp_path: Path) -> None:
    page = page_of(browser)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        port = pages_port(run)
        begin(page, f"http://127.0.0.1:{port}", "kyogi")
        while page.query_selector("#go-on"):
            page.click("#go-on")
            page.wait_for_selector(TO_DO)
    with running("web", "--listen", f"127.0.0.1:{port}", cwd=tmp_path) as run:
        pages_port(run)
        page.locator(".legal button").first.click()
        page.wait_for_selector("#moves-title:has-text('This game is gone')")
        assert page.locator("#moves button").count() == 0
        assert not out_of_sight(page)
    page.context.close()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_card_is_touched_in_every_variant_on_a_phone(browser: "Browser", address: str, variant: str) -> None:
    page = page_of(browser, 320, dark=True, touch=True)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    # A single month of koikoi may be over by two cards of the opponent's, and then there is nothing to leave.
    begin(page, address, variant, months=12)
    while page.query_selector("#go-on"):
        page.tap("#go-on")
        page.wait_for_selector(TO_DO)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(HAND_IN_SIGHT), "the own hand lies below what is asked"
    page.set_viewport_size({"width": 320, "height": 800})
    step = page.get_attribute("#game", "data-at")
    if page.query_selector("#table .playable"):
        page.locator("#table .playable").first.tap()
        if page.get_attribute("#game", "data-at") == step and page.query_selector(".legal .meant:enabled"):
            page.locator(".legal .meant").first.tap()
    else:
        page.locator(".legal button").first.tap()
    page.wait_for_function("step => document.getElementById('game').dataset.at !== step", arg=step)
    page.wait_for_selector(TO_DO)
    page.locator("#yaku-at-hand summary").tap()
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert not faults
    # An address has four games at most, and there are five variants.
    page.get_by_text("Leave the game").click()
    page.get_by_role("button", name="End it").click()
    page.wait_for_url("**/play")
    page.context.close()


def test_the_choice_of_games_is_clean_and_narrow_enough(browser: "Browser", address: str) -> None:
    for dark in (False, True):
        page = page_of(browser, 320, dark=dark)
        page.goto(f"{address}/play")
        found = Axe().run(page)
        assert not found.violations_count, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.context.close()
