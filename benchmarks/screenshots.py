"""Screenshots of the site for the eye: `python -m benchmarks.screenshots FOLDER`.

The replay viewer in every variant, at the start, in the middle, at a deal's end and at the end, all hands open and as a
seat saw it; wide and as narrow as a phone, light and dark; with long names, marks, without JavaScript; and the cards.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from arena.web.cards.sheet import contact_sheet
from arena.web.viewer.document import document
from arena.web.viewer.routes import replay_routes
from benchmarks.chromium import chromium
from benchmarks.site import Matches, house_match, site
from core_ext import VARIANTS

WIDE, PHONE = (1280, 900), (320, 640)
_PATIENCE_MS = 120_000
_LONG = "a-bot-with-a-name-of-sixty-four-characters-which-is-the-longest-"


class Shot(NamedTuple):
    """A page, how it is looked at, and what the picture is called."""

    name: str
    path: str
    size: tuple[int, int] = WIDE
    is_dark: bool = False
    has_scripts: bool = True


def main(folder: Path) -> None:
    """Take all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cards.svg").write_text(contact_sheet())
    records = {variant: house_match(variant, variant) for variant in VARIANTS}
    long = house_match("hachihachi", "long-names", names=[_LONG, _LONG[:-1] + "2", "x"], options={})
    four = house_match("sangohana", "four-seats", names=["ann", "bo", "cy", "di"])
    with site(replay_routes(Matches([*records.values(), long, four]))) as address, chromium() as browser:
        shots = [
            shot for variant, record in records.items() for shot in _of_variant(variant, document(record)["steps"])
        ]
        shots += [
            Shot("long-names", "/replays/long-names?at=30"),
            Shot("long-names-phone", "/replays/long-names?at=30", PHONE),
            Shot("four-seats", "/replays/four-seats?at=25"),
            Shot("four-seats-phone", "/replays/four-seats?at=25", PHONE, is_dark=True),
            Shot("marks", "/replays/koikoi?at=12&marks=1"),
            Shot("no-scripts", "/replays/koikoi?at=12", has_scripts=False),
            Shot("embedded", "/embed/replays/koikoi?at=12", (720, 960)),
            Shot("picture", "/replays/koikoi/picture.svg?at=12", (760, 520)),
            Shot("not-found", "/replays/nothing"),
        ]
        for shot in shots:
            scheme: Literal["dark", "light"] = "dark" if shot.is_dark else "light"
            width, height = shot.size
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=shot.has_scripts
            )
            context.set_default_timeout(_PATIENCE_MS)
            page = context.new_page()
            page.goto(address + shot.path, wait_until="networkidle")
            if shot.has_scripts and page.query_selector("#viewer"):
                page.wait_for_selector("#viewer[data-ready]")
            page.screenshot(path=folder / f"{shot.name}.png", full_page=True)
            context.close()
            print(folder / f"{shot.name}.png")


def _of_variant(variant: str, steps: list[dict[str, int]]) -> Iterator[Shot]:
    """The states of the viewer in one variant."""
    end = next(at for at, step in enumerate(steps) if not step["decision"])
    places = {"start": 0, "middle": end // 2, "deal-end": end, "end": len(steps) - 1}
    for place, at in places.items():
        yield Shot(f"{variant}-{place}", f"/replays/{variant}?at={at}")
    yield Shot(f"{variant}-seat-1", f"/replays/{variant}?at={end // 2}&seat=1", is_dark=True)
    yield Shot(f"{variant}-phone", f"/replays/{variant}?at={end // 2}", PHONE)
    yield Shot(f"{variant}-phone-deal-end", f"/replays/{variant}?at={end}", PHONE, is_dark=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
