"""The viewer in Chromium: every step beside the rules core; the keyboard alone, a phone, the dark, no scripts, zoom."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from viewer_cases import CLOCK, FORFEITS, NASTY, SEATS

from arena.bench.site import another_site, site
from arena.replays import ReplayRecord
from arena.replays.views import steps
from arena.web.viewer.document import document
from arena.web.viewer.routes import replay_routes
from arena.web.viewer.sources import source_of
from core_ext import VARIANTS
from core_ext.cards import parse_cards

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RECORDS = [*FORFEITS.values(), *SEATS.values(), CLOCK, NASTY]

PATIENCE_MS = 200_000
OWN = ("http://127.0.0.1", "blob:http://127.0.0.1")

# Step by step, each time with the next viewer's eyes: what lies where, as {"hand 0": ["1L", ...]}; backs count as null.
READ_TABLES = """async (count) => {
  const viewer = document.getElementById("viewer").dataset;
  const isDrawn = () => document.getElementById("slider").value === viewer.at
    && document.querySelector(".seats-choice [data-viewer][aria-current]").dataset.viewer === viewer.viewer;
  const drawn = async () => { while (!isDrawn()) await new Promise(requestAnimationFrame); };
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const cards = (area) => [...area.querySelectorAll(".card")]
    .map((card) => [...card.classList].find((name) => name.startsWith("card-")).slice("card-".length))
    .map((name) => (name === "back" ? null : name));
  const read = () => {
    const found = { turn: null };
    for (const seat of document.querySelectorAll("#table .seat")) {
      const number = /seat-(\\d)/.exec(seat.className)[1];
      for (const kind of ["hand", "pile"]) {
        const area = seat.querySelector("." + kind);
        if (area && (kind === "hand" || area.children.length)) found[`${kind} ${number}`] = cards(area);
      }
      if (seat.matches(".has-turn")) found.turn = Number(number);
    }
    for (const kind of ["field", "turned"]) {
      const area = document.querySelector(`#table .${kind}`);
      if (area) found[`${kind} -1`] = cards(area);
    }
    found.stock = Number(document.querySelector("#table .stock b").textContent);
    found.legal = [...document.querySelectorAll("#side .legal li")].map((one) => one.className === "chosen");
    return found;
  };
  const all = [];
  for (let number = 0; number < count; number++) {
    await drawn();
    all.push(read());
    press("ArrowRight");
    press("v");
  }
  return all;
}"""

# What stands here at so many steps, each with the next viewer's eyes, beside the page that the server makes of it.
SAME_AS_SERVED = """async (count) => {
  const slider = document.getElementById("slider");
  const text = (node) => node.data.replace(/\\s+/g, " ");
  const attributes = (element) => [...element.attributes]
    .filter((one) => one.value || one.name !== "class")
    .map((one) => `${one.name}=${one.name === "href" ? new URL(one.value, location.href).href : one.value}`);
  const write = (node) => node.nodeType === Node.TEXT_NODE ? text(node)
    : `<${node.localName} ${attributes(node).sort().join(" ")}>${[...node.childNodes].map(write).join("")}`;
  const plain = (page, id) => write(page.getElementById(id)).replace(/ *(<|>) */g, "$1").trim();
  const found = [];
  for (let number = 0; number < count; number++) {
    slider.value = Math.floor(number * slider.max / (count - 1));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    while (slider.value !== document.getElementById("viewer").dataset.at) await new Promise(requestAnimationFrame);
    const answer = await fetch(location.href);
    const served = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["table", "side"]) found.push([location.href, plain(document, id), plain(served, id)]);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "v", bubbles: true }));
    const chosen = document.querySelector(".seats-choice [data-viewer][aria-current]").dataset.viewer;
    while (document.getElementById("viewer").dataset.viewer !== chosen) await new Promise(requestAnimationFrame);
  }
  return found;
}"""

DRAWN = "() => document.getElementById('slider').value === document.getElementById('viewer').dataset.at"
SWIPE = """([start, end]) => {
  const table = document.getElementById("table");
  for (const [type, clientX] of [["pointerdown", start], ["pointerup", end]])
    table.dispatchEvent(new PointerEvent(type, { pointerType: "touch", clientX, clientY: 50, bubbles: true }));
}"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with site(replay_routes(source_of(RECORDS))) as found:
        yield found


@contextmanager
def viewing(browser: "Browser", url: str, width: int = 640, height: int = 400, **options: Any) -> "Iterator[Page]":
    """A page that is ready to step in, by default without motion; at the end nothing must have gone wrong on it."""
    options = {"reduced_motion": "reduce"} | options
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "request",
        lambda request: None if request.url.startswith(OWN) else wrong.append(request.url),
    )
    page.goto(url)
    if options.get("java_script_enabled", True):
        page.wait_for_selector("#viewer[data-ready]")
    yield page
    assert not context.cookies()
    context.close()
    assert not wrong


