"""HTML pages from templates, with an ETag each."""

from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response

environment = Environment(
    loader=PackageLoader("arena.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """The template as a page; `request` is among its values."""
    text = environment.get_template(template).render(request=request, **values)
    return tagged(request, text.encode(), "text/html; charset=utf-8", status)


def tagged(request: Request, body: bytes, media_type: str, status: int = 200, tag: str | None = None) -> Response:
    """The body with an ETag, or 304 where the reader has it already. `tag` is the body's digest where that is known."""
    etag = f'W/"{tag or digest(body)}"'
    headers = {"etag": etag, "content-type": media_type}
    known = request.headers.get("if-none-match", "")
    if status == 200 and etag in (one.strip() for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers)


def digest(body: bytes) -> str:
    """What tells one body from another."""
    return sha256(body).hexdigest()[:32]
