"""The pictures beside shared links: their size, what they show, and what they may cost."""

import asyncio
import re
import struct
from html import unescape

import msgspec
import pytest
from site_client import SiteUnderTest

from arena.bench.site import house_match
from arena.web.previews.league import league
from arena.web.previews.moment import moment
from arena.web.previews.previews import MAX_DRAWN, MAX_OF_ONE, Previews
from arena.web.previews.sheet import png
from arena.web.previews.site import site as site_preview
from arena.web.site.documents import LeagueDocument
from arena.web.viewer.document import document
from arena.web.viewer.scene import OPEN, scene
from arena.web.work import BusyError

WORST = "\u202e<&\"'>𠮟" + "名" * 60


def size_of(picture: bytes) -> tuple[int, int]:
    """The width and height of a PNG."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", picture[16:24])
    return wide, high


@pytest.mark.parametrize(
    ("path", "picture"),
    [
        ("/", "/preview.png"),
        ("/leagues/spring", "/leagues/spring/preview.png"),
        ("/replays/spring.koikoi.r1.t1.b1.a?at=9&seat=1", "/replays/spring.koikoi.r1.t1.b1.a/preview.png?at=9&seat=1"),
    ],
)
def test_a_page_names_its_picture_by_the_address_that_it_was_asked_at(
    site: SiteUnderTest, path: str, picture: str
) -> None:
    for host in (f"127.0.0.1:{site.port}", "arena.example"):
        [named] = re.findall(r'<meta property="og:image" content="([^"]+)">', site.get(path, host=host).text)
        assert unescape(named) == f"http://{host}{picture}"
    answer = site.get(picture)
    assert answer.headers["content-type"] == "image/png"
    assert size_of(answer.body) == (1200, 630)
    assert site.get(picture, if_none_match=answer.headers["etag"]).status == 304


def test_a_shared_match_without_a_moment_is_shown_at_its_end(site: SiteUnderTest) -> None:
    text = site.get("/replays/spring.koikoi.r1.t1.b1.a").text
    [last] = re.findall(r'<input id="slider" [^>]* max="(\d+)"', text)
    assert f'.a/preview.png?at={last}">' in text


def test_there_is_no_picture_of_what_there_is_not(site: SiteUnderTest) -> None:
    assert site.get("/leagues/none/preview.png").status == 404
    assert site.get("/replays/none/preview.png").status == 404


def test_names_of_every_kind_and_length_are_drawn_as_text() -> None:
    record = msgspec.structs.replace(house_match("sangohana", "preview"), names=(WORST, "b" * 64, "<svg>"))
    told = document(record)
    drawn = moment(told, scene(told, 5, OPEN))
    assert "<svg>" not in drawn
    assert "&lt;svg&gt;" in drawn
    assert size_of(png(drawn)) == (1200, 630)
    empty = LeagueDocument("l" * 64, "open", False, "", "", "", "", "", "", ())
    assert size_of(png(league(empty, []))) == (1200, 630)


def test_a_picture_is_drawn_once_and_only_so_many_new_ones_in_a_minute() -> None:
    drawn: list[int] = []

    def draw(number: int) -> str:
        drawn.append(number)
        return '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

    async def ask() -> None:
        previews = Previews()
        await asyncio.gather(*(previews.get(0, lambda: draw(0), str(place)) for place in range(10)))
        for number in range(MAX_DRAWN):
            await previews.get(number, lambda number=number: draw(number))  # type: ignore[misc]
        with pytest.raises(BusyError):
            await previews.get("one more", lambda: draw(-1))
        await previews.get(1, lambda: draw(1))

    asyncio.run(ask())
    assert drawn == list(range(MAX_DRAWN))


def test_one_visitor_leaves_pictures_for_others() -> None:
    dot = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

    async def ask() -> None:
        previews = Previews()

        async def get(number: int, visitor: str) -> None:
            await previews.get(number, lambda: dot, visitor)

        for number in range(MAX_OF_ONE):
            await get(number, "a")
        with pytest.raises(BusyError):
            await get(MAX_OF_ONE, "a")
        await get(MAX_OF_ONE, "b")

    asyncio.run(ask())


def test_the_site_has_a_picture_of_its_size() -> None:
    assert size_of(png(site_preview())) == (1200, 630)
