"""The site over a real store: pages, their data, live events, and what strangers may try."""

import asyncio
import csv
import http.client
import io
import json
import re
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import html5lib
import pytest
from arena_command import (
    DEADLINE_S,
    document,
    done,
    league_file,
    league_of_two_divisions,
    pages_port,
    refused,
    running,
    until,
)
from bots_in_tests import MANIFEST
from store_servers import ServerProcess

from arena.packs.packing import pack
from arena.store import Store
from arena.submissions.submit import submit
from arena.web.site import bots
from arena.web.site.bots import BotDocument, bot_document
from arena.web.site.reader import Reader
from arena.web.site.rules import PAGES as DOCUMENTS
from core_ext import VARIANTS, variant_info

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


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def text(self) -> str:
        return self.body.decode()


class SiteUnderTest:
    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE_S)
        try:
            connection.request("GET", path, headers={name.replace("_", "-"): one for name, one in headers.items()})
            return Answer(connection.getresponse())
        finally:
            connection.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an arena with a finished league of two divisions."""
    folder = tmp_path_factory.mktemp("site")
    done("league", "run", league_of_two_divisions(folder), cwd=folder)
    return folder


@pytest.fixture(scope="module")
def site(played: Path) -> Iterator[SiteUnderTest]:
    with running("web", "--listen", "127.0.0.1:0", cwd=played) as run:
        yield SiteUnderTest(pages_port(run))


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
    *(f"/rules/{variant}" for variant in VARIANTS),
    *(f"/docs/{name}" for name in DOCUMENTS),
    "/replays/spring.koikoi.r1.t1.b1.a",
]


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


def words_of(answer: Answer) -> str:
    """The text of a page, without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


def test_a_leagues_page_begins_with_its_winners_what_they_are_sure_of_and_what_is_played(site: SiteUnderTest) -> None:
    tables = json.loads(site.get("/api/v1/leagues/spring/table").body)["tables"]
    words = words_of(site.get("/leagues/spring"))
    for table in tables:
        first, *others = table["rows"]
        assert f"Winner · {variant_info(table['variant']).name} {table['variant']} {first['bot']} " in words
        equal = [row["bot"] for row in others if first["place"] == 1 == row["place"]]
        assert ("cannot tell it apart from" in words) >= bool(equal)
    head = words[: words.index("All-round")]
    assert "Clock 2 s a decision, and a bank of 60 s a match" in head
    assert re.search(r"Finished \d{4}-\d\d-\d\d \d\d:\d\d UTC", head)
    assert "Swiss system, at most 2 rounds · 1 board a table, each from both seats" in words
    assert (
        "Swiss system in pods, at most 2 rounds · 3 bots a table · 1 board a table, each from all three seats" in words
    )


def test_a_league_that_is_cancelled_says_so_and_promises_nothing(tmp_path: Path) -> None:
    done("league", "open", league_file(tmp_path, ["house:random"] * 2), cwd=tmp_path)
    done("league", "cancel", "spring", cwd=tmp_path)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        words = words_of(SiteUnderTest(pages_port(run)).get("/leagues/spring"))
    assert "Cancelled, 0 matches played." in words
    assert "nobody won" in words
    assert "appears" not in words
    assert "Winner" not in words


def test_a_rounds_page_leads_to_the_rounds_before_and_after_it(site: SiteUnderTest) -> None:
    first, second = (site.get(f"/leagues/spring/koikoi/rounds/{number}").text for number in (1, 2))
    assert 'rel="next" href="/leagues/spring/koikoi/rounds/2"' in first
    assert 'rel="prev"' not in first
    assert 'rel="prev" href="/leagues/spring/koikoi/rounds/1"' in second
    assert 'rel="next"' not in second


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


def test_pages_tell_search_engines_and_who_shares_them_what_they_show(site: SiteUnderTest) -> None:
    names = {}
    for path in PAGES:
        text = site.get(path).text
        [title] = re.findall(r'<meta property="og:title" content="([^"]+)">', text)
        [about] = re.findall(r'<meta name="description" content="([^"]+)">', text)
        assert f'<meta property="og:description" content="{about}">' in text
        names[path] = unescape(title), unescape(about)
    [winner, *_] = json.loads(site.get("/api/v1/leagues/spring/table").body)["tables"][0]["rows"]
    assert names["/leagues/spring"][0] == "spring"
    assert f"Winner in koikoi: {winner['bot']}." in names["/leagues/spring"][1]
    assert names["/bots/bot-1"][1].startswith("bot-1, a bot")
    urls = ElementTree.fromstring(site.get("/sitemap.xml").body).iter(
        "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
    )
    addresses = [url.text.removeprefix(f"http://127.0.0.1:{site.port}") for url in urls]
    assert "/leagues/spring" in addresses
    assert {site.get(address).status for address in addresses} == {200}
    assert f"Sitemap: http://127.0.0.1:{site.port}/sitemap.xml" in site.get("/robots.txt").text


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
    nothing = words_of(site.get(f"/bots?name={quote('<b>nobody')}"))
    assert "No bot has that in its name." in nothing
    assert json.loads(site.get("/api/v1/bots?after=bot-2").body)["bots"][0]["name"] == "bot-3"


