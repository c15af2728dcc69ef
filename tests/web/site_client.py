"""A reader of a site under test, and the pages that every site with the league `spring` has."""

import http.client
import re
from html import unescape

from arena_command import DEADLINE_S

from arena.web.site.rules import PAGES as DOCUMENTS
from core_ext import VARIANTS

PAGES = [
    "/",
    "/leagues",
    "/leagues/spring",
    "/leagues/spring/koikoi/rounds/1",
    "/leagues/spring/sangohana/rounds/2",
    "/bots",
    "/bots?name=bot",
    "/bots/bot-1",
    "/matches",
    "/matches?league=spring",
    "/matches?bot=bot-2",
    "/search?q=bot",
    "/compare?bot=bot-1&other=bot-2",
    *(f"/rules/{variant}" for variant in VARIANTS),
    *(f"/docs/{name}" for name in DOCUMENTS),
    "/replays/spring.koikoi.r1.t1.b1.a",
]


class Answer:
    """What a site answered."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def words(self) -> str:
        """The text of a page, without its markup."""
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.text)).split())


class SiteUnderTest:
    """The site at a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for an address; an underscore in a header's name stands for a hyphen."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE_S)
        try:
            connection.request("GET", path, headers={name.replace("_", "-"): one for name, one in headers.items()})
            return Answer(connection.getresponse())
        finally:
            connection.close()