def expected(record: ReplayRecord) -> Iterator[list[dict[str, Any]]]:
    """By step, what the core shows to each viewer in the order of their buttons: all hands, the seats, the public."""
    for step in steps(record):
        seats = range(len(step.views) - 1)
        hands = {
            ("hand", seat): zone
            for seat in seats
            for zone in step.views[seat].zones
            if (zone.kind, zone.seat) == ("hand", seat)
        }
        found = []
        for viewer in (None, *seats, -1):
            view = step.views[-1 if viewer is None else viewer]
            zones = {(zone.kind, zone.seat): zone for zone in view.zones} | (hands if viewer is None else {})
            shown: dict[str, Any] = {
                f"{kind} {seat}": ([*zone.cards], zone.count - len(zone.cards))
                for (kind, seat), zone in zones.items()
                if kind in {"hand", "pile", "field", "turned"} and (zone.count or kind in {"hand", "field"})
            }
            discard = zones.get(("discard", -1))
            shown["field -1"] = shown.get("field -1", ([*discard.cards] if discard else [], 0))
            stock = zones.get(("stock", -1))
            shown["stock"] = stock.count if stock else 0
            turn = step.asked if viewer is None else view.turn
            shown["turn"] = turn if turn >= 0 else None
            is_asked = step.asked >= 0 and viewer in (None, step.asked)
            shown["legal"] = [index == step.chosen for index in range(len(step.legal))] if is_asked else []
            found.append(shown)
        yield found


def laid_out(found: dict[str, Any]) -> dict[str, Any]:
    """What was read off the table, cards as numbers: known ones, and how many are face down."""
    for name, names in found.items():
        if " " in name:
            cards = list(parse_cards(" ".join(one for one in names if one is not None)))
            found[name] = (cards if name == "field -1" else sorted(cards), names.count(None))
    return found


@pytest.mark.parametrize("record", [*FORFEITS.values(), *SEATS.values()], ids=lambda record: record.match_id)
def test_every_step_shows_what_the_core_showed_to_every_viewer(
    browser: "Browser", address: str, record: ReplayRecord
) -> None:
    told = list(expected(record))
    viewers = len(record.names) + 2
    with viewing(browser, f"{address}/replays/{record.match_id}") as page:
        for number, found in enumerate(page.evaluate(READ_TABLES, len(told))):
            assert laid_out(found) == told[number][number % viewers], f"step {number}, viewer {number % viewers}"


@pytest.mark.parametrize(
    "record", [*FORFEITS.values(), SEATS["four"], CLOCK, NASTY], ids=lambda record: record.match_id
)
def test_a_step_that_is_put_in_place_is_the_page_of_its_address(
    browser: "Browser", address: str, record: ReplayRecord
) -> None:
    with viewing(browser, f"{address}/replays/{record.match_id}") as page:
        for place, here, served in page.evaluate(SAME_AS_SERVED, 12):
            assert here == served, place


def test_every_key_and_button_moves_as_it_says(browser: "Browser", address: str) -> None:
    record = FORFEITS["kyogi"]
    doc = document(record)
    last = len(doc["steps"]) - 1
    second = next(at for at, step in enumerate(doc["steps"]) if step["deal"] == 1)
    own = [at for at, step in enumerate(doc["steps"]) if step["asked"] == 0]

    with viewing(browser, f"{address}/replays/{record.match_id}") as page:

        def at() -> int:
            page.wait_for_function(DRAWN)
            return int(page.locator("#viewer").get_attribute("data-at") or -1)

        for key, place in (
            ("End", last),
            ("ArrowRight", last),
            ("Home", 0),
            ("ArrowLeft", 0),
            ("ArrowDown", second),
            ("ArrowUp", 0),
            ("e", second - 1),
            ("Home", 0),
            ("Shift+ArrowRight", next(at for at in own if at > 0)),
            ("Shift+ArrowRight", [at for at in own if at > 0][1]),
            ("Shift+ArrowLeft", next(at for at in own if at > 0)),
        ):
            page.keyboard.press(key)
            assert at() == place, key
        for button, place in (("Last step", last), ("Previous step", last - 1), ("Next step", last), ("First step", 0)):
            page.get_by_role("link", name=button, exact=True).click()
            assert at() == place, button
        page.get_by_role("link", name="How this month ended").click()
        assert at() == second - 1
        assert page.get_by_role("link", name="How this month ended").count() == 0
        page.keyboard.press("?")
        page.locator("#keys").get_by_text("play, pause").wait_for()
        page.keyboard.press("ArrowRight")
        assert at() == second - 1
        page.keyboard.press("Escape")
        assert page.locator("#keys").is_hidden()
        page.locator("#timeline a").nth(1).click()
        assert at() == second
        assert f"at={second}" in page.url
        page.get_by_role("link", name="marks").focus()
        page.keyboard.press("Enter")
        assert "marks=1" in page.url
        assert "cards-marked.svg" in page.locator("#table .card").first.evaluate(
            "(one) => getComputedStyle(one).backgroundImage"
        )
        page.reload()
        page.wait_for_selector("#viewer[data-ready]")
        assert (at(), "marks=1" in page.url) == (second, True)