def test_the_leagues_page_and_its_data_say_what_the_command_line_says(site: SiteUnderTest, played: Path) -> None:
    told = document("league", "show", "spring", cwd=played)
    tables = json.loads(site.get("/api/v1/leagues/spring/table").body)["tables"]
    for division, table in zip(told["divisions"], tables, strict=True):
        standings = division["table"]["standings"]
        assert [row["bot"] for row in table["rows"]] == [row["name"] for row in standings]
        assert [row["best"] for row in table["rows"]] == [
            division["table"]["best"].get(row["bot"]) for row in table["rows"]
        ]
        assert [row["match_points"] for row in table["rows"]] == [
            row["match_points"] / division["table"]["parts"] for row in standings
        ]
        rows = list(csv.DictReader(io.StringIO(site.get(f"/leagues/spring/{division['variant']}.csv").text)))
        assert [row["bot"] for row in rows] == [row["name"] for row in standings]
    league = json.loads(site.get("/api/v1/leagues/spring").body)
    assert league["league"]["commitment"] == told["commitment"]
    assert league["league"]["secret"] == told["secret"]
    page = site.get("/leagues/spring").text
    assert told["commitment"] in page
    assert told["secret"] in page


def test_pages_show_ratings_when_the_terminal_does_and_with_the_same_error_bars(tmp_path: Path) -> None:
    bots = ["house:random", "house:greedy"]
    for name, boards in (("few", 2), ("enough", 8)):
        file = league_file(tmp_path, bots, name=name, rounds=1, boards=boards, more="options = { months = 1 }\n")
        done("league", "run", file, cwd=tmp_path)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        site = SiteUnderTest(pages_port(run))
        few, enough = (site.get(f"/leagues/{name}").text for name in ("few", "enough"))
        bot, home = site.get("/bots/bot-1").text, site.get("/").text
    not_yet = "Ratings: not yet, they need 8 board sets a bot"
    assert not_yet in done("league", "show", "few", cwd=tmp_path)
    assert not_yet in few
    assert ">rating<" not in few
    assert ">not yet<" in few
    told = done("league", "show", "enough", cwd=tmp_path)
    assert not_yet not in enough
    standings, ratings = told.split("enough · ratings")
    for name in ("bot-1", "bot-2"):
        [(margin, best, tied)] = re.findall(rf"{name} .* (\S+ ± \S+) +(<?\d+%) +(\d=?)", standings)
        [rating] = re.findall(rf"{name} +(\d+ ± \d+)", ratings)
        assert f">{margin}<" in enough
        assert f'data-label="best">{escape(best)}<' in enough
        assert f'data-label="tied">{tied}<' in enough
        assert f">{rating}<" in enough
        assert f">{rating}<" in home
        assert (f">{rating}<" in bot) == (name == "bot-1")
    assert bot.count(">not yet<") == 1


def test_a_bots_page_names_a_game_in_japanese_and_by_its_id(site: SiteUnderTest) -> None:
    page = site.get("/bots/bot-1").text
    for variant in ("koikoi", "sangohana"):
        title = f'<span lang="ja">{variant_info(variant).name}</span>'
        assert f'<h2>Rating: {title} <span class="soft">{variant}</span></h2>' in page
        assert f'<th scope="row">{title} {variant}</th>' in page


def test_lists_of_leagues_name_their_games_in_japanese_and_by_their_ids(site: SiteUnderTest, tmp_path: Path) -> None:
    done("league", "open", league_of_two_divisions(tmp_path), cwd=tmp_path)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        of_open = SiteUnderTest(pages_port(run))
        pages = [site.get("/leagues").text, of_open.get("/leagues").text, of_open.get("/").text]
    games = [f'<span lang="ja">{variant_info(one).name}</span> {one}</span>' for one in ("koikoi", "sangohana")]
    for page in pages:
        assert f'<span class="nowrap">{games[0]}, <span class="nowrap">{games[1]}' in page


