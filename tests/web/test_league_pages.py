"""A league's pages and lists: its head, its tables as the terminal has them, its rounds, live events."""

import csv
import io
import json
import re
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from arena_command import document, done, league_file, league_of_two_divisions, pages_port, running
from site_client import SiteUnderTest

from arena.league.values import MatchOutcome, PlayedRound
from arena.web.site.course import course
from arena.web.site.documents import DivisionDocument, LeagueDocument
from arena.web.site.great_hands import MAX_SHOWN
from arena.web.site.heads import duration, time_left_s
from core_ext import variant_info


def test_a_leagues_page_begins_with_its_winners_what_they_are_sure_of_and_what_is_played(site: SiteUnderTest) -> None:
    tables = json.loads(site.get("/api/v1/leagues/spring/table").body)["tables"]
    words = site.get("/leagues/spring").words
    for table in tables:
        first, *others = table["rows"]
        assert f"Winner · {variant_info(table['variant']).name} {table['variant']} {first['bot']} " in words
        equal = [row["bot"] for row in others if first["place"] == 1 == row["place"]]
        assert ("cannot tell it apart from" in words) >= bool(equal)
    head = words[: words.index("All-round")]
    assert "Clock 2 s a decision, and a bank of 60 s a match" in head
    assert "Organiser the operator of this arena" in head
    assert re.search(r"Finished \d{4}-\d\d-\d\d \d\d:\d\d UTC", head)
    assert "Swiss system, at most 2 rounds · 1 board a table, each from both seats" in words
    assert (
        "Swiss system in pods, at most 2 rounds · 3 bots a table · 1 board a table, each from all three seats" in words
    )


def test_a_leagues_page_shows_its_greatest_hands_each_with_the_moment_of_its_replay(site: SiteUnderTest) -> None:
    page = site.get("/leagues/spring").text
    hands = re.findall(
        r'<li><a href="/replays/(spring\.\w+\.[^?"]+)\?month=(\d+)"><span class="great-points">\+(\d+)</span>'
        r' <span class="name">([^<]+)</span>',
        page,
    )
    greatest: dict[str, list[int]] = {"koikoi": [], "sangohana": []}
    for replay in re.findall(r'"replay":"(spring\.[^"]+)"', site.get("/api/v1/matches?league=spring").text):
        shown = json.loads(site.get(f"/api/v1/replays/{replay}").body)
        for deal in shown["deals"]:
            greatest[shown["variant"]] += [points for points in deal["scores"] if points > 0]
            if (replay, str(deal["month"])) in {hand[:2] for hand in hands}:
                told = [
                    (points, name) for r, month, points, name in hands if (r, month) == (replay, str(deal["month"]))
                ]
                assert set(told) <= set(zip(map(str, deal["scores"]), shown["names"], strict=True))
    for variant, points in greatest.items():
        assert points
        found = [int(hand[2]) for hand in hands if hand[0].split(".")[1] == variant]
        assert found == sorted(points, reverse=True)[: len(found)]
        assert len(found) == min(len(points), MAX_SHOWN)


def test_a_league_that_is_cancelled_says_so_and_promises_nothing(tmp_path: Path) -> None:
    done("league", "open", league_file(tmp_path, ["house:random"] * 2), cwd=tmp_path)
    done("league", "cancel", "spring", cwd=tmp_path)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        words = SiteUnderTest(pages_port(run)).get("/leagues/spring").words
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
    too_few = "Too few boards were played to tell it apart from the others."
    assert too_few in few
    assert too_few not in enough
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


def test_leagues_stand_by_state_then_by_time_each_with_its_winner(site: SiteUnderTest, tmp_path: Path) -> None:
    for name in ("b", "a"):
        file = league_file(tmp_path, ["house:random", "house:greedy"], name=name, rounds=1, boards=1)
        done("league", "run", file, cwd=tmp_path)
    done("league", "open", league_file(tmp_path, ["house:random"] * 2, name="later"), cwd=tmp_path)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        here = SiteUnderTest(pages_port(run))
        found = json.loads(here.get("/api/v1/leagues").body)
        after = json.loads(here.get("/api/v1/leagues?after=later").body)["leagues"]
        assert here.get("/leagues?after=nothing").status == 400
        page = here.get("/leagues").text
        [winner, *_] = json.loads(here.get("/api/v1/leagues/a/table").body)["tables"][0]["rows"]
    assert [league["name"] for league in found["leagues"]] == ["later", "a", "b"]
    assert [league["name"] for league in after] == ["a", "b"]
    assert found["leads"]["later"] == []
    assert found["leads"]["a"][0]["bot"] == winner["bot"]
    assert f'<a class="name" href="/bots/{winner["bot"]}">{winner["bot"]}</a>' in page


