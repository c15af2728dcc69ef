"""Events of a match that is played: each step once for who watches, compressed or not, in every language."""

import http.client
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from shown_matches import RECORDS, SHOWN_FIRST, showing_site

from arena.web.viewer.document import document
from arena.web.viewer.scene import last_step

MATCH = "open"
LAST = last_step(document(RECORDS[MATCH]))


class Site:
    """The site with the match, of which the first actions are shown."""

    def __init__(self, address: str) -> None:
        self.netloc = urlsplit(address).netloc
        self.play(SHOWN_FIRST)
        self.get(f"/live/{MATCH}")  # from now on the pages look at what is played

    def get(self, path: str, method: str = "GET") -> tuple[int, str]:
        connection = http.client.HTTPConnection(self.netloc, timeout=60)
        connection.request(method, path)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def play(self, count: int) -> None:
        self.get(f"/play-on/{MATCH}/{count}", "POST")


@pytest.fixture
def site() -> Iterator[Site]:
    with showing_site() as address:
        yield Site(address)


class Spectator:
    """Who reads the events of the match from a version on."""

    def __init__(self, answer: http.client.HTTPResponse, packed: bool) -> None:
        self._answer = answer
        self._unpack = zlib.decompressobj(16 + zlib.MAX_WBITS) if packed else None
        self.text = ""
        self.is_over = False

    def read_until(self, text: str) -> None:
        """Read until this was told."""
        while text not in self.text:
            self._read()

    def rest(self) -> None:
        """Read to the end."""
        while not self.is_over:
            self._read()

    def _read(self) -> None:
        data = self._answer.read1(1 << 16)
        self.is_over = not data
        self.text += (self._unpack.decompress(data) if self._unpack and data else data).decode()

    @property
    def steps(self) -> list[int]:
        """The steps that were told."""
        return [int(at) for at in re.findall(r'<template data-at="(\d+)"', self.text)]


@contextmanager
def watching(site: Site, seen: int, prefix: str = "", *, packed: bool = False) -> Iterator[Spectator]:
    connection = http.client.HTTPConnection(site.netloc, timeout=60)
    headers = {"accept-encoding": "gzip"} if packed else {}
    connection.request("GET", f"{prefix}/live/{MATCH}/events?seen={seen}", headers=headers)
    answer = connection.getresponse()
    assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (200, "text/event-stream")
    assert answer.headers["content-encoding"] == ("gzip" if packed else None)
    with answer:
        yield Spectator(answer, packed)
    connection.close()


def test_who_watches_is_told_each_step_once_in_their_language_whenever_they_came_until_the_end(site: Site) -> None:
    with watching(site, SHOWN_FIRST) as plain, watching(site, SHOWN_FIRST, "/ja", packed=True) as japanese:
        site.play(3)
        for one in (plain, japanese):
            one.read_until(f'data-version="{SHOWN_FIRST + 3}"')
        with watching(site, SHOWN_FIRST + 3, packed=True) as late, watching(site, SHOWN_FIRST) as behind:
            behind.read_until(f'data-version="{SHOWN_FIRST + 3}"')
            site.play(1_000)
            for one in (plain, japanese, late):
                one.rest()
                assert 'data-over="1"' in one.text
            assert late.steps == list(range(SHOWN_FIRST + 4, LAST + 1))
            behind.rest()
        assert plain.steps == japanese.steps == behind.steps == list(range(SHOWN_FIRST + 1, LAST + 1))
    assert plain.text.count("\n\n") == 2, "an event for each time that something was new"
    assert re.search(r"[\u3040-\u30ff]手", japanese.text.replace(plain.text, "")), "in Japanese"


def test_who_has_seen_another_version_or_looks_at_no_match_that_is_played_asks_for_the_steps(site: Site) -> None:
    for path in (f"{MATCH}/events?seen={SHOWN_FIRST - 1}", f"{MATCH}/events?seen=99", f"{MATCH}/events", "no/events"):
        assert site.get(f"/live/{path}") == (204, ""), path
    with watching(site, SHOWN_FIRST) as spectator:
        site.play(1_000)
        spectator.rest()
    assert site.get(f"/live/{MATCH}/events?seen={LAST}")[0] == 204
    status, text = site.get(f"/live/{MATCH}/steps?at={SHOWN_FIRST}&seen={SHOWN_FIRST}")
    assert (status, "data-over" in text) == (200, True)