def test_the_list_of_leagues_counts_the_matches_of_all_divisions(site: SiteUnderTest) -> None:
    [league] = json.loads(site.get("/api/v1/leagues").body)["leagues"]
    played = [division["played"] for division in league["divisions"]]
    assert min(played) > 0
    assert f">finished, {sum(played)} matches<" in site.get("/leagues").text


def test_a_league_of_several_games_begins_with_its_table_over_all_of_them_and_leads_to_each(
    site: SiteUnderTest,
) -> None:
    page = site.get("/leagues/spring").text
    links = re.findall(r'href="#([^"]*)"', page.partition('aria-label="Divisions"')[2])
    assert links == ["division-koikoi", "division-sangohana"]
    places = [page.index(f'id="{one}"') for one in ("all-round", *links)]
    assert places == sorted(places)
    assert "<h2>All-round</h2>" in page


def test_a_round_lists_every_match_with_its_replay(site: SiteUnderTest, played: Path) -> None:
    listed = {line.split()[0] for line in done("replay", "list", "--league", "spring", cwd=played).splitlines()}
    found = set()
    for variant in ("koikoi", "sangohana"):
        for number in (1, 2):
            answer = json.loads(site.get(f"/api/v1/leagues/spring/{variant}/rounds/{number}").body)
            found |= {match["replay"] for table in answer["round"]["tables"] for match in table["matches"]}
    assert found == listed
    matches = json.loads(site.get("/api/v1/matches?league=spring").body)["matches"]
    assert {match["replay"] for match in matches} == listed


def test_a_bots_results_add_up(site: SiteUnderTest) -> None:
    bot = json.loads(site.get("/api/v1/bots/bot-1").body)["bot"]
    matches = json.loads(site.get("/api/v1/matches?bot=bot-1").body)["matches"]
    assert bot["matches"] == len(matches)
    for group in ("variants", "seats"):
        assert sum(score["played"] for score in bot[group]) == len(matches)
        assert all(one["played"] == one["won"] + one["drawn"] + one["lost"] for one in bot[group])
    assert {score["of"] for score in bot["opponents"]} <= {"bot-2", "bot-3"}
    assert set(bot["ratings"]) == {"koikoi", "sangohana"}


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
    monkeypatch.setattr(bots, "MOST_MATCHES", 3)
    found = asyncio.run(read())
    assert [one.league for one in found.last] == ["a", "a", "b"]
    assert (found.matches, found.complete) == (3, False)


@pytest.mark.parametrize("path", ["/matches", "/matches?league=spring", "/matches?bot=bot-3"])
def test_the_data_behind_a_list_of_matches_are_those_that_it_shows(site: SiteUnderTest, path: str) -> None:
    text = site.get(path).text
    [address] = re.findall(r'href="(/api/v1/matches[^"]*)"', text)
    shown = re.findall(r'href="/replays/([^"]+)"', text)
    assert [match["replay"] for match in json.loads(site.get(unescape(address)).body)["matches"]] == shown


