"""Every page of the site over a real store: valid, under a strict policy, and what strangers may try."""

import re
from pathlib import Path
from urllib.parse import quote

import html5lib
import pytest
from arena_command import done, pages_port, running
from site_client import PAGES, SiteUnderTest


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_valid_html_under_a_strict_policy_and_known_by_its_etag(site: SiteUnderTest, path: str) -> None:
    answer = site.get(path)
    assert answer.status == 200
    html5lib.HTMLParser(strict=True).parse(answer.text)
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "set-cookie" not in answer.headers
    assert " style=" not in answer.text
    assert "<script>" not in answer.text
    assert site.get(path, if_none_match=answer.headers["etag"]).status == 304


def test_an_address_with_nothing_at_it_leads_back_to_the_site(site: SiteUnderTest) -> None:
    answer = site.get("/nothing")
    assert answer.status == 404
    html5lib.HTMLParser(strict=True).parse(answer.text)
    assert 'href="/leagues"' in answer.text


HOSTILE = [
    "<script>alert(1)</script>",
    "%00",
    "..%2f..%2fetc%2fpasswd",
    "'; DROP TABLE",
    "{{7*7}}",
    "a" * 5_000,
    "%ff%fe",
    "\u202eabc",
    "league:spring",
    "*",
    "javascript:alert(1)",
    "-1",
    "0",
    "99999999999999999999",
    "9" * 5_000,
]


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_and_queries_are_refused_or_shown_as_text(site: SiteUnderTest, hostile: str) -> None:
    name = hostile if hostile.startswith("%") else quote(hostile, safe="")
    for path in (
        f"/leagues/{name}",
        f"/leagues/{name}/events",
        f"/leagues/spring/{name}.csv",
        f"/leagues/spring/{name}/rounds/1",
        f"/leagues/spring/koikoi/rounds/{name}",
        f"/bots/{name}",
        f"/rules/{name}",
        f"/docs/{name}",
        f"/replays/{name}",
        f"/api/v1/bots/{name}",
        f"/matches?league={name}",
        f"/matches?bot={name}",
        f"/matches?after={name}",
        f"/leagues?after={name}",
        f"/bots?after={name}",
        f"/search?q={name}",
        f"/compare?bot={name}&other={name}x",
        f"/matches?bot=bot-1&result={name}&variant={name}",
        f"/replays/spring.koikoi.r1.t1.b1.a?at={name}&seat={name}",
    ):
        answer = site.get(path)
        assert answer.status in (200, 307, 400, 404), (path, answer.status)
        assert answer.status != 307 or path.partition("?")[0] in answer.headers["location"]
        assert b"<script>alert" not in answer.body
        assert b"Traceback" not in answer.body


def test_the_first_page_offers_a_match_to_watch_and_a_sample_where_there_is_none(
    site: SiteUnderTest, tmp_path: Path
) -> None:
    [link] = re.findall(r'href="([^"]*)">Watch a match<', site.get("/").text)
    assert site.get(link).status == 200
    assert link.startswith("/replays/spring.")
    done("bot", "create", "ann", cwd=tmp_path)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        empty = SiteUnderTest(pages_port(run))
        assert 'href="/replays/sample">Watch a match<' in empty.get("/").text
        assert empty.get("/replays/sample").status == 200
