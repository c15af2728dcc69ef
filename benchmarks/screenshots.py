"""Screenshots of the site for the eye: `python -m benchmarks.screenshots FOLDER`.

The replay viewer in every variant, at the start, in the middle, at a deal's end and at the end, all hands open and as a
seat saw it; wide and as narrow as a phone, light and dark; with long names, marks, without JavaScript; and the cards.
Then every page over a store with leagues of 2 and of 1,000 bots, over one with nothing in it, and a game by hand in
every variant.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page

from arena.web.cards.sheet import contact_sheet
from arena.web.viewer.document import document
from arena.web.viewer.routes import replay_routes
from benchmarks.chromium import chromium
from benchmarks.site import Matches, house_match, site
from core_ext import VARIANTS

WIDE, PHONE, ZOOMED = (1280, 900), (320, 640), (640, 450)
"""The last is how a wide window is at 200 % zoom."""
_PATIENCE_MS = 120_000
_MOVES = 4
_LONG = "a-bot-with-a-name-of-sixty-four-characters-which-is-the-longest1"
_ONE = """
[[divisions]]
variant = "koikoi"
rounds = 1
boards = 1
options = { months = 1 }
"""
_TWO = f"""{_ONE}
[[divisions]]
variant = "kyogi"
rounds = 1
boards = 2
"""


class Shot(NamedTuple):
    """A page, how it is looked at, and what the picture is called."""

    name: str
    path: str
    size: tuple[int, int] = WIDE
    is_dark: bool = False
    has_scripts: bool = True


VIEWER = (
    Shot("long-names", "/replays/long-names?at=30"),
    Shot("long-names-phone", "/replays/long-names?at=30", PHONE),
    Shot("four-seats", "/replays/four-seats?at=25"),
    Shot("four-seats-phone", "/replays/four-seats?at=25", PHONE, is_dark=True),
    Shot("marks", "/replays/koikoi?at=12&marks=1"),
    Shot("no-scripts", "/replays/koikoi?at=12", has_scripts=False),
    Shot("embedded", "/embed/replays/koikoi?at=12", (720, 960)),
    Shot("picture", "/replays/koikoi/picture.svg?at=12", (760, 520)),
    Shot("not-found", "/replays/nothing"),
)
EMPTY = {
    "home": "/",
    "leagues": "/leagues",
    "bots": "/bots",
    "matches": "/matches",
    "live": "/live",
    "play": "/play",
    "nothing": "/nothing",
}
PAGES = EMPTY | {
    "league-two": "/leagues/two",
    "league-thousand": "/leagues/thousand",
    "league-open": "/leagues/open",
    "round": "/leagues/two/koikoi/rounds/1",
    "bot": "/bots/ann",
    "bot-long": f"/bots/{_LONG}",
    "glossary": "/docs/glossary",
    **{f"rules-{variant}": f"/rules/{variant}" for variant in VARIANTS},
}


def main(folder: Path) -> None:
    """Take all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cards.svg").write_text(contact_sheet())
    records = {variant: house_match(variant, variant) for variant in VARIANTS}
    long = house_match("hachihachi", "long-names", names=[_LONG, _LONG[:-1] + "2", "x"], options={})
    four = house_match("sangohana", "four-seats", names=["ann", "bo", "cy", "di"])
    with chromium() as browser:
        with site(replay_routes(Matches([*records.values(), long, four]))) as address:
            for variant, record in records.items():
                _take(browser, folder, address, _of_variant(variant, document(record)["steps"]))
            _take(browser, folder, address, VIEWER)
        for stocked, prefix in ((True, ""), (False, "empty-")):
            with _arena(stocked=stocked) as address:
                _take(browser, folder, address, _of_pages(prefix, PAGES if stocked else EMPTY))
                if stocked:
                    _play(browser, folder, address)


def _take(browser: Browser, folder: Path, address: str, shots: Iterable[Shot]) -> None:
    for shot in shots:
        context = _context(browser, shot)
        page = context.new_page()
        page.goto(address + shot.path, wait_until="load")
        if shot.has_scripts and page.query_selector("#viewer"):
            page.wait_for_selector("#viewer[data-ready]")
        _shoot(page, folder, shot.name)
        context.close()


