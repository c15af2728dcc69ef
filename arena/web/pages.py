"""HTML pages from templates, with an ETag each."""

import gzip
from functools import cache, partial
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from arena.league.estimates import margin_text, percent_text, rating_text
from arena.names import is_season, ladder_of
from arena.web.language import Language
from arena.web.language.choice import alternates, language_of
from arena.web.language.times import day, minute
from arena.web.previews import HAS_PREVIEWS
from arena.web.viewer import markup
from arena.web.yaku_names import english, reading
from core_ext import VARIANTS, variant_info

HTML = "text/html; charset=utf-8"


@cache
def environment_in(language: Language) -> Environment:
    """Return what makes pages of templates in a language."""
    environment = Environment(
        loader=PackageLoader("arena.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    texts: Any = environment  # the methods that the extension has added
    texts.install_gettext_translations(language.translations, newstyle=True)
    environment.globals |= {
        "language": language,
        "root": language.prefix,
        "fan": markup.fan,
        "yaku_cards": markup.row,
        "backs": markup.backs,
        "has_previews": HAS_PREVIEWS,
        "ladder_of": lambda league: ladder_of(league) if is_season(league) else "",
        "titles": {variant: variant_info(variant).name for variant in VARIANTS},
    }
    environment.filters |= {
        "text": language.text,
        "day": partial(day, language),
        "minute": partial(minute, language),
        "percent": percent_text,
        "margin": partial(margin_text, say=language.text),
        "rating": partial(rating_text, say=language.text),
        "reading": lambda yaku: language.text(reading(yaku)),
        "english": lambda yaku: language.text(english(yaku)),
    }
    return environment


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """The template as a page; `request` is among its values."""
    return tagged(request, render(request, template, **values), HTML, status)


def render(request: Request, template: str, **values: Any) -> bytes:
    """The template's text; `request` is among its values."""
    language = language_of(request)
    text = environment_in(language).get_template(template)
    return text.render(request=request, alternates=alternates(request), **values).encode()


def tagged(request: Request, body: bytes, media_type: str, status: int = 200, tag: str | None = None) -> Response:
    """The body with an ETag, or 304 where the reader has it already. `tag` is the body's digest where that is known."""
    etag = f'W/"{tag or digest(body)}"'
    headers = {"etag": etag, "content-type": media_type}
    known = request.headers.get("if-none-match", "")
    if status == 200 and etag in (one.strip() for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers)


def digest(body: bytes) -> str:
    """A short hash that tells one body from another."""
    return sha256(body).hexdigest()[:32]


def whole_number(text: str, otherwise: int = -1) -> int:
    """The number in an address or a form, `otherwise` where there is none that this site writes."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else otherwise


class KeptBody(Struct, frozen=True):
    """A body that is sent many times: as it is, compressed, and its digest."""

    body: bytes
    compressed: bytes
    tag: str
    media_type: str

    @classmethod
    def of(cls, body: bytes, media_type: str = HTML) -> "KeptBody":
        """This body."""
        return cls(body, gzip.compress(body, 6, mtime=0), digest(body), media_type)

    def answer(self, request: Request) -> Response:
        """The body, compressed where the reader takes it so, or 304."""
        takes = "gzip" in request.headers.get("accept-encoding", "")
        answer = tagged(request, self.compressed if takes else self.body, self.media_type, tag=self.tag)
        if takes and answer.status_code == 200:
            answer.headers["content-encoding"] = "gzip"
        return answer
