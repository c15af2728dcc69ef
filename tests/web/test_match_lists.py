"""Lists of matches, and the ways from a replay to its league."""

import json
import re
from html import unescape

import pytest
from site_client import SiteUnderTest


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