def test_it_plays_by_itself_to_the_end_and_stops(browser: "Browser", address: str) -> None:
    last = len(document(CLOCK)["steps"]) - 1
    with viewing(browser, f"{address}/replays/{CLOCK.match_id}?at={last - 3}") as page:
        page.locator("#speed").select_option("150")
        page.keyboard.press("Escape")
        page.locator("#play").click()
        page.wait_for_selector(f"#viewer[data-at='{last}']")
        page.wait_for_selector("#play[aria-pressed='false']")


@pytest.mark.parametrize("width", [320, 360, 390, 500])
def test_the_speeds_can_be_read_on_a_phone(browser: "Browser", address: str, width: int) -> None:
    with viewing(browser, f"{address}/replays/{CLOCK.match_id}", width, 800) as page:
        speed, last = (page.locator(one).bounding_box() for one in ("#speed", "#last"))
        page.locator("#speed").evaluate("(one) => { one.style.flex = 'none' }")
        assert speed["width"] >= page.locator("#speed").bounding_box()["width"]
        assert abs(speed["y"] - last["y"]) < speed["height"] / 2


@pytest.mark.parametrize("width", [320, 360, 640, 768, 1280])
def test_the_header_stands_in_even_rows_and_the_sum_within_its_panel(
    browser: "Browser", address: str, width: int
) -> None:
    with viewing(browser, f"{address}/replays/four?at=9999", width, 800) as page:
        looks, name = (page.locator(one).bounding_box() for one in (".looks", ".site-name"))
        assert looks["y"] + looks["height"] / 2 == pytest.approx(name["y"] + name["height"] / 2, abs=2)
        assert page.locator(".scroller").evaluate("(one) => one.scrollWidth <= one.clientWidth")
        names = page.locator(".sum .name").evaluate_all("(all) => all.map((one) => [one.innerText, one.title])")
        assert names == [[name, name] for name in ("ann", "bo", "cy", "di")]


STILL = """(count) => new Promise((done) => {
  const places = () => [...document.querySelectorAll(".seat, .middle, .controls, .moments")]
    .map((one) => one.getBoundingClientRect()).map(({ top, height }) => [Math.round(top), Math.round(height)]);
  const first = places();
  const step = (left) => {
    const now = places();
    if (!left || String(now) !== String(first)) done([first, now]);
    else {
      document.getElementById("next").click();
      requestAnimationFrame(() => requestAnimationFrame(() => step(left - 1)));
    }
  };
  step(count);
})"""
"""Where what is no card stands before so many steps, and after them, or after the first by which it moved."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 900)])
@pytest.mark.parametrize("record", SEATS.values(), ids=lambda record: record.match_id)
def test_the_table_and_its_controls_fit_the_window_and_stand_still(
    browser: "Browser", address: str, record: ReplayRecord, width: int, height: int
) -> None:
    with viewing(browser, f"{address}/replays/{record.match_id}", width, height) as page:
        table, controls = (page.locator(name).bounding_box() for name in ("#table", ".controls"))
        assert table is not None
        assert controls is not None
        assert table["y"] + table["height"] <= (controls["y"] if width < 1000 else height)
        assert controls["y"] + controls["height"] <= height
        before, after = page.evaluate(STILL, 24)
        assert before == after


MOVES = """(count) => {
  const found = [];
  for (let number = 0; number < count; number++) {
    document.getElementById("next").click();
    for (const { effect } of document.getAnimations())
      found.push([effect.target.matches(".card[data-card]"), effect.getTiming().duration]);
  }
  return found;
}"""
"""Of all that moves in so many steps: whether it is a card that is seen, and for how many milliseconds."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cards_move_to_their_places_unless_the_reader_wants_no_motion(
    browser: "Browser", address: str, motion: str
) -> None:
    with viewing(browser, f"{address}/replays/two?at=5", reduced_motion=motion) as page:
        moved = page.evaluate(MOVES, 6)
    if motion == "reduce":
        assert not moved
    else:
        assert moved
        assert all(is_card and 150 <= duration <= 250 for is_card, duration in moved)


