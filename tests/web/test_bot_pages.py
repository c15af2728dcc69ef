"""The list of bots and a bot's page: records that add up, last matches, bots that have not played yet."""

import asyncio
import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from arena_command import done, league_file, pages_port, running
from bots_in_tests import MANIFEST
from site_client import SiteUnderTest

from arena.packs.packing import pack
from arena.store import Store
from arena.submissions.submit import submit
from arena.web.site import bots
from arena.web.site.bots import BotDocument, bot_document
from arena.web.site.reader import Reader
from core_ext import variant_info

FIELD = 'board_sets = "field"\n'


def test_the_list_of_bots_has_their_records_and_is_searched_by_a_part_of_a_name(site: SiteUnderTest) -> None:
    listed = json.loads(site.get("/api/v1/bots").body)["bots"]
    tables = json.loads(site.get("/api/v1/leagues/spring/table").body)["tables"]
    assert [bot["name"] for bot in listed] == sorted({row["bot"] for table in tables for row in table["rows"]})
    for bot in listed:
        rows = [row for table in tables for row in table["rows"] if row["bot"] == bot["name"]]
        assert bot["played"] == sum(row["played"] for row in rows) > 0
        assert bot["won"] + bot["drawn"] + bot["lost"] == bot["played"]
        assert (bot["kind"], bot["league"]) == ("house", "spring")
    searched = site.get("/bots?name=OT-2").text
    assert "/bots/bot-2" in searched
    assert "/bots/bot-1" not in searched
    nothing = site.get(f"/bots?name={quote('<b>nobody')}").words
    assert "No bot has that in its name." in nothing
    assert json.loads(site.get("/api/v1/bots?after=bot-2").body)["bots"][0]["name"] == "bot-3"


def test_a_bots_page_names_a_game_in_japanese_and_by_its_id(site: SiteUnderTest) -> None:
    page = site.get("/bots/bot-1").text
    for variant in ("koikoi", "sangohana"):
        title = f'<span lang="ja">{variant_info(variant).name}</span>'
        assert f'<h2>Rating: {title} <span class="soft">{variant}</span></h2>' in page
        assert f'<th scope="row" class="nowrap">{title} {variant}</th>' in page


def test_a_bots_results_add_up(site: SiteUnderTest) -> None:
    bot = json.loads(site.get("/api/v1/bots/bot-1").body)["bot"]
    matches = json.loads(site.get("/api/v1/matches?bot=bot-1").body)["matches"]
    assert bot["matches"] == len(matches)
    for group in ("variants", "seats"):
        assert sum(score["played"] for score in bot[group]) == len(matches)
        assert all(one["played"] == one["won"] + one["drawn"] + one["lost"] for one in bot[group])
    assert {score["of"] for score in bot["opponents"]} <= {"bot-2", "bot-3"}
    assert set(bot["ratings"]) == {"koikoi", "sangohana"}


def test_a_yaku_of_a_bot_leads_to_the_end_of_the_month_in_which_it_was_made_last(site: SiteUnderTest) -> None:
    yaku = json.loads(site.get("/api/v1/bots/bot-1").body)["bot"]["yaku"]
    assert yaku
    for row in yaku:
        address = f"/replays/{row['replay']}?month={row['month']}"
        assert f'href="{address}"' in site.get("/bots/bot-1").text
        document = json.loads(site.get(f"/api/v1/replays/{row['replay']}").body)
        at = int(re.search(r'<div id="viewer"[^>]* data-at="(\d+)"', site.get(address).text)[1])
        step = document["steps"][at]
        assert (document["deals"][step["deal"]]["month"], step["decision"]) == (row["month"], 0)
        rows = document["deals"][step["deal"]]["sum"]
        assert any(row["title"] in one["label"] for one in rows)


def test_a_bots_last_matches_are_those_of_the_league_that_ended_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read() -> BotDocument:
        async with await Store.open(tmp_path / "arena-data") as store:
            return await bot_document(Reader(store), "bot-1")

    for name in ("b", "a"):
        done("league", "run", league_file(tmp_path, ["house:random"] * 2, name=name, rounds=1, boards=1), cwd=tmp_path)
    found = asyncio.run(read())
    assert [one.league for one in found.last] == ["a", "a", "b", "b"]
    assert {one.replay for one in found.last} == {f"{name}.koikoi.r1.t1.b1.{game}" for name in "ab" for game in "ab"}
    assert (found.matches, found.complete) == (4, True)
    monkeypatch.setattr(bots, "MAX_MATCHES", 3)
    found = asyncio.run(read())
    assert [one.league for one in found.last] == ["a", "a", "b"]
    assert (found.matches, found.complete) == (3, False)


def test_bots_that_have_entered_or_were_submitted_have_pages_before_they_play_also_where_their_file_is_gone(
    tmp_path: Path,
) -> None:
    (tmp_path / "gone.py").touch()
    done("league", "open", league_file(tmp_path, ["house:random", "./gone.py"]), cwd=tmp_path)
    (tmp_path / "gone.py").unlink()
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann/bot.toml").write_text(MANIFEST)
    (tmp_path / "ann/bot.py").touch()
    packed = pack(tmp_path / "ann")

    async def submitted() -> None:
        async with await Store.open(tmp_path / "arena-data") as store:
            await submit(store, packed)

    asyncio.run(submitted())
    done("bot", "create", "eve", cwd=tmp_path)
    done(
        "league", "open", league_file(tmp_path, ["house:random"] * 3 + ["eve"], name="autumn", more=FIELD), cwd=tmp_path
    )
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        shown = SiteUnderTest(pages_port(run))
        assert shown.get("/leagues/spring").status == 200
        assert "It is eve under another name." in shown.get("/bots/bot-4").words
        listed = {one["name"]: one for one in json.loads(shown.get("/api/v1/bots").body)["bots"]}
        assert (listed["ann"]["kind"], listed["ann"]["runtime"]) == ("submitted", "python")
        assert (listed["eve"]["kind"], listed["eve"]["runtime"]) == ("registered", "")
        entrants = json.loads(shown.get("/api/v1/leagues/spring").body)["entrants"]
        for name in ("bot-1", "bot-2"):
            assert f'href="/bots/{name}"' in shown.get("/leagues/spring").text
            assert "It has not played yet." in shown.get(f"/bots/{name}").text
        assert shown.get("/bots/bot-5").status == 404
        page = shown.get("/bots/ann").text
        assert "It has not played yet." in page
        assert packed.version[:12] in page
        assert "qualifying" in page
    assert [(entrant["bot"], entrant["kind"]) for entrant in entrants if entrant["kind"] != "house"] == [
        ("gone.py", "path")
    ]


def test_a_bot_s_page_tells_its_thinking_times_and_is_not_sent_twice(site: SiteUnderTest) -> None:
    thinking = json.loads(site.get("/api/v1/bots/bot-1").body)["bot"]["thinking"]
    assert sum(thinking) > 0
    page = site.get("/bots/bot-1")
    assert "Thinking time" in page.text
    again = site.get("/bots/bot-1", if_none_match=page.headers["etag"])
    assert (again.status, again.body) == (304, b"")
