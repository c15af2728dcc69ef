"""The viewer's pages as they are sent: whole without JavaScript, valid, with nothing that a stranger slipped in."""

import json
import re
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import html5lib
import pytest
from viewer_cases import CLOCK, FORFEITS, HOSTILE, NASTY, SEATS

from arena.bench.site import site
from arena.web.viewer.document import document
from arena.web.viewer.routes import replay_routes
from arena.web.viewer.sources import source_of
from core_ext import VARIANTS
from core_ext.cards import CARD_NAMES

RECORDS = [*FORFEITS.values(), *SEATS.values(), CLOCK, NASTY]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with site(replay_routes(source_of(RECORDS))) as found:
        yield found


def read(url: str) -> str:
    with urlopen(url) as answer:
        body: str = answer.read().decode()
    return body


def valid(page: str) -> str:
    """The page, after a strict parser found nothing wrong, each id stands once and every reference leads somewhere."""
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    ids = [element.attrib["id"] for element in tree.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    for element in tree.iter():
        for name in ("aria-labelledby", "for"):
            assert element.attrib.get(name, ids[0]) in ids
        assert not {"style", "onclick", "onload"} & set(element.attrib)
        if element.tag == "script" and element.attrib.get("type") == "application/json":
            assert all(len(step) == 3 for step in json.loads(element.text))
        elif element.tag == "script":
            assert element.attrib["src"].startswith("/static/")
            assert not element.text
        for name in ("href", "src"):
            assert not re.match(r"(?!/|#|\?)", element.attrib.get(name, "/")), "an address outside the site"
    return page


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_step_is_a_valid_page_for_every_viewer(address: str, variant: str) -> None:
    record = FORFEITS[variant]
    viewers = ["all", "public", *map(str, range(len(record.names)))]
    for at in range(0, len(document(record)["steps"]), 3):
        page = valid(read(f"{address}/replays/{record.match_id}?at={at}&seat={viewers[at % len(viewers)]}"))
        assert f'data-at="{at}"' in page
    assert "forfeited" in valid(read(f"{address}/replays/{record.match_id}?at=9999"))


@pytest.mark.parametrize("path", ["replays/two?at=9", "replays/four?at=9&seat=3", "embed/replays/four?at=9"])
def test_pages_of_other_numbers_of_seats_are_valid_too(address: str, path: str) -> None:
    valid(read(f"{address}/{path}"))


def test_the_page_of_an_address_where_nothing_is_is_valid_too(address: str) -> None:
    with pytest.raises(HTTPError) as refusal:
        read(f"{address}/nothing")
    assert refusal.value.code == 404
    valid(refusal.value.read().decode())


def test_names_of_strangers_are_text_wherever_they_stand(address: str) -> None:
    for path in ("replays/nasty", "embed/replays/nasty"):
        for at in (0, 10, 9999):
            page = valid(read(f"{address}/{path}?at={at}"))
            assert HOSTILE not in page
            assert "<img src=x" not in page
            assert "{{7*7}}" in page, "a template within a name is not filled in"
    picture = read(f"{address}/replays/nasty/picture.svg?at=3")
    elements = ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
    texts = ["".join(element.itertext()) for element in elements]
    assert any(text.endswith("points") or "yaku points" in text for text in texts)
    assert "<img" not in picture
    assert max(map(len, texts)) < 120


@pytest.mark.parametrize(
    "query",
    [
        "at=-1",
        "at=x",
        "at=99999999999999999999",
        "at=%00",
        "seat=9",
        "seat=-3",
        "seat=x",
        "at=1&at=2",
        "marks=<b>",
        "a" * 2000,
    ],
)
def test_a_query_that_makes_no_sense_changes_nothing(address: str, query: str) -> None:
    assert 'data-viewer="-2"' in valid(read(f"{address}/replays/two?{query}"))


def test_hostile_ids_are_not_found(address: str) -> None:
    for replay in ("nothing", "..%2f..%2fetc", "%00", "<script>", "x" * 2000, "two%0d%0aset-cookie:a=b"):
        with pytest.raises(OSError, match="404"):
            read(f"{address}/replays/{quote(replay, safe='%')}")
        with pytest.raises(OSError, match="404"):
            read(f"{address}/api/v1/replays/{quote(replay, safe='%')}")


def test_the_document_is_json_with_a_tag(address: str) -> None:
    with urlopen(f"{address}/api/v1/replays/two") as answer:
        assert answer.headers["content-type"] == "application/json"
        tag = answer.headers["etag"]
        assert json.load(answer)["format"] == "hanafuda-views/1"
    with pytest.raises(OSError, match="304"):
        urlopen(Request(f"{address}/api/v1/replays/two", headers={"if-none-match": tag}))


@pytest.mark.parametrize("match", ["two", "four", "nasty"])
def test_steps_are_sent_in_parts_that_hold_each_of_them_once(address: str, match: str) -> None:
    steps = json.loads(read(f"{address}/api/v1/replays/{match}"))["steps"]
    found: list[str] = []
    while len(found) < len(steps):
        part = re.findall(r'<template data-at="(\d+)"', read(f"{address}/replays/{match}/steps?at={len(found)}"))
        assert part
        found += part
    assert found == [str(number) for number in range(len(steps))]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.match_id)
def test_the_picture_of_a_step_stands_alone_and_shows_every_card_that_the_viewer_sees(
    address: str, record: object
) -> None:
    svg = read(f"{address}/replays/{record.match_id}/picture.svg?at=5")  # type: ignore[attr-defined]
    tree = ElementTree.fromstring(svg)
    ids = {element.attrib["id"] for element in tree.iter() if "id" in element.attrib}
    used = [element.attrib["href"].removeprefix("#") for element in tree.iter() if "href" in element.attrib]
    assert set(used) <= ids
    placed = [name for name in used if name in CARD_NAMES]
    assert placed
    assert len(placed) == len(set(placed))
    page = read(f"{address}/replays/{record.match_id}?at=5").partition('id="table"')[2].partition('id="side"')[0]  # type: ignore[attr-defined]
    without_yaku = re.sub(r'<ul class="yaku".*?</ul>', "", page, flags=re.DOTALL)
    assert sorted(placed) == sorted(re.findall(r'"card card-(\d+\w)\b', without_yaku))
