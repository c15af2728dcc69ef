"""A walk over every page of an arena with all that pages can show, in a real browser: `make walk`, some minutes.

`python tests/web/walk.py [--arena FOLDER] [--only PATTERN] [--pictures FOLDER]`: exit status 1 where anything was
found. The arena is that of `walked_arena.py`; a FOLDER keeps it for the next walk. Of pages that differ in nothing but
numbers, one is walked. Each is opened as by a phone, and at 1,280 and 1,440 pixels, in light and dark, in English and
Japanese, and has to

- fit: nothing hangs out, is cut off or overlaps, and what is touched is large enough (44 pixels on a phone, else 24);
- be light: 12 requests and 60 KB at most, as Chromium receives them with their heads, all of them from the site itself;
- be painted for the first time within 0.3 s, the fastest of `VISITS` first visits: others are the machine's time too;
- please axe and html-validate, contrast and target sizes included;
- lead nowhere that is not there;
- stand still while a match is stepped through.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from axe_playwright_python.sync_playwright import Axe
from site_client import SiteUnderTest
from walked_arena import play, serving

from arena.bench.chromium import chromium
from core_ext import VARIANTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HTML_VALIDATE = ROOT / ".venv/walk/node_modules/.bin/html-validate"
FAULTS = (HERE / "page_faults.js").read_text()
MAX_REQUESTS, MAX_BYTES = 12, 60_000
HEIGHTS = {390: 844, 1280: 800, 1440: 900}
SLOW_MS = 300
VISITS = 6
PATIENCE_MS = 120_000
HTML_RULES = {
    "root": True,
    "extends": ["html-validate:recommended"],
    "rules": {
        "long-title": "off",  # a title says who plays whom
        "meta-refresh": "off",  # a page without scripts looks again
    },
}
NO_PAGES = ("/static/", "/cards", "/data/decisions", "/data/deals")
PREFIXES = ("", "/ja")
NOTHING = "/nothing"
ALSO = ("/learn", "/learn?deal=1&moves=5.0.1.3", NOTHING, "/search?q=W", "/matches?league=nothing", "/replays/sample")
"""Where no link leads, or another one than the walk would take."""
READY = "#viewer:not([data-ready]), #board:not([data-ready]), #game:not([data-ready])"
PAINTED = """async () => {
  const painted = () => performance.getEntriesByName("first-contentful-paint")[0];
  while (!painted()) await new Promise((done) => requestAnimationFrame(done));
  return painted().startTime;
}"""
STEPPED = """async (steps) => {
  const shifts = [];
  const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
  observer.observe({ type: "layout-shift" });
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (let step = 0; step < steps; step++) {
    document.getElementById("next").click();
    await frame();
  }
  shifts.push(...observer.takeRecords());
  const nodes = shifts.flatMap((one) => one.sources).map(({ node }) => node);
  const moved = nodes.map((node) => (node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement));
  return [...new Set(moved.filter(Boolean).map((one) => `${one.localName}.${[...one.classList].join(".")}`))];
}"""
STEPS = 60


class Kind(NamedTuple):
    """What pages that differ in numbers alone have in common."""

    place: str
    query: str


def kind(address: str) -> Kind:
    """The kind of a page: a league's rounds, or its replays of a variant; what is asked for in the same way."""
    path, _, query = address.partition("?")
    if query:
        path = path.rpartition("/")[0] if path.count("/") > 1 else path
        path = re.sub(r"^/(\w+)/.*", r"/\1/", path)
    if found := re.match(r"/(replays|embed/replays|live)/([^/]+?)\.(\w+)\.r\d+\.", path):
        path = "/".join(found.groups()) + path[found.end() :].partition("/")[2]
    return Kind(re.sub(r"/rounds/\d+", "/rounds", path), " ".join(sorted(re.findall(r"(\w+)=", query))))


