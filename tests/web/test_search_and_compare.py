"""A search finds bots, leagues and matches from every page; two bots stand side by side."""

import json
from urllib.parse import quote

import pytest
from site_client import PAGES, SiteUnderTest

from arena.web.site.documents import ReplayDocument
from arena.web.site.versus import board_margins, mean_margin


def test_every_page_has_a_search_that_finds_bots_leagues_and_matches_by_a_part_of_a_name(site: SiteUnderTest) -> None:
    for path in PAGES:
        assert '<form class="site-search" method="get" action="/search"' in site.get(path).text
    text = site.get("/search?q=OT-2").text
    assert 'href="/bots/bot-2"' in text
    assert 'href="/bots/bot-1"' not in text
    assert 'href="/leagues/spring"' in site.get("/search?q=prin").text
    found = json.loads(site.get("/api/v1/search?q=bot-2").body)
    newest = json.loads(site.get("/api/v1/matches?bot=bot-2").body)["matches"][:5]
    assert found["matches"] == newest
    assert 'href="/matches?bot=bot-2"' in site.get("/search?q=bot-2").text
    replay = "spring.koikoi.r1.t1.b1.a"
    assert f'href="/replays/{replay}"' in site.get(f"/search?q={replay}").text
    assert "/replays/" not in site.get("/search?q=my.robot").text
    assert "Nothing has that in its name" in site.get(f"/search?q={quote('<script>alert(1)</script>')}").words
    assert site.get("/search").status == 200


def test_two_bots_stand_side_by_side_as_each_of_them_sees_it(site: SiteUnderTest) -> None:
    one, other = (
        json.loads(site.get(f"/api/v1/compare?bot={bot}&other={rival}").body)["versus"]
        for bot, rival in (("bot-1", "bot-2"), ("bot-2", "bot-1"))
    )
    both = [
        match for match in json.loads(site.get("/api/v1/matches?bot=bot-1").body)["matches"] if "bot-2" in match["bots"]
    ]
    assert one["matches"]["played"] == other["matches"]["played"] == len(both) > 0
    assert (one["matches"]["won"], one["matches"]["lost"]) == (other["matches"]["lost"], other["matches"]["won"])
    assert {variant["variant"] for variant in one["variants"]} == {match["variant"] for match in both}
    for here, there in zip(one["variants"], other["variants"], strict=True):
        assert here["margin"]["value"] == pytest.approx(-there["margin"]["value"])
        assert here["ratings"] == there["ratings"][::-1]
    assert 'href="/compare?bot=bot-1&amp;other=bot-2"' in site.get("/bots/bot-1").text
    assert "They have not met yet." in site.get("/compare?bot=bot-1&other=nobody").words
    assert "Compare" in site.get("/compare").words


def match(replay: str, bots: tuple[str, ...], results: tuple[int, ...], offender: int = -1) -> ReplayDocument:
    return ReplayDocument(replay, "l", "koikoi", bots, results, results, offender < 0, "COMPLETED", offender, (), "")


def test_a_board_that_was_played_from_both_seats_counts_once_and_a_forfeit_not_at_all() -> None:
    margins = board_margins(
        [
            match("l.koikoi.r1.t1.b1.a", ("ann", "bo"), (10, -10)),
            match("l.koikoi.r1.t1.b1.b", ("bo", "ann"), (16, -16)),
            match("l.koikoi.r1.t1.b2.a", ("ann", "bo"), (3, -3)),
            match("l.koikoi.r1.t1.b3.a", ("ann", "bo"), (50, -50), offender=0),
        ],
        "ann",
        "bo",
    )
    assert margins == [-6, 6]
    assert mean_margin([]) is None
    few, enough = mean_margin(margins), mean_margin([1.0, 2.0, 3.0, 4.0])
    assert (few.value, few.low) == (0, None)
    # Student's t of three degrees of freedom: 3.182 standard errors of 0.6455.
    assert (enough.value, enough.high) == (2.5, pytest.approx(2.5 + 3.182 * 0.6455, abs=0.01))
