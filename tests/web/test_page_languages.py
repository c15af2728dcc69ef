"""The pages in several languages: each says everything in its own, links to itself, and is found by who prefers it."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import html5lib
import pytest
from site_client import PAGES, Answer, SiteUnderTest

from arena.store import Store
from arena.web.app import create_app
from arena.web.games.games import Games
from arena.web.games.routes import game_routes
from arena.web.language import ENGLISH, JAPANESE, Language
from arena.web.language.choice import preferred
from arena.web.lesson.routes import lesson_routes
from arena.web.serving import serving
from arena.web.site.routes import site_routes
from arena.web.site.watchable import Watchable
from core_ext import VARIANTS, variant_info

if TYPE_CHECKING:
    from playwright.sync_api import Browser

VISITED = [
    *PAGES,
    "/live",
    "/ladders",
    "/play",
    "/learn",
    "/learn?deal=1&moves=5.0.1.3",
    "/learn?deal=1&moves=5.0.1.3.0",
    "/compare",
    "/search",
    "/nothing",
    "/bots?name=nobody",
    "/matches?league=nothing",
    "/leagues/spring?rows=all&sort=-bot",
    "/replays/sample?at=99999",
    "/replays/sample?at=7&seat=1&marks=1",
    "/replays/spring.sangohana.r1.t1.b1.a?at=9&seat=public",
    "/replays/sample/steps?at=9",
    "/embed/replays/sample",
]
SHARED = re.compile(
    r"/(static/|api/v1/|data/|cards[./-]|style\.css|language\?|replays/[^?]*/(transcript\.json|match\.hreplay)|leagues/[^?]*\.csv)"
)
"""Addresses that have no language."""


def marked(text: str) -> str:
    return f"⟦{text}⟧"


class Marking(NullTranslations):
    """Puts every message in brackets."""

    def gettext(self, message: str) -> str:
        return marked(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return marked(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return marked(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)


class Pseudo(Language):
    """A language that shows what does not come from the catalogue."""

    translations = Marking()


@asynccontextmanager
async def marked_site(played: Path) -> AsyncIterator[tuple[SiteUnderTest, Games]]:
    """The site over a folder, in the language of brackets under `/xx`, and the games that are played there."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(await Store.open(played / "arena-data", attach=True))
        live = await stack.enter_async_context(aclosing(Watchable(store.snapshots)))
        games = await stack.enter_async_context(aclosing(Games(store)))
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        site = create_app(
            [*site_routes(store, live), *game_routes(games), *lesson_routes()], (ENGLISH, Pseudo("xx", "⟦x⟧", "/xx"))
        )
        await stack.enter_async_context(serving(site, listening))
        yield SiteUnderTest(listening.getsockname()[1]), games


DATA = re.compile(r"\b(name|mini|chip|reading|points|digest)\b")
"""Classes of elements whose text is data."""
DATA_ELEMENTS = {"code", "kbd", "script", "time", "meter", "progress"}
SHOWN_ATTRIBUTES = ("alt", "aria-label", "data-label", "placeholder", "title")
NAMES = re.compile(
    r"\b(bot-\d|house|spring[\w.]*|sample|SHA-\d+|months|UTC|CSV|JSON|Parquet|Lines|koikoi45|koikoi|kyogi|hachihachi"
    r"|sangohana|random|greedy|search|fulfilled|xx?)\b|seat-\d"
)
"""What is the same in every language: names, formats, options."""
WORD = re.compile(r"[A-Za-z]{2,}")