class Walk:
    """The walk over a site: what was found, and what pages took."""

    def __init__(self, port: int, browser: "Browser", pictures: Path | None) -> None:
        self.site = SiteUnderTest(port)
        self.base = f"http://127.0.0.1:{port}"
        self.browser = browser
        self.pictures = pictures
        self.found: dict[str, list[str]] = {}
        self.painted: dict[str, float] = {}
        self.largest = (0.0, "")
        self.most = (0, "")
        self.pages: dict[str, str] = {}

    def fault(self, what: str, where: str) -> None:
        """Note what is wrong, and where."""
        places = self.found.setdefault(what, [])
        places.append(where)
        if len(places) == 1:
            print(f"{what}\n     {where}", flush=True)

    def discover(self, wanted: Callable[[str], bool]) -> list[str]:
        """The pages that links lead to, a few of each kind; every other link has to lead somewhere."""
        taken: set[Kind] = set()
        queue = ["/", *ALSO]
        known = set(queue)
        pages = []
        for address in queue:
            place = kind(address)
            if place in taken or address.startswith(NO_PAGES):
                continue
            taken.add(place)
            answer = self.site.get(address)
            if answer.status != (404 if address == NOTHING else 200) and answer.status not in (303, 307):
                self.fault(f"the link answers with {answer.status}", address)
            if not (answer.headers.get("content-type") or "").startswith("text/html"):
                continue
            if answer.status in (200, 404) and "/steps" not in address:
                pages.append(address)
                self.pages[address] = answer.text
            for link in re.findall(r'(?:href|src)="(/[^"]*)"', answer.text):
                link = unescape(link).partition("#")[0]
                if link not in known and not link.startswith(("/ja/", "/language", "/play/")) and link != "/ja":
                    known.add(link)
                    queue.append(link)
        self.check_fragments()
        for begin in ("/live", "/live/", "/replays/", "/leagues/", "/bots/", "/play"):
            if not any(page.startswith(begin) for page in pages):
                self.fault("no page of this kind is found", begin)
        # Matches that are played now first: they end.
        return sorted((page for page in pages if wanted(page)), key=lambda page: not page.startswith("/live"))

    def check_fragments(self) -> None:
        """A link to a part of a page leads to one that is there."""
        for address, text in self.pages.items():
            ids = set(re.findall(r'\bid="([^"]+)"', text))
            for fragment in re.findall(r'href="#([^"]+)"', text):
                if unescape(fragment) not in map(unescape, ids):
                    self.fault(f"there is no #{fragment}", address)

    @contextmanager
    def opened(self, address: str, width: int, *, weighed: bool = False, **options: Any) -> "Iterator[Page]":
        """A page in a browser that knows nothing yet; what it may not do is noted."""
        height = HEIGHTS[width]
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", **options
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: self.fault(f"script: {error}", address))
        page.on(
            "console",
            lambda said: (
                self.fault(f"console: {said.text}", address)
                if said.type == "error" and "404 (Not Found)" not in said.text
                else None
            ),
        )
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((self.base, "data:", "blob:"))
                else self.fault(f"asks {asked.url}", address)
            ),
        )
        with self.weighing(address, page) if weighed else nullcontext():
            page.goto(self.base + address, wait_until="load")
        page.wait_for_function(f"!document.querySelector({READY!r})")
        yield page
        context.close()

    def visit(self, address: str) -> None:
        """Open a page at each width, and note all that is wrong with it. Contrasts are the same in every language."""
        rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        contrast = {"type": "rule", "values": ["color-contrast"]}
        is_first = not address.startswith(PREFIXES[1])
        for width, least, schemes in ((390, 44, ("light", "dark")), (1440, 24, ("dark", "light"))):
            phone: dict[str, Any] = {"has_touch": True, "is_mobile": True} if width == 390 else {}
            with self.opened(address, width, weighed=width == 1440, color_scheme=schemes[0], **phone) as page:
                self.paint(address, page)
                for at in (1280, 1440) if width == 1440 else (390,):
                    page.set_viewport_size({"width": at, "height": HEIGHTS[at]})
                    for fault in page.evaluate(FAULTS, least):
                        self.fault(fault, f"{address} at {at}")
                for scheme in schemes:
                    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                    for at in (1280, 1440) if self.pictures and width == 1440 else (width,):
                        page.set_viewport_size({"width": at, "height": HEIGHTS[at]})
                        self.picture(address, page, at, scheme)
                    if scheme == schemes[0] and not is_first:
                        continue
                    options = {"resultTypes": ["violations"], "runOnly": contrast if scheme == schemes[0] else rules}
                    for found in Axe().run(page, options=options).response["violations"]:
                        node = found["nodes"][0]
                        self.fault(f"axe {found['id']}: {node['html'][:160]}", f"{address} at {width}, {scheme}")

    def paint(self, address: str, page: "Page") -> None:
        """Note when a page was painted for the first time."""
        painted = page.evaluate(PAINTED)
        self.painted[address] = min(painted, self.painted.get(address, painted))

    def paint_again(self) -> None:
        """Look again at pages that were painted late: the machine may have had something else to do."""
        for _ in range(VISITS):
            for address in [address for address, ms in self.painted.items() if ms > SLOW_MS]:
                with self.opened(address, 1280) as page:
                    self.paint(address, page)
        for address, ms in self.painted.items():
            if ms > SLOW_MS:
                self.fault(f"is not painted within {SLOW_MS} ms", f"{address}: {ms:.0f} ms")

    @contextmanager
    def weighing(self, address: str, page: "Page") -> "Iterator[None]":
        """Note what Chromium receives for a page."""
        session = page.context.new_cdp_session(page)
        sent: list[float] = []
        session.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
        session.send("Network.enable")
        yield
        if not address.removeprefix("/ja").startswith("/live/"):  # which waits for the next move
            page.wait_for_load_state("networkidle")
        self.largest = max(self.largest, (sum(sent), address))
        self.most = max(self.most, (len(sent), address))
        if len(sent) > MAX_REQUESTS:
            self.fault(f"more than {MAX_REQUESTS} requests", f"{address}: {len(sent)}")
        if sum(sent) > MAX_BYTES:
            self.fault(f"more than {MAX_BYTES:,} bytes", f"{address}: {sum(sent):,.0f}")

    def step_through(self, address: str) -> None:
        """A table stands still while its match is stepped through."""
        for width in (390, 1280, 1440):
            with self.opened(address, width) as page:
                for moved in page.evaluate(STEPPED, STEPS):
                    self.fault(f"{moved} moves while stepping", f"{address} at {width}")

    def play_by_hand(self, variant: str) -> None:
        """Walk a game by hand in its first moments, and end it."""
        with self.opened("/play", 1280) as page:
            choice = page.locator(f"section[aria-labelledby=play-{variant}]")
            choice.get_by_label("against").select_option("random")
            choice.get_by_role("button").click()
            page.wait_for_selector("#game[data-waits=true], #go-on")
            address = page.url.removeprefix(self.base)
            for prefix in PREFIXES:
                self.pages[prefix + address] = self.site.get(prefix + address).text
                self.visit(prefix + address)
            page.get_by_text("Leave the game").click()
            page.get_by_role("button", name="End it").click()
            page.wait_for_url("**/play")

    def picture(self, address: str, page: "Page", width: int, scheme: str) -> None:
        """Keep how a page looks, where that is asked for."""
        if self.pictures is not None:
            name = re.sub(r"[^\w.=-]+", "_", address.strip("/") or "home")[:120]
            page.screenshot(path=self.pictures / f"{name}-{width}-{scheme}.png", full_page=width == 390)

    def validate(self) -> str:
        """Note what html-validate finds on the pages; a word where it is not installed."""
        if not HTML_VALIDATE.exists():
            return "not run: html-validate is not installed (make walk installs it where npm is)"
        with tempfile.TemporaryDirectory() as folder:
            files = {}
            for number, (address, text) in enumerate(self.pages.items()):
                files[f"{number}.html"] = address
                (Path(folder) / f"{number}.html").write_text(text)
            (Path(folder) / ".htmlvalidate.json").write_text(json.dumps(HTML_RULES))
            run = [HTML_VALIDATE, "--formatter", "json", "--max-warnings", "0", "*.html"]
            told = Path(folder) / "told.json"
            with told.open("w") as answer:  # through a pipe it would end before it has said all
                subprocess.run(run, cwd=folder, stdout=answer, check=False)
            for file in json.loads(told.read_text()):
                for one in file["messages"]:
                    self.fault(
                        f"html-validate {one['ruleId']}: {one['message']}",
                        f"{files[Path(file['filePath']).name]}:{one['line']}",
                    )
        return ""