def _play(browser: Browser, folder: Path, address: str) -> None:
    """A few moves of a game in every variant."""
    for variant in VARIANTS:
        for shot in (Shot(f"game-{variant}", "/play"), Shot(f"game-{variant}-phone", "/play", PHONE, is_dark=True)):
            context = _context(browser, shot)
            page = context.new_page()
            page.goto(address + shot.path)
            page.click(f"section[aria-labelledby=play-{variant}] button")
            page.wait_for_selector("#game[data-ready]")
            page.get_by_label("Pace").select_option("at once")
            for _ in range(_MOVES):
                page.wait_for_selector("#game[data-waits=true], #go-on, #moves a")
                button = page.locator(".moves .legal button, #go-on, #moves a").first
                button.click()
            page.wait_for_selector("#game[data-waits=true], #go-on, #moves a")
            _shoot(page, folder, shot.name)
            if leaving := page.query_selector("form[action$='/leave'] button"):
                leaving.click()  # one reader may not play more than a few games at once
                page.wait_for_load_state()
            context.close()


def _context(browser: Browser, shot: Shot) -> BrowserContext:
    scheme: Literal["dark", "light"] = "dark" if shot.is_dark else "light"
    width, height = shot.size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=shot.has_scripts
    )
    context.set_default_timeout(_PATIENCE_MS)
    return context


def _shoot(page: Page, folder: Path, name: str) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth")
    size = page.viewport_size
    page.screenshot(path=folder / f"{name}.png", full_page=page.query_selector("body") is not None)
    over = f", {wide} pixels wide" if size and wide > size["width"] else ""
    print(f"{folder / name}.png{over}")


@contextmanager
def _arena(*, stocked: bool) -> Iterator[str]:
    """The address of a whole site, over leagues of 2 and of 1,000 bots, or over an empty store."""
    command = [str(Path(sys.executable).parent / "arena")]
    with tempfile.TemporaryDirectory(prefix="screenshots-") as folder:
        if stocked:
            thousand = [f"a-bot-{n:04}" for n in range(1_000)]
            for name, bots, divisions in (("two", ["ann", _LONG], _TWO), ("thousand", thousand, _ONE)):
                entries = ", ".join(
                    f'{{ name = "{bot}", bot = "house:{"random" if n % 2 else "greedy"}" }}'
                    for n, bot in enumerate(bots)
                )
                file = Path(folder) / f"{name}.toml"
                file.write_text(f'name = "{name}"\nentries = [{entries}]\n{divisions}')
                subprocess.run([*command, "league", "run", file], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            file.write_text(f'name = "open"\nentries = [{entries}]\n{_ONE}')
            subprocess.run([*command, "league", "open", file], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        serve = [*command, "serve", "--listen", f"unix:{folder}/s", "--web", "127.0.0.1:0"]
        with subprocess.Popen(serve, cwd=folder, stderr=subprocess.PIPE, text=True) as node:
            assert node.stderr is not None
            try:
                yield next(line.split()[-1].rstrip("/") for line in node.stderr if line.startswith("pages at"))
            finally:
                node.terminate()


def _of_pages(prefix: str, paths: Mapping[str, str]) -> Iterator[Shot]:
    """Each page wide, light and dark, as narrow as a phone, and zoomed."""
    for name, path in paths.items():
        yield Shot(f"{prefix}{name}", path)
        yield Shot(f"{prefix}{name}-dark", path, is_dark=True)
        yield Shot(f"{prefix}{name}-phone", path, PHONE)
        yield Shot(f"{prefix}{name}-zoomed", path, ZOOMED)


def _of_variant(variant: str, steps: list[dict[str, int]]) -> Iterator[Shot]:
    """The states of the viewer in one variant."""
    end = next(at for at, step in enumerate(steps) if not step["decision"])
    places = {"start": 0, "middle": end // 2, "deal-end": end, "end": len(steps) - 1}
    for place, at in places.items():
        yield Shot(f"{variant}-{place}", f"/replays/{variant}?at={at}")
    yield Shot(f"{variant}-seat-1", f"/replays/{variant}?at={end // 2}&seat=1", is_dark=True)
    yield Shot(f"{variant}-zoomed", f"/replays/{variant}?at={end // 2}", ZOOMED)
    yield Shot(f"{variant}-phone", f"/replays/{variant}?at={end // 2}", PHONE)
    yield Shot(f"{variant}-phone-deal-end", f"/replays/{variant}?at={end}", PHONE, is_dark=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