def test_the_feed_lists_finished_leagues(site: SiteUnderTest) -> None:
    answer = site.get("/feed.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.body)
    assert [title.text for title in feed.findall(".//{*}entry/{*}title")] == ["spring"]


def test_every_link_of_a_document_leads_to_the_place_that_it_names(site: SiteUnderTest) -> None:
    pages = [f"/docs/{name}" for name in DOCUMENTS] + [f"/rules/{variant}" for variant in VARIANTS]
    texts = {path: site.get(path).text for path in pages}
    links = 0
    for path, text in texts.items():
        for href in re.findall(r'href="((?:/docs/|/rules/|#)[^"]*)"', text):
            address, _, anchor = href.partition("#")
            assert (address or path) in texts, (path, href)
            assert not anchor or f'id="{anchor}"' in texts[address or path], (path, href)
            links += 1
    assert links > len(pages)


def test_an_address_with_nothing_at_it_leads_back_to_the_site(site: SiteUnderTest) -> None:
    answer = site.get("/nothing")
    assert answer.status == 404
    html5lib.HTMLParser(strict=True).parse(answer.text)
    assert 'href="/leagues"' in answer.text


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
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        shown = SiteUnderTest(pages_port(run))
        assert shown.get("/leagues/spring").status == 200
        entrants = json.loads(shown.get("/api/v1/leagues/spring").body)["entrants"]
        for name in ("bot-1", "bot-2"):
            assert f'href="/bots/{name}"' in shown.get("/leagues/spring").text
            assert "It has not played yet." in shown.get(f"/bots/{name}").text
        assert shown.get("/bots/bot-3").status == 404
        page = shown.get("/bots/ann").text
        assert "It has not played yet." in page
        assert packed.version[:12] in page
        assert "qualifying" in page
    assert [(one["bot"], one["kind"]) for one in entrants if one["kind"] != "house"] == [("gone.py", "path")]


def test_a_league_is_followed_live_to_its_end_and_nothing_is_missed(tmp_path: Path) -> None:
    file = league_file(tmp_path, ["house:random"] * 2, rounds=2, boards=1)
    done("league", "open", file, cwd=tmp_path)
    with running("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", cwd=tmp_path) as node:
        port = pages_port(node)
        node.wait_for("listening on")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
        connection.request("GET", "/leagues/spring/events")
        events = connection.getresponse()
        assert events.headers["content-type"].startswith("text/event-stream")
        first = next(_events(events))
        assert first["state"] == "open"
        done("league", "start", "spring", cwd=tmp_path)
        seen = list(_events(events))
        connection.close()
        assert seen[-1]["state"] == "finished"
        assert seen[-1]["divisions"][0]["played"] == 4
        # Who comes back with the last id has missed nothing, and is told at once where the league stands otherwise.
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
        connection.request("GET", "/leagues/spring/events", headers={"last-event-id": first["version"]})
        assert [event["version"] for event in _events(connection.getresponse())] == [seen[-1]["version"]]
        connection.close()


def test_when_the_site_ends_open_answers_end_with_it_and_nothing_is_logged(tmp_path: Path) -> None:
    done("league", "open", league_file(tmp_path, ["house:random", "house:greedy"]), cwd=tmp_path)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        port = pages_port(run)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
        connection.request("GET", "/leagues/spring/events")
        events = connection.getresponse()
        assert next(_events(events))["state"] == "open"
        run.process.terminate()
        assert list(_events(events)) == []
        assert run.end() == 0
        assert [line for line in run.lines if not line.startswith("pages at")] == []
        connection.close()


def _events(response: http.client.HTTPResponse) -> Iterator[dict[str, object]]:
    for line in response:
        if line.startswith(b"data: "):
            yield json.loads(line[6:])


def test_while_the_store_is_away_pages_say_so_and_are_there_again_afterwards(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, "--appendonly", "yes")
    server.start()
    try:
        done("league", "run", league_file(tmp_path, ["house:random"] * 2, rounds=1, boards=1), "--redis", server.url)
        with running("web", "--listen", "127.0.0.1:0", "--redis", server.url) as run:
            site = SiteUnderTest(pages_port(run))
            assert site.get("/leagues/spring").status == 200
            server.kill()
            answer = site.get("/leagues/spring")
            assert answer.status == 503
            assert "does not answer" in answer.text
            server.start()
            until(lambda: site.get("/leagues/spring").status == 200, "the pages are there again")
    finally:
        server.kill()


def test_an_address_that_cannot_be_used_is_refused_in_a_line(played: Path, site: SiteUnderTest) -> None:
    for address in ("8080", "fd=x"):
        assert "is not HOST:PORT" in refused("web", "--listen", address, cwd=played)
    for number in ("fd=0", "fd=9999", "fd=99999999999999"):
        assert "no socket has this number here" in refused("web", "--listen", number, cwd=played)
    taken = f"127.0.0.1:{site.port}"
    said = refused("web", "--listen", taken, cwd=played)
    assert said.endswith(f"pages cannot be served at {taken}: Address already in use\n")


def test_a_bot_s_page_tells_its_thinking_times_and_is_not_sent_twice(site: SiteUnderTest) -> None:
    thinking = json.loads(site.get("/api/v1/bots/bot-1").body)["bot"]["thinking"]
    assert sum(thinking) > 0
    page = site.get("/bots/bot-1")
    assert "Thinking time" in page.text
    again = site.get("/bots/bot-1", if_none_match=page.headers["etag"])
    assert (again.status, again.body) == (304, b"")


def test_a_site_that_was_started_anew_sends_others_the_whole_page_that_one_reader_has_already(
    site: SiteUnderTest, played: Path
) -> None:
    known = {path: site.get(path) for path in ("/", "/leagues/spring", "/bots/bot-1", "/api/v1/bots/bot-1")}
    with running("web", "--listen", "127.0.0.1:0", cwd=played) as run:
        anew = SiteUnderTest(pages_port(run))
        for path, answer in known.items():
            assert anew.get(path, if_none_match=answer.headers["etag"]).status == 304
            assert anew.get(path).body == answer.body