def main() -> None:
    """Walk, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arena", type=Path, help="where the arena is, or is to be made and kept")
    parser.add_argument("--only", default="", metavar="PATTERN", help="walk only pages whose address has this")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="keep a picture of each page")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="walk-") as made:
        folder = asked.arena or Path(made)
        if not (folder / "arena-data").exists():
            folder.mkdir(parents=True, exist_ok=True)
            print("== an arena is played", flush=True)
            play(folder)
        if asked.pictures:
            asked.pictures.mkdir(parents=True, exist_ok=True)
        with serving(folder) as port, chromium() as browser:
            walk = Walk(port, browser, asked.pictures)
            sys.exit(report(walk, walk_all(walk, asked.only)))


def walk_all(walk: Walk, pattern: str) -> str:
    """Walk every page; a word where something was not run."""

    def wanted(address: str) -> bool:
        return re.search(pattern, address) is not None

    english = walk.discover(wanted)
    print(f"== {len(english)} pages in English, as many in Japanese", flush=True)
    for number, address in enumerate(english):
        if number % 20 == 19:
            print(f"   {number + 1} of them walked", flush=True)
        for prefix in PREFIXES:
            there = prefix + address if address != "/" else f"{prefix}/"
            if prefix:
                answer = walk.site.get(there)
                walk.pages[there] = answer.text
                if answer.status != (404 if address == NOTHING else 200):
                    walk.fault(f"the link answers with {answer.status}", there)
            walk.visit(there)
        if re.match(r"/replays/[^?]*$", address):
            with walk.opened(f"{address}?month=6", 1280, weighed=True):  # in the middle more steps are fetched
                pass
            walk.step_through(address)
    for variant in VARIANTS:
        if wanted(f"/play/{variant}"):
            walk.play_by_hand(variant)
    walk.paint_again()
    return walk.validate()


def report(walk: Walk, not_run: str) -> int:
    """Print what was found; the exit status."""
    print()
    for what, places in sorted(walk.found.items()):
        print(f"{len(places):4} {what}\n     first {places[0]}, last {places[-1]}")
    times = sorted((ms, address) for address, ms in walk.painted.items()) or [(0.0, "")]
    median = statistics.median(ms for ms, _ in times)
    print(f"first paint: {median:.0f} ms (median of {len(times)} pages), {times[-1][0]:.0f} ms at most: {times[-1][1]}")
    print(f"most sent: {walk.largest[0]:,.0f} bytes for {walk.largest[1]}; {walk.most[0]} requests for {walk.most[1]}")
    if not_run:
        print(not_run)
    print(f"{len(walk.pages)} pages, {sum(map(len, walk.found.values()))} findings")
    return 1 if walk.found else 0


if __name__ == "__main__":
    main()