def test_a_swipe_steps_on_a_phone(browser: "Browser", address: str) -> None:
    with viewing(browser, f"{address}/replays/two?at=5", 320, 640, has_touch=True, is_mobile=True) as page:
        for start, end, place in ((200, 100, 6), (100, 200, 5), (100, 110, 5)):
            page.evaluate(SWIPE, [start, end])
            page.wait_for_function(DRAWN)
            assert page.locator("#viewer").get_attribute("data-at") == str(place)


def test_a_picture_of_the_step_is_saved_as_png(browser: "Browser", address: str) -> None:
    with viewing(browser, f"{address}/replays/two?at=5") as page:
        with page.expect_download() as download:
            page.get_by_role("button", name="Picture as PNG").click()
        data = download.value.path().read_bytes()
        assert data.startswith(b"\x89PNG")
        assert len(data) > 10_000


@pytest.mark.parametrize(
    ("width", "height", "zoom", "scheme"),
    [(1280, 900, 1, "light"), (320, 640, 1, "dark"), (640, 450, 2, "light")],
    ids=["wide", "phone", "zoomed to 200 %"],
)
def test_axe_finds_nothing_and_nothing_hangs_out(
    browser: "Browser", address: str, width: int, height: int, zoom: int, scheme: Any
) -> None:
    hachihachi = FORFEITS["hachihachi"].match_id
    for path in (f"replays/{hachihachi}?at=23", "replays/nasty?at=9999", "embed/replays/four?at=9&seat=1"):
        with viewing(
            browser, f"{address}/{path}", width, height, color_scheme=scheme, device_scale_factor=zoom
        ) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            found = Axe().run(page)
            assert found.violations_count == 0, f"{path}\n{found.generate_report()}"


def test_without_scripts_links_do_the_same(browser: "Browser", address: str) -> None:
    with viewing(browser, f"{address}/replays/two", java_script_enabled=False) as page:
        page.get_by_role("link", name="Next step", exact=True).click()
        page.get_by_role("link", name="bo", exact=True).click()
        assert "at=1&seat=1" in page.url
        assert page.locator("#play").is_hidden()
        assert page.locator("#table .hand .card-back").count() > 0


def test_another_site_may_frame_the_embedded_page_only(browser: "Browser", address: str) -> None:
    with viewing(browser, f"{address}/replays/two", java_script_enabled=False) as page:
        code = page.locator("#embed-code").input_value()
        assert code.startswith(f'<iframe src="{address}/embed/replays/two"')
    with another_site("<!DOCTYPE html><title>Another site</title>" + code + code.replace("/embed/", "/")) as other:
        context = browser.new_context()
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(other)
        page.frame_locator("iframe").first.locator("#viewer[data-ready]").wait_for()
        assert page.frame_locator("iframe").nth(1).locator("#viewer").count() == 0
        context.close()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_sum_of_a_month_stands_beside_its_end(browser: "Browser", address: str, variant: str) -> None:
    record = FORFEITS[variant]
    doc = document(record)
    end = next(at for at, step in enumerate(doc["steps"]) if not step["decision"])
    deal = doc["deals"][doc["steps"][end]["deal"]]
    with viewing(browser, f"{address}/replays/{record.match_id}?at={end}") as page:
        rows = page.locator(".sum tbody tr").all_inner_texts()
        assert [int(number) for number in rows[-1].split()[1:]] == list(deal["after"])
        assert [int(number) for number in rows[0].split()[1:]] == list(deal["before"])
        assert [int(number) for number in rows[-2].split()[2:]] == list(deal["scores"])


def test_the_reader_s_choice_of_light_or_dark_and_of_backs_holds_on_other_pages_and_needs_no_cookie(
    browser: "Browser", address: str
) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    back = "getComputedStyle(document.querySelector('.hand .card-back')).backgroundPosition"
    with viewing(browser, f"{address}/replays/{CLOCK.match_id}?seat=0", color_scheme="dark") as page:
        dark = page.evaluate(paper)
        black = page.evaluate(back)
        page.get_by_role("button", name="Dark").click()
        page.get_by_role("button", name="Red backs").click()
        light = page.evaluate(paper)
        assert light != dark
        page.goto(f"{address}/replays/{NASTY.match_id}?seat=0")
        page.wait_for_selector("#viewer[data-ready]")
        assert page.evaluate(paper) == light
        assert page.get_by_role("button", name="Dark").get_attribute("aria-pressed") == "false"
        assert page.evaluate(back) not in ("", black)
        page.get_by_role("button", name="Dark").click()
        assert page.evaluate(paper) == dark
