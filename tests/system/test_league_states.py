"""What a command says that finds its league already so, or in a state in which it can do nothing."""

from pathlib import Path

import pytest
from arena_command import document, done, league_file, refused

ONE_MONTH = "options = { months = 1 }\n"


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """The file of a league that is open, in its folder."""
    file = league_file(tmp_path, ["house:random", "house:greedy"], rounds=1, boards=1, more=ONE_MONTH)
    assert "It is open, with 2 bots.\n" in done("league", "open", file.name, cwd=tmp_path)
    return file


def test_a_league_is_started_once_and_a_second_start_says_so(league: Path) -> None:
    at = league.parent
    assert done("league", "start", "spring", cwd=at) == "league spring is running\n"
    assert done("league", "start", "spring", cwd=at) == "league spring is running already\n"
    assert done("league", "pause", "spring", cwd=at) == "league spring is paused\n"
    assert done("league", "pause", "spring", cwd=at) == "league spring is paused already\n"
    said = refused("league", "start", "spring", cwd=at)
    assert said == "error: league 'spring' is paused; `arena league resume spring` resumes it\n"
    assert done("league", "resume", "spring", cwd=at) == "league spring is running\n"
    assert done("league", "resume", "spring", cwd=at) == "league spring is running already\n"
    assert done("league", "retry", "spring", cwd=at) == "no job of league spring was given up\n"


def test_a_league_that_is_over_is_not_started(league: Path) -> None:
    at = league.parent
    done("league", "run", league.name, cwd=at)
    said = refused("league", "start", "spring", cwd=at)
    assert said == "error: league 'spring' is finished; only an open league can be started\n"
    assert done("league", "list", cwd=at) == "spring  finished  koikoi 1/1  2 matches\n"


def test_a_league_that_was_cancelled_is_not_started(league: Path) -> None:
    at = league.parent
    assert done("league", "cancel", "spring", cwd=at) == "league spring is cancelled\n"
    assert done("league", "cancel", "spring", cwd=at) == "league spring is cancelled already\n"
    assert done("league", "show", "spring", cwd=at).startswith("spring: cancelled, 0 matches played before that\n")
    said = refused("league", "start", "spring", cwd=at)
    assert said == "error: league 'spring' is cancelled; only an open league can be started\n"
    assert "there is no" not in refused("league", "resume", "spring", cwd=at)


def test_nothing_is_said_in_the_plural_of_one(tmp_path: Path) -> None:
    file = tmp_path / "solo.toml"
    file.write_text('name = "solo"\nentries = ["house:random"]\n')
    assert "It is open, with 1 bot.\n" in done("league", "open", file, cwd=tmp_path)
    test = ("match", "test", "house:random", "house:random", "--boards-max", "1", "--option", "months=1")
    said = done(*test, cwd=tmp_path)
    assert "at most 1 board set of 2 games" in said
    assert "no verdict after 1 board set (2 games)" in said


MIXED = """\
name = "grand"
rounds = {rounds}
boards = 2
entries = [{entries}]

[[divisions]]
variant = "koikoi"
board_sets = "field"
options = {{ months = 1 }}
"""
MIRRORED = '\n[[divisions]]\nvariant = "kyogi"\n'


def test_an_open_league_takes_a_changed_file_and_keeps_its_entrants_and_its_commitment(tmp_path: Path) -> None:
    file = tmp_path / "grand.toml"

    def opened(entries: str, rounds: int = 1, more: str = "") -> str:
        file.write_text(MIXED.format(entries=entries, rounds=rounds) + more)
        return done("league", "open", file.name, cwd=tmp_path)

    done("bot", "create", "ann", cwd=tmp_path)
    commitment = opened('"house:random"', more=MIRRORED).splitlines()[0]
    done("league", "enter", "grand", "house:greedy", "--variants", "kyogi", cwd=tmp_path)
    done("league", "enter", "grand", "house:search", "--as", "third", cwd=tmp_path)
    done("league", "enter", "grand", "ann", "--variants", "koikoi", "--nonce", "mine", cwd=tmp_path)
    told = opened('"house:random", { name = "more", bot = "house:random" }', rounds=2).splitlines()
    assert told == [
        "League grand is changed as its file now says; its commitment is the same.",
        "No longer entered: greedy: it entered kyogi, which the league no longer has",
        commitment,
        "It is open, with 4 bots.",
        "Enter another: arena league enter grand BOT",
        "Start it: arena league start grand",
    ]
    done("league", "withdraw", "grand", "more", cwd=tmp_path)
    told = opened('"house:random", { name = "more", bot = "house:random" }', rounds=3).splitlines()
    assert "more had withdrawn and stays out; `arena league enter grand BOT --as more` brings it back." in told
    assert opened('"house:random"', rounds=3).splitlines()[0].startswith("League grand is changed")
    [listed] = document("league", "list", cwd=tmp_path)["leagues"]
    assert [(one["variant"], one["rounds"]) for one in listed["divisions"]] == [("koikoi", 3)]
    file.write_text(f'secret = "{"5a" * 32}"\n' + file.read_text())
    assert "it cannot change" in refused("league", "open", file.name, cwd=tmp_path)


def test_a_league_that_has_started_is_not_changed(league: Path) -> None:
    at = league.parent
    done("league", "start", "spring", cwd=at)
    league.write_text(league.read_text().replace("rounds = 1", "rounds = 2"))
    for command in ("open", "run"):
        said = refused("league", command, league.name, cwd=at)
        assert "league 'spring' exists and its file has changed" in said
        assert said.endswith("; use the file it was made from, or another name\n")


def test_a_command_that_is_proposed_finds_the_store_of_the_one_that_proposed_it(tmp_path: Path) -> None:
    file = league_file(tmp_path, ["house:random", "house:greedy"], rounds=1, boards=1, more=ONE_MONTH)
    place = ("--data", "my folder")
    flags = "--data 'my folder'"
    assert f"arena league start spring {flags}\n" in done("league", "open", file.name, *place, cwd=tmp_path)
    file.write_text(file.read_text().replace("rounds = 1", "rounds = 2"))
    said = refused("league", "run", file.name, *place, cwd=tmp_path)
    assert f"`arena league open {file.name} {flags}` changes it\n" in said
    done("league", "start", "spring", *place, cwd=tmp_path)
    done("league", "pause", "spring", *place, cwd=tmp_path)
    resumes = f"`arena league resume spring {flags}` resumes it\n"
    assert refused("league", "start", "spring", *place, cwd=tmp_path).endswith(resumes)
    assert resumes in done("league", "show", "spring", *place, cwd=tmp_path)
    for account in ("bot", "owner"):
        done(account, "create", "ann", *place, cwd=tmp_path)
        said = refused(account, "create", "ann", *place, cwd=tmp_path)
        assert said.endswith(f"; `arena {account} token ann {flags}` gives it a new token\n")