class Unmarked:
    """The texts of a page that stand in no brackets, and are no data. A message may go on over several elements."""

    def __init__(self, html: str) -> None:
        self.found: list[str] = []
        self._depth = 0
        self._visit(html5lib.parse(html, namespaceHTMLElements=False))

    def _visit(self, element: Any, *, is_data: bool = False) -> None:
        attributes = element.attrib
        is_data = bool(
            is_data
            or element.tag in DATA_ELEMENTS
            or DATA.search(attributes.get("class", ""))
            or attributes.get("lang") in ("ja", "en")
            or (element.tag == "select" and attributes.get("name") == "bot")
            or not isinstance(element.tag, str)
        )
        if not is_data:
            for name in SHOWN_ATTRIBUTES:
                depth, self._depth = self._depth, 0
                self._read(attributes.get(name, ""))
                self._depth = depth
        self._read(element.text or "", is_data=is_data)
        for child in element:
            self._visit(child, is_data=is_data)
            self._read(child.tail or "", is_data=is_data)

    def _read(self, text: str, *, is_data: bool = False) -> None:
        outside = []
        for letter in text:
            self._depth -= letter == "⟧"
            outside.append(" " if self._depth or letter == "⟧" else letter)
            self._depth += letter == "⟦"
        left = "".join(outside)
        if not is_data and WORD.search(NAMES.sub("", left)):
            self.found.append(left.strip())


async def test_no_text_of_a_page_stands_outside_the_catalogue(played: Path) -> None:
    unmarked = {}
    async with marked_site(played) as (site, games):
        begun = [await games.begin(variant, "random", variant_info(variant).seats[2], {}) for variant in VARIANTS]
        for path in [*VISITED, *(f"/games/{game.id}" for game in begun)]:
            answer = await asyncio.to_thread(site.get, f"/xx{path}")
            assert answer.status == (404 if path == "/nothing" else 200), path
            unmarked[path] = Unmarked(answer.text).found
    assert {path: texts for path, texts in unmarked.items() if texts} == {}


def links(answer: Answer) -> list[str]:
    return re.findall(r'(?:href|src|action|data-base|data-replays)="(/[^"]*)"', answer.text)


@pytest.mark.parametrize("path", VISITED)
def test_a_japanese_page_is_in_japanese_and_leads_to_japanese_pages(site: SiteUnderTest, path: str) -> None:
    answer = site.get(f"/ja{path}")
    assert answer.status == (404 if path == "/nothing" else 200)
    if "<html" in answer.text:
        html5lib.HTMLParser(strict=True).parse(answer.text)
        assert '<html lang="ja"' in answer.text
        assert f'hreflang="en" href="{path.replace("&", "&amp;")}"' in answer.text
        assert f'hreflang="ja" href="/ja{path.replace("&", "&amp;")}"' in site.get(path).text
    own = [link for link in links(answer) if not SHARED.match(link)]
    alternate = [link for link in own if not re.match(r"/ja(/|$)", link)]
    assert alternate in ([], [path.replace("&", "&amp;")])
    assert "set-cookie" not in answer.headers


def test_what_all_languages_share_has_one_address(site: SiteUnderTest) -> None:
    replay = "/replays/spring.koikoi.r1.t1.b1.a"
    downloads = (f"{replay}/transcript.json", f"{replay}/match.hreplay", "/leagues/spring/koikoi.csv")
    shared = ("/static/theme.js", "/api/v1/leagues", "/style.css", "/cards.svg", "/data/matches.csv", "/robots.txt")
    for path in (*shared, *downloads):
        assert site.get(f"/ja{path}").status == 404
    for path in downloads:
        assert site.get(path).status == 200
    assert site.get("/ja").headers["location"] == "/ja/"
    assert site.get("/ja/ja/").status == 404


def test_the_first_page_is_in_the_language_that_a_reader_prefers_or_has_chosen(site: SiteUnderTest) -> None:
    for header, cookie, place in (
        ("", "", None),
        ("en-GB,en;q=0.9,ja;q=0.8", "", None),
        ("ja,en-US;q=0.9,en;q=0.8", "", "/ja/"),
        ("ja-JP", "", "/ja/"),
        ("ja", "language=en", None),
        ("en", "language=ja", "/ja/"),
        ("en", "language=<script>", None),
    ):
        answer = site.get("/", accept_language=header, cookie=cookie)
        assert (answer.status, answer.headers["location"]) == ((307, place) if place else (200, None))
        assert answer.headers.get_all("vary") == ["accept-encoding, accept-language, cookie"]
    # Every other address says its language itself: who sends it to somebody sends what they see.
    answer = site.get("/leagues", accept_language="ja", cookie="language=ja")
    assert answer.status == 200
    assert answer.headers.get_all("vary") == ["accept-encoding"]
    assert '<html lang="en"' in answer.text


