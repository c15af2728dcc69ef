"""`arena league report`: a league in one page."""

from pathlib import Path

import html5lib
from arena_command import document, done, league_file, refused

ONE_MONTH = "options = { months = 1 }\n"


def test_a_report_is_one_page_with_tables_plots_and_matches_that_need_no_network(tmp_path: Path) -> None:
    file = league_file(tmp_path, ["house:greedy", "house:random", "house:random"], rounds=2, boards=4, more=ONE_MONTH)
    done("league", "run", file, cwd=tmp_path)
    told = document("league", "report", "spring", "--html", "spring.html", cwd=tmp_path)
    assert told == {"league": "spring", "file": "spring.html", "matches": 16, "shown": 3}
    text = (tmp_path / "spring.html").read_text("utf-8")
    page = html5lib.HTMLParser(strict=False).parse(text)
    assert page is not None
    for words in ("After 2 rounds", "Margin ratings", "Matches won, round by round", "Results against each other"):
        assert words in text
    assert text.count("<polyline") == 2 * 3, "a line for each bot, for a page and for a phone"
    assert text.count('type="range"') == 3, "each match has a slider"
    shown = document("league", "show", "spring", cwd=tmp_path)
    assert shown["commitment"] in text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text
    done("league", "report", "spring", "--html", "ja.html", "--language", "ja", cwd=tmp_path)
    japanese = (tmp_path / "ja.html").read_text("utf-8")
    assert '<html lang="ja">' in japanese
    for words in ("第2回戦終了時", "星取表", "最大の勝ち", "得失差レーティング"):
        assert words in japanese


def test_a_league_that_has_not_begun_has_a_report_and_an_unknown_one_has_none(tmp_path: Path) -> None:
    file = league_file(tmp_path, ["house:greedy", "house:random"], rounds=1, boards=1, more=ONE_MONTH)
    done("league", "open", file, cwd=tmp_path)
    done("league", "report", "spring", "--html", "spring.html", cwd=tmp_path)
    assert "The table appears when the first round is over." in (tmp_path / "spring.html").read_text("utf-8")
    assert "no league named 'autumn'" in refused("league", "report", "autumn", "--html", "a.html", cwd=tmp_path)
    where = refused("league", "report", "spring", "--html", "no/such/folder.html", cwd=tmp_path)
    assert "No such file or directory" in where
    there = refused("league", "report", "spring", "--html", "spring.html", cwd=tmp_path)
    assert there == "error: spring.html is there already; name another file, or remove it\n"
