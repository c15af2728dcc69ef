"""Screenshots of the site for the eye: `python -m benchmarks.screenshots FOLDER`.

The replay viewer in every variant, at the start, in the middle, at a deal's end and at the end, all hands open and as a
seat saw it; wide and as narrow as a phone, light and dark; with long names, marks, without JavaScript, in forced
colours, printed, with the focus on each control; in a page of another site; its pictures as they are saved; the cards.
Then every page over a store with leagues of 2 and of 1,000 bots, over one with nothing in it and over one whose league
is under way, and games by hand in every variant.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from arena.bench.chromium import chromium
from arena.bench.site import another_site, house_match, site
from arena.web.cards.sheet import contact_sheet
from arena.web.viewer.document import document
from arena.web.viewer.routes import replay_routes
from arena.web.viewer.sources import source_of
from benchmarks.screenshots_moving import games, live
from benchmarks.shots import PHONE, ZOOMED, Shot, opened, shoot, take
from core_ext import VARIANTS

_LONG = "a-bot-with-a-name-of-sixty-four-characters-which-is-the-longest1"
_ONE_LEAGUE = """
[[divisions]]
variant = "koikoi"
rounds = 1
boards = 1
options = { months = 1 }
"""
_FOCUSED = (1, 5, 17, 20, 22, 24, 26, 31)
"""How often Tab is pressed: the skip link, the header, the months, steps, slider, view and log."""
_TWO = f"""{_ONE_LEAGUE}
[[divisions]]
variant = "kyogi"
rounds = 1
boards = 2
"""
_ALL_VARIANTS = "".join(f'[[divisions]]\nvariant = "{variant}"\nrounds = 3\nboards = 4\n' for variant in VARIANTS)
_THOUSAND = [f"a-bot-{n:04}" for n in range(1_000)]


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
    Shot("contrast", "/replays/koikoi?at=12", has_forced_colors=True),
    Shot("print", "/replays/hachihachi?at=12", medium="print"),
    Shot("keys", "/replays/koikoi?at=12", keys=("?",)),
    *(Shot(f"focus-{place}", "/replays/koikoi?at=12", keys=("Tab",) * place) for place in _FOCUSED),
)
"""Of the viewer."""
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
        with site(replay_routes(source_of([*records.values(), long, four]))) as address:
            for variant, record in records.items():
                take(browser, folder, address, _of_variant(variant, document(record)["steps"]))
                _save(browser, folder, address, variant)
            take(browser, folder, address, VIEWER)
            _frame(browser, folder, address)
        with _arena(
            ("two", ["ann", _LONG], _TWO), ("thousand", _THOUSAND, _ONE_LEAGUE), opens=("open", _THOUSAND, _ONE_LEAGUE)
        ) as address:
            take(browser, folder, address, _of_pages("", PAGES))
            games(browser, folder, address)
        with _arena() as address:
            take(browser, folder, address, _of_pages("empty-", EMPTY))
        with _arena(
            opens=("autumn", ["ann", _LONG, "cy", "di", "ed", "fay"], _ALL_VARIANTS), bots=("search",), starts=True
        ) as address:
            live(browser, folder, address, "autumn")


def _save(browser: Browser, folder: Path, address: str, variant: str) -> None:
    """The pictures of a step as the viewer saves them."""
    page = opened(browser, Shot(variant, ""))
    page.goto(f"{address}/replays/{variant}?at=12")
    page.wait_for_selector("#viewer[data-ready]")
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture as PNG").click()
    download.value.save_as(folder / f"saved-{variant}.png")
    with page.expect_download() as download:
        page.get_by_role("link", name="Picture as SVG").click()
    download.value.save_as(folder / f"saved-{variant}.svg")
    page.context.close()


def _frame(browser: Browser, folder: Path, address: str) -> None:
    """A match in a page of another site."""
    frame = f'<iframe src="{address}/embed/replays/kyogi?at=20" width="720" height="960"></iframe>'
    with another_site(f"<!DOCTYPE html><title>A blog</title><h1>My best match</h1>{frame}<p>Well played!") as site:
        page = opened(browser, Shot("framed", ""))
        page.goto(site)
        page.frame_locator("iframe").locator("#viewer[data-ready]").wait_for()
        shoot(page, folder, "framed")
        page.context.close()


League = tuple[str, Sequence[str], str]
"""A league's name, its entrants and its divisions."""


@contextmanager
def _arena(
    *finished: League, opens: League | None = None, bots: Sequence[str] = ("greedy", "random"), starts: bool = False
) -> Iterator[str]:
    """The address of a whole site over these finished leagues and one that is open, or has just started."""
    command = [str(Path(sys.executable).parent / "arena")]
    with tempfile.TemporaryDirectory(prefix="screenshots-") as folder:

        def run(*arguments: str | Path) -> None:
            subprocess.run([*command, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)

        for verb, league in [*(("run", name) for name in finished), *([("open", opens)] if opens else [])]:
            name, names, divisions = league
            entries = ", ".join(
                f'{{ name = "{entry}", bot = "house:{bots[place % len(bots)]}" }}' for place, entry in enumerate(names)
            )
            file = Path(folder) / f"{name}.toml"
            file.write_text(f'name = "{name}"\nentries = [{entries}]\n{divisions}')
            run("league", verb, file)
        serve = [*command, "serve", "--listen", f"unix:{folder}/s", "--web", "127.0.0.1:0"]
        with subprocess.Popen(serve, cwd=folder, stderr=subprocess.PIPE, text=True) as node:
            assert node.stderr is not None
            try:
                address = next(line.split()[-1].rstrip("/") for line in node.stderr if line.startswith("pages at"))
                if opens and starts:
                    run("league", "start", opens[0])
                yield address
            finally:
                node.terminate()


def _of_pages(prefix: str, paths: Mapping[str, str]) -> Iterator[Shot]:
    """Each page wide, light and dark, as narrow as a phone, and zoomed; some in forced colours and printed."""
    for name, path in paths.items():
        yield Shot(f"{prefix}{name}", path)
        yield Shot(f"{prefix}{name}-dark", path, is_dark=True)
        yield Shot(f"{prefix}{name}-phone", path, PHONE)
        yield Shot(f"{prefix}{name}-zoomed", path, ZOOMED)
    if not prefix:
        for name in ("home", "league-two", "bot", "rules-koikoi"):
            yield Shot(f"{name}-contrast", paths[name], has_forced_colors=True)
            yield Shot(f"{name}-print", paths[name], medium="print")


def _of_variant(variant: str, steps: list[dict[str, int]]) -> Iterator[Shot]:
    """The states of the viewer in one variant."""
    end = next(number for number, step in enumerate(steps) if not step["decision"])
    places = {"start": 0, "middle": end // 2, "deal-end": end, "end": len(steps) - 1}
    for place, number in places.items():
        yield Shot(f"{variant}-{place}", f"/replays/{variant}?at={number}")
    yield Shot(f"{variant}-seat-1", f"/replays/{variant}?at={end // 2}&seat=1", is_dark=True)
    yield Shot(f"{variant}-zoomed", f"/replays/{variant}?at={end // 2}", ZOOMED)
    yield Shot(f"{variant}-phone", f"/replays/{variant}?at={end // 2}", PHONE)
    yield Shot(f"{variant}-phone-deal-end", f"/replays/{variant}?at={end}", PHONE, is_dark=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