@pytest.mark.parametrize(
    ("header", "language"),
    [("fr, ja;q=0.5", JAPANESE), ("*", ENGLISH), ("ja;q=0", ENGLISH), ("ja;q=x", ENGLISH), ("," * 10_000, ENGLISH)],
)
def test_a_preference_is_read_whatever_it_holds(header: str, language: Language) -> None:
    assert preferred(header) is language


def test_a_choice_is_kept_and_leads_to_the_same_page(site: SiteUnderTest) -> None:
    page = site.get("/leagues/spring?rows=all&sort=-bot").text
    [choice] = re.findall(r'class="language" href="([^"]+)"', page)
    answer = site.get(choice.replace("&amp;", "&"))
    assert (answer.status, answer.headers["location"]) == (303, "/ja/leagues/spring?rows=all&sort=-bot")
    assert re.match(r"language=ja; HttpOnly; Max-Age=31536000; Path=/; SameSite=lax", answer.headers["set-cookie"])
    back = site.get(f"/language?code=en&to={quote('/ja/leagues', safe='')}")
    assert back.headers["location"] == "/leagues"


@pytest.mark.parametrize(
    "place", ["//evil.example", "/ja//evil.example", "/\\evil.example", "https://evil.example", "/\r\nx: y", "evil", ""]
)
def test_a_choice_leads_to_no_other_site(site: SiteUnderTest, place: str) -> None:
    answer = site.get(f"/language?code=ja&to={quote(place, safe='')}")
    assert answer.status in (303, 400)
    assert answer.status == 400 or re.match(r"/ja/[^/\\]", answer.headers["location"])
    assert site.get("/language?code=xx&to=/").status == 400


def test_pages_are_kept_in_each_language(site: SiteUnderTest) -> None:
    for _ in range(2):
        for path in ("/", "/leagues/spring", "/bots/bot-1", "/replays/sample"):
            english, japanese = site.get(path), site.get(f"/ja{path}")
            assert '<html lang="en"' in english.text
            assert '<html lang="ja"' in japanese.text
            assert english.headers["etag"] != japanese.headers["etag"]
    document = site.get("/api/v1/replays/sample").text
    assert "The match was played to its end." in document


def test_a_reader_goes_from_language_to_language_at_the_same_step(browser: "Browser", site: SiteUnderTest) -> None:
    address = f"http://127.0.0.1:{site.port}"
    context = browser.new_context(locale="ja-JP", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{address}/")
    assert page.url == f"{address}/ja/"
    page.goto(f"{address}/ja/replays/sample")
    page.wait_for_selector("#viewer[data-ready]")
    assert page.locator(".look").all_inner_texts() == ["ダーク", "赤い裏"]
    page.click("#play")
    assert page.get_attribute("#play", "aria-label") == "一時停止"
    page.click("#last")
    page.wait_for_selector("#viewer[data-at]:not([data-at='0'])")
    assert "/ja/replays/sample?at=" in page.url
    assert page.locator("#side strong").last.inner_text() == "対局は最後まで打たれました。"
    place = page.url.removeprefix(f"{address}/ja")
    page.click("a.language")
    page.wait_for_url(f"{address}{place}")
    assert page.get_attribute("html", "lang") == "en"
    page.goto(f"{address}/")
    assert page.url == f"{address}/"  # what was chosen counts more than what the browser prefers
    context.close()


def test_nothing_of_a_japanese_page_is_wider_than_its_window(browser: "Browser", site: SiteUnderTest) -> None:
    context = browser.new_context()
    page = context.new_page()
    wide = []
    for path in (
        "/",
        "/leagues/spring",
        "/bots/bot-1",
        "/matches",
        "/rules/koikoi",
        "/play",
        "/learn",
        "/replays/sample",
    ):
        page.goto(f"http://127.0.0.1:{site.port}/ja{path}")
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append((path, width))
    context.close()
    assert not wide


def test_a_refusal_with_values_is_in_the_pages_language(site: SiteUnderTest) -> None:
    assert "variantに指定できるのはkoikoi、" in site.get("/ja/matches?variant=go").words.replace(", ", "、")
    assert "variant is one of koikoi, " in site.get("/matches?variant=go").words
