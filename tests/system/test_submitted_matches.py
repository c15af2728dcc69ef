"""Submitted versions play: in leagues and single matches, on the nodes that can cage them."""

import json
import shutil
from pathlib import Path

import pytest
from arena_command import arena, document, done, refused, running, standings_of
from bots_in_tests import BOT, MANIFEST
from several_nodes import redis_server

pytestmark = pytest.mark.usefixtures("bubblewrap")

LEAGUE = """\
name = "spring"
variant = "koikoi"
rounds = {rounds}
boards = 1
entries = [{entries}]

[options]
months = 3
"""
NO_BUBBLEWRAP = {"PATH": "/nonexistent"}


def submitted(folder: Path, which: int, *more: str) -> str:
    """The version of ann that plays the legal action at this place, sent in and qualified."""
    bot = folder / f"ann{which}"
    bot.mkdir()
    (bot / "bot.toml").write_text(MANIFEST)
    (bot / "bot.py").write_text(BOT.format(answer=f"decision.legal[{which}]"))
    done("bot", "submit", bot, *more, cwd=folder)
    where = [word for word in more if word != "--activate"]
    return str(document("bot", "versions", "ann", *where, cwd=folder)["versions"][-1]["version"])


@pytest.fixture(scope="module")
def qualified(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a store in which a version of ann has qualified, and the version."""
    folder = tmp_path_factory.mktemp("qualified")
    return folder, submitted(folder, 0)


@pytest.fixture
def version(qualified: tuple[Path, str], tmp_path: Path) -> str:
    """A qualified version of ann in a store that the test has for itself."""
    folder, version = qualified
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return version


def league(folder: Path, *entries: str, rounds: int = 1) -> Path:
    """A league file with mirrored boards."""
    file = folder / "spring.toml"
    file.write_text(LEAGUE.format(rounds=rounds, entries=", ".join(f'"{entry}"' for entry in entries)))
    return file


def seats(folder: Path, *where: str) -> list[str]:
    """The lines with which the replays of the league name ann and what played."""
    replays = document("replay", "list", "--league", "spring", *where, cwd=folder)["replays"]
    shown = done("replay", "show", *(str(replay["replay"]) for replay in replays), *where, cwd=folder).splitlines()
    return [line.partition("  ")[2] for line in shown if line.startswith("seat") and "ann" in line]


def test_a_version_plays_a_league_of_mirrored_boards_and_all_that_comes_of_it_names_the_version(
    tmp_path: Path, version: str
) -> None:
    told = document("league", "run", league(tmp_path, f"ann@{version[:8]}", "house:random"), cwd=tmp_path)
    assert (told["state"], told["versions"], told["reproducible"]) == ("finished", {"ann": version}, ["ann"])
    assert seats(tmp_path) == [f"ann {version}"] * 2
    assert f"ann is version {version[:12]}, reproducible" in done("league", "show", "spring", cwd=tmp_path)
    done("league", "export", "spring", "spring.zip", cwd=tmp_path)
    assert "holds" in done("league", "verify", "spring.zip", cwd=tmp_path)


def test_a_new_version_does_not_touch_a_league_that_its_bot_is_in(tmp_path: Path, version: str) -> None:
    done("bot", "activate", "ann", version, cwd=tmp_path)
    file = league(tmp_path, "ann", "house:random")
    done("league", "open", file, cwd=tmp_path)
    second = submitted(tmp_path, -1, "--activate")
    done("bot", "retire", "ann", version, cwd=tmp_path)
    assert document("league", "run", file, cwd=tmp_path)["versions"] == {"ann": version}
    assert seats(tmp_path) == [f"ann {version}"] * 2
    assert version != second


def test_a_bot_plays_itself_under_two_names_each_started_by_itself(tmp_path: Path, version: str) -> None:
    done("bot", "activate", "ann", version, cwd=tmp_path)
    file = league(tmp_path, "ann", f"ann@{version}")
    assert "a second entry with the name 'ann'" in refused("league", "run", file, cwd=tmp_path)
    file.write_text(file.read_text().replace(f'"ann@{version}"', f'{{ name = "twin", bot = "ann@{version}" }}'))
    told = document("league", "run", file, cwd=tmp_path)
    assert told["versions"] == {"ann": version, "twin": version}
    [one, other] = standings_of(told)
    for column in ("match_points", "game_points", "forfeits"):
        assert one[column] == other[column], "it plays the same on the same cards, in both seats"


def test_what_may_not_play_is_refused_with_its_line(tmp_path: Path, version: str) -> None:
    for entry, reason in (
        ("ann@00000000", "has no version '00000000'"),
        (f"ann@{version[:7]}", "at least 8 of its 64 hex digits"),
        ("ann", "ann has no active version: `arena bot activate ann VERSION` has one play"),
    ):
        said = refused("league", "open", league(tmp_path, "house:random", entry), cwd=tmp_path)
        assert "spring.toml:5: entries[2]: " in said
        assert reason in said
    done("bot", "take-out", "ann", version, cwd=tmp_path)
    said = refused("league", "open", league(tmp_path, "house:random", f"ann@{version}"), cwd=tmp_path)
    assert f"ann@{version} is not qualified: taken out" in said


def test_a_version_that_is_taken_out_in_a_league_forfeits_what_is_left(tmp_path: Path, version: str) -> None:
    file = league(tmp_path, f"ann@{version}", "house:random")
    done("league", "open", file, cwd=tmp_path)
    done("bot", "take-out", "ann", version, cwd=tmp_path)
    run = arena("league", "run", file, "--json", cwd=tmp_path)
    assert run.returncode == 1, "a bot that forfeited all that it played fails the run"
    [table] = [division["table"] for division in json.loads(run.stdout)["divisions"]]
    assert {row["name"]: row["forfeits"] for row in table["standings"]} == {"ann": 2, "random": 0}


def test_two_versions_of_a_bot_play_a_single_match(tmp_path: Path, version: str) -> None:
    done("bot", "activate", "ann", version, cwd=tmp_path)
    second = submitted(tmp_path, -1)
    played = document("match", "play", "ann", f"ann@{second[:8]}", "--option", "months=3", cwd=tmp_path)
    assert (played["bots"], played["versions"], played["end"]) == (["ann-1", "ann-2"], [version, second], "completed")
    said = refused("match", "play", "ann", "house:random", "--variant", "kyogi", cwd=tmp_path)
    assert said == "error: 'ann' does not play kyogi: it says that it plays koikoi\n"


def test_a_league_of_submitted_bots_ends_with_the_reason_where_nothing_can_be_caged(
    tmp_path: Path, version: str
) -> None:
    result = arena("league", "run", league(tmp_path, f"ann@{version}", "house:random"), cwd=tmp_path, env=NO_BUBBLEWRAP)
    assert result.returncode == 1
    assert "bubblewrap is not installed" in result.stderr.splitlines()[-1]
    assert done("league", "run", tmp_path / "spring.toml", cwd=tmp_path), "it goes on where there are cages"


def test_a_node_without_cages_takes_no_job_with_submitted_bots_and_others_do_without_the_files(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        version = submitted(tmp_path, 0, "--redis", url)
        serve = ("serve", "--redis", url, "--listen", "127.0.0.1:0", "--data")
        with running(*serve, tmp_path / "one", cwd=tmp_path, env=NO_BUBBLEWRAP) as without:
            without.wait_for("takes no submitted bots: bubblewrap is not installed")
            file = league(tmp_path, f"ann@{version[:12]}", "house:random", "house:greedy", rounds=2)
            done("league", "open", file, "--redis", url, cwd=tmp_path)
            done("league", "start", "spring", "--redis", url, cwd=tmp_path)
            without.wait_for("spring, koikoi: round 1 of 2 begins")
            with running(*serve, tmp_path / "two", cwd=tmp_path) as caging:
                caging.wait_for("spring, koikoi: over after 2 rounds")
            assert [line for line in without.lines if "takes no submitted bots" in line][1:] == []
        assert set(seats(tmp_path, "--redis", url)) == {f"ann {version}"}
