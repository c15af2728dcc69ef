"""HTML pages from templates, with an ETag each."""

import gzip
from hashlib import sha256
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from arena.web.address import address_of
from arena.web.environment import environment_in
from arena.web.language.choice import alternates, language_of

HTML = "text/html; charset=utf-8"


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """The template as a page; `request` is among its values."""
    return tagged(request, render(request, template, **values), HTML, status)


def render(request: Request, template: str, **values: Any) -> bytes:
    """The template's text; `request` is among its values."""
    language = language_of(request)
    text = environment_in(language).get_template(template)
    return text.render(request=request, address=address_of(request), alternates=alternates(request), **values).encode()


def tagged(request: Request, body: bytes, media_type: str, status: int = 200, tag: str | None = None) -> Response:
    """Return the body with an ETag, or 304 where the reader has it already.

    `tag` is the body's digest where that is known.
    """
    etag = f'W/"{tag or digest(body)}"'
    headers = {"etag": etag, "content-type": media_type}
    reader_tags = request.headers.get("if-none-match", "")
    if status == 200 and etag in (reader_tag.strip() for reader_tag in reader_tags.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers)


def digest(body: bytes) -> str:
    """A short hash that tells one body from another."""
    return sha256(body).hexdigest()[:32]


def whole_number(text: str, otherwise: int = -1) -> int:
    """The number in an address or a form, `otherwise` where there is none that this site writes."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else otherwise


class CachedBody(Struct, frozen=True):
    """A body that is sent many times: as it is, compressed, and its digest."""

    body: bytes
    compressed: bytes
    tag: str
    media_type: str

    @classmethod
    def of(cls, body: bytes, media_type: str = HTML) -> "CachedBody":
        """Return this body."""
        return cls(body, gzip.compress(body, 6, mtime=0), digest(body), media_type)

    def answer(self, request: Request) -> Response:
        """The body, compressed where the reader takes it so, or 304."""
        takes = "gzip" in request.headers.get("accept-encoding", "")
        answer = tagged(request, self.compressed if takes else self.body, self.media_type, tag=self.tag)
        if takes and answer.status_code == 200:
            answer.headers["content-encoding"] = "gzip"
        return answer
