"""Lists of matches, and the ways from a replay to its league."""

import asyncio
import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from arena_command import done, league_file
from site_client import SiteUnderTest

from arena.store import Store
from arena.web.site import match_list
from arena.web.site.match_list import MatchQuery
from arena.web.site.reader import Reader


@pytest.mark.parametrize("path", ["/matches", "/matches?league=spring", "/matches?bot=bot-3"])
def test_the_data_behind_a_list_of_matches_are_those_that_it_shows(site: SiteUnderTest, path: str) -> None:
    text = site.get(path).text
    [address] = re.findall(r'href="(/api/v1/matches[^"]*)"', text)
    shown = re.findall(r'href="/replays/([^"]+)"', text)
    assert [match["replay"] for match in json.loads(site.get(unescape(address)).body)["matches"]] == shown


def test_a_replay_leads_to_its_round_to_the_other_games_with_its_cards_and_to_its_neighbours(
    site: SiteUnderTest,
) -> None:
    tables = json.loads(site.get("/api/v1/leagues/spring/sangohana/rounds/1").body)["round"]["tables"]
    matches = [match for table in tables for match in table["matches"]]
    replays = [match["replay"] for match in matches]
    for at in (0, 1, len(replays) - 1):
        text = site.get(f"/replays/{replays[at]}").text
        [way] = re.findall(r'<nav class="way.*?</nav>', text)
        links = re.findall(r'href="([^"]+)"', way)
        same_board = [match["replay"] for match in matches if match["board"] == matches[at]["board"]]
        assert links[0] == "/leagues/spring"
        assert links[1].startswith("/leagues/spring/sangohana/rounds/1#table-")
        assert [link for link in links[2:] if link.removeprefix("/replays/") in same_board]
        assert ('rel="prev"' in way) == (at > 0)
        assert ('rel="next"' in way) == (at < len(replays) - 1)
        assert all(site.get(link.partition("#")[0]).status == 200 for link in links)
    assert 'class="way small"' not in site.get("/replays/sample").text


def matches_of(site: SiteUnderTest, query: str = "") -> list[dict[str, object]]:
    """All matches of a list, page by page."""
    found: list[dict[str, object]] = []
    after = ""
    while True:
        more = f"{'&' if query else ''}after={quote(after)}" if after else ""
        page = json.loads(site.get(f"/api/v1/matches?{query}{more}".rstrip("?")).body)
        found += page["matches"]
        if not (after := page["next"]):
            return found


def test_matches_stand_by_time_the_newest_first_and_filters_in_the_address_choose_among_them(
    site: SiteUnderTest,
) -> None:
    matches = matches_of(site)
    times = [match["time"] for match in matches]
    assert times == sorted(times, reverse=True)
    assert len({match["replay"] for match in matches}) == len(matches)
    assert {match["variant"] for match in matches} == {"koikoi", "sangohana"}

    def chosen(query: str) -> list[object]:
        return [match["replay"] for match in matches_of(site, query)]

    def expected(*, variant: str = "", bot: str = "", places: tuple[int, ...] = (1, 2, 3)) -> list[object]:
        return [
            match["replay"]
            for match in matches
            if variant in ("", match["variant"])
            and (not bot or (bot in match["bots"] and match["placing"][match["bots"].index(bot)] in places))
        ]

    assert chosen("variant=sangohana") == expected(variant="sangohana")
    assert chosen("bot=bot-2&variant=koikoi") == expected(bot="bot-2", variant="koikoi")
    won, drawn, lost = (chosen(f"bot=bot-2&result={result}") for result in ("won", "drawn", "lost"))
    assert sorted([*won, *drawn, *lost]) == sorted(expected(bot="bot-2"))
    assert won
    assert set(won) <= set(expected(bot="bot-2", places=(1,)))
    assert chosen("forfeited=yes") == []
    assert chosen("forfeited=no") == expected()
    assert chosen("league=nothing") == chosen("bot=nobody") == []


def test_the_form_of_the_matches_shows_what_was_chosen_and_the_address_has_nothing_else(site: SiteUnderTest) -> None:
    page = site.get("/matches?variant=koikoi&bot=bot-2&result=won").text
    for value in ("koikoi", "won"):
        assert f'<option value="{value}" selected>' in page
    assert 'name="bot" value="bot-2"' in page
    asked = site.get("/matches?variant=&bot=bot-2&result=&league=&forfeited=")
    assert (asked.status, asked.headers["location"]) == (307, "/matches?bot=bot-2")
    for query in ("variant=poker", "result=won", "bot=bot-2&result=best", "forfeited=perhaps"):
        assert site.get(f"/matches?{query}").status == 400


def test_a_page_of_matches_goes_on_where_the_one_before_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        file = league_file(tmp_path, ["house:random"] * 2, name=name, boards=2, more="options = { months = 1 }\n")
        done("league", "run", file, cwd=tmp_path)

    async def read(**limits: int) -> list[str]:
        found: list[str] = []
        async with await Store.open(tmp_path / "arena-data") as store:
            after = ""
            while True:
                page, after = await match_list.latest_matches(Reader(store), (), MatchQuery(), after, **limits)
                found += [match.replay for match in page]
                if not after:
                    return found

    whole = asyncio.run(read())
    assert [replay.partition(".")[0] for replay in whole] == ["two"] * 8 + ["one"] * 8
    assert asyncio.run(read(limit=3)) == whole
    monkeypatch.setattr(match_list, "MAX_EXAMINED", 2)
    assert asyncio.run(read()) == whole
    monkeypatch.setattr(match_list, "MAX_OPENED", 2)
    assert asyncio.run(read()) == whole