def test_a_leagues_table_stands_in_the_order_that_a_heading_asks_for(site: SiteUnderTest) -> None:
    tables = json.loads(site.get("/api/v1/leagues/spring/table").body)["tables"]
    points = {row["bot"]: row["game_points"] for row in tables[0]["rows"]}

    def order(query: str) -> list[str]:
        [table] = re.findall(
            r'<table class="standings.*?</table>', site.get(f"/leagues/spring{query}").text, re.DOTALL
        )[:1]
        return re.findall(r'<th scope="row"><a class="name" href="/bots/([^"]+)"', table)

    assert order("") == order("?sort=rank") == [row["bot"] for row in tables[0]["rows"]]
    assert order("?sort=-rank") == order("")[::-1]
    assert order("?sort=bot") == sorted(points)
    by_points = [points[bot] for bot in order("?sort=game_points")]
    assert by_points == sorted(points.values(), reverse=True)
    assert [points[bot] for bot in order("?sort=-game_points")] == by_points[::-1]
    page = site.get("/leagues/spring?sort=game_points").text
    assert 'aria-sort="descending"' in page
    assert 'href="?sort=-game_points"' in page
    assert site.get("/leagues/spring?sort=nothing").status == 400


def test_a_leagues_page_draws_its_standing_over_the_rounds_up_to_the_tables_points(site: SiteUnderTest) -> None:
    page = site.get("/leagues/spring").text
    plots = re.findall(r'<div class="plot".*?</div>', page, re.DOTALL)
    assert len(plots) == 2
    for bot in ("bot-1", "bot-2", "bot-3"):
        assert f">{bot}</text>" in plots[0]


def played(number: int, *tables: tuple[tuple[str, str], tuple[int, int]], byes: tuple[str, ...] = ()) -> PlayedRound:
    outcomes = [
        MatchOutcome(number, table, table, bots, halves, (halves[0] - 1, halves[1] - 1))
        for table, (bots, halves) in enumerate(tables, start=1)
    ]
    return PlayedRound(number, byes, tuple(outcomes))


def test_the_standing_over_the_rounds_adds_up_tables_won_and_byes_and_of_many_rounds_takes_some() -> None:
    rounds = [played(1, (("a", "b"), (2, 0)), byes=("c",)), played(2, (("c", "a"), (1, 1)), byes=("b",))]
    assert course(rounds, ["a", "b", "c"], 2) == (
        [0, 1, 2],
        [("a", [0, 2, 3]), ("b", [0, 0, 2]), ("c", [0, 2, 3])],
    )
    steps, [(_, values)] = course([played(number, (("a", "b"), (2, 0))) for number in range(1, 251)], ["a"], 2)
    assert len(steps) == len(values) <= 62
    assert (steps[0], steps[-1], values[-1]) == (0, 250, 500)


def league_at(state: str, started: str, *shares: float) -> LeagueDocument:
    divisions = tuple(DivisionDocument("koikoi", "", state, 1, 4, 8, 4, 4, 2, 2, "mirror", share) for share in shares)
    return LeagueDocument("l", state, False, "", "", "2026-01-01T00:00:00Z", started, "", "1", divisions)


def test_the_time_left_is_that_of_the_slowest_division_at_the_pace_so_far() -> None:
    now = datetime(2026, 1, 1, 1, tzinfo=UTC)
    began = "2026-01-01T00:00:00Z"
    assert time_left_s(league_at("running", began, 0.5), now) == 3600
    assert time_left_s(league_at("running", began, 0.5, 0.25), now) == 3 * 3600
    assert time_left_s(league_at("running", began, 0.5, 0.0), now) is None
    assert time_left_s(league_at("paused", began, 0.5), now) is None
    assert time_left_s(league_at("open", "", 0.0), now) is None
    texts = ["less than a minute", "1 minute", "12 minutes", "3 hours", "2 days"]
    assert [duration(seconds) for seconds in (20, 50, 720, 3 * 3600, 2 * 86_400)] == texts
