"""What every page of the site has: headers, ETags, errors that say what is wrong."""

import json
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.bench.site import site as serving


async def _broken(request: Request) -> Response:
    raise RuntimeError("a secret of the inside")


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serving([Route("/broken", _broken), Route("/api/v1/broken", _broken)]) as address:
        yield address


def ask(site: str, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(urlsplit(site).netloc)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


@pytest.mark.parametrize("path", ["/style.css", "/static/theme.js", "/cards.svg", "/nothing", "/broken"])
def test_every_answer_has_the_strict_policy(site: str, path: str) -> None:
    answer, _ = ask(site, path)
    policy = answer.headers["content-security-policy"]
    for kind in ("script", "style", "img", "connect"):
        assert f"{kind}-src 'self';" in policy
    assert policy.startswith("default-src 'none';")
    assert policy.endswith("frame-ancestors 'none'")
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in answer.headers


def test_only_embedded_pages_may_stand_in_a_frame(site: str) -> None:
    assert ask(site, "/embed/nothing")[0].headers["content-security-policy"].endswith("frame-ancestors *")
    assert ask(site, "/ja/embed/nothing")[0].headers["content-security-policy"].endswith("frame-ancestors *")
    assert ask(site, "/embeds")[0].headers["content-security-policy"].endswith("frame-ancestors 'none'")


@pytest.mark.parametrize("path", ["/style.css", "/static/theme.js", "/cards.svg", "/cards/8L.svg"])
def test_what_a_reader_has_already_is_not_sent_again(site: str, path: str) -> None:
    first, body = ask(site, path)
    assert first.status == 200
    assert body
    again, nothing = ask(site, path, if_none_match=first.headers["etag"])
    assert again.status == 304
    assert not nothing


@pytest.mark.parametrize("path", ["/style.css", "/cards.svg", "/cards/8L.svg", "/nothing", "/api/v1/nothing"])
def test_every_answer_says_once_that_it_varies_with_the_encoding(site: str, path: str) -> None:
    for encoding in ("identity", "gzip"):
        answer, _ = ask(site, path, accept_encoding=encoding)
        assert answer.headers.get_all("vary") == ["accept-encoding"]
        assert answer.headers["content-encoding"] == ("gzip" if encoding == "gzip" and len(path) < 14 else None)
    answer, _ = ask(site, path, if_none_match=answer.headers["etag"] or "")
    assert answer.headers.get_all("vary") == ["accept-encoding"]


@pytest.mark.parametrize("path", ["/style.css", "/api/v1/broken"])
def test_a_method_that_an_address_does_not_take_is_refused_with_those_that_it_takes(site: str, path: str) -> None:
    answer, _ = ask(site, path, "DELETE")
    assert answer.status == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}


def test_an_error_is_a_page_for_people_and_json_for_programs(site: str) -> None:
    answer, body = ask(site, "/nothing%3Cscript%3E")
    assert answer.status == 404
    assert b"There is nothing at this address." in body
    assert b"<script>" not in body
    answer, body = ask(site, "/api/v1/nothing")
    assert (answer.status, json.loads(body)) == (404, {"error": "Not Found"})


def test_a_fault_of_the_site_tells_nothing_of_its_inside(site: str) -> None:
    for path in ("/broken", "/api/v1/broken"):
        answer, body = ask(site, path)
        assert answer.status == 500
        assert b"secret" not in body


def test_files_outside_the_static_folder_are_not_served(site: str) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/cards/..%2f..%2fapp.py.svg"):
        assert ask(site, path)[0].status == 404


def test_no_card_is_found_under_another_name(site: str) -> None:
    assert ask(site, "/cards/13L.svg")[0].status == 404


@pytest.mark.parametrize("path", ["/no-such-page", "/replays/no-such-replay"])
def test_an_error_is_said_again_to_who_has_read_it_already(site: str, path: str) -> None:
    first, body = ask(site, path)
    again, once_more = ask(site, path, if_none_match=first.headers["etag"])
    assert (first.status, again.status) == (404, 404)
    assert body == once_more != b""
