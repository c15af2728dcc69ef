"""`arena replay rerun`: the very bots play a match again, or it is said which one cannot."""

import json
import re
from pathlib import Path

import pytest
from arena_command import arena, document, done, league_file, refused
from bots_in_tests import BOT, CHOOSES, FIRST, MANIFEST, write_bot

SHORT = ("--option", "months=3")


def submitted(folder: Path, dice: str) -> str:
    """Submit a bot that plays by these dice; what was said."""
    bot = folder / "bot"
    bot.mkdir(exist_ok=True)
    (bot / "bot.toml").write_text(MANIFEST)
    (bot / "bot.py").write_text("import random\n" + BOT.format(answer=f"{dice}.choice(decision.legal)"))
    return done("bot", "submit", bot, "--activate", cwd=folder)


def test_house_bots_play_a_match_of_a_league_again_with_the_dice_that_they_had(tmp_path: Path) -> None:
    file = league_file(
        tmp_path, ["house:random", "house:random"], rounds=1, boards=1, more="options = { months = 3 }\n"
    )
    done("league", "run", file, cwd=tmp_path)
    for turn in "ab":
        told = document("replay", "rerun", f"spring.koikoi.r1.t1.b1.{turn}", cwd=tmp_path)
        assert (told["ok"], told["difference"], sorted(told["bots"])) == (True, None, ["bot-1", "bot-2"])


@pytest.mark.usefixtures("bubblewrap")
def test_a_version_that_was_taken_out_since_plays_its_match_again_to_the_last_decision(tmp_path: Path) -> None:
    submitted(tmp_path, "decision.random")
    played = document("match", "play", "ann", "house:greedy", *SHORT, cwd=tmp_path)
    done("bot", "take-out", "ann", played["versions"][0], cwd=tmp_path)
    assert "played the same again" in done("replay", "rerun", played["replay"], cwd=tmp_path)


@pytest.mark.usefixtures("bubblewrap")
def test_a_version_with_dice_of_its_own_is_not_reproducible_and_its_first_other_decision_is_told(
    tmp_path: Path,
) -> None:
    assert "note     it played one match in two ways: koikoi, decision " in submitted(tmp_path, "random.SystemRandom()")
    [version] = document("bot", "versions", "ann", cwd=tmp_path)["versions"]
    assert version["reproducible"] is False
    played = document("match", "play", "ann", "house:greedy", *SHORT, cwd=tmp_path)
    result = arena("replay", "rerun", played["replay"], "--json", cwd=tmp_path)
    assert result.returncode == 1
    difference = json.loads(result.stdout)["difference"]
    assert difference["seat"] == 0
    assert {difference["then"], difference["now"]} <= set(difference["legal"])
    assert f"is played differently by ann: decision {difference['decision']}, seat 0: then" in result.stderr


def test_a_rerun_says_that_it_uses_a_store_where_a_server_is_set(tmp_path: Path) -> None:
    note, error = refused("replay", "rerun", "m1", cwd=tmp_path, env={"ARENA_SERVER": "127.0.0.1:1"}).splitlines()
    assert note == "note: this works on the store in arena-data, not at ARENA_SERVER"
    assert error.startswith("error: there is no file m1, and no store in arena-data")


def test_a_bot_that_the_arena_cannot_start_again_is_named(tmp_path: Path) -> None:
    mine = write_bot(tmp_path, "mine", FIRST)
    played = document("match", "play", "house:greedy", mine, "--option", "months=1", cwd=tmp_path)
    said = refused("replay", "rerun", played["replay"], cwd=tmp_path)
    assert "put a bot in its place: --seat 1=./my_bot.py" in said
    assert said.startswith("error: mine (seat 1) cannot be started again: only submitted versions and house bots can")


@pytest.mark.usefixtures("bubblewrap")
def test_a_lost_match_is_played_with_the_mended_bot_and_it_is_shown_where_it_went_another_way(tmp_path: Path) -> None:
    crashing = CHOOSES.format(choose="return {}['x'] if decision.number == 3 else decision.legal[0]")
    bot = write_bot(tmp_path, "mine", crashing)
    lost = arena("match", "play", "house:greedy", "./mine.py", "--option", "months=1", "--seed", "7", cwd=tmp_path)
    assert lost.returncode == 1
    assert "mine forfeited (bot_error): KeyError: 'x' (decision 3, mine.py line " in lost.stderr
    [command] = re.findall(r"ask it again: arena (.*)", lost.stderr)
    again = arena(*command.split(), cwd=tmp_path)
    assert (again.returncode, again.stdout.splitlines()[0]) == (1, "the same decisions as then")
    bot.write_text(crashing.replace("{}['x']", "decision.legal[0]"))
    told = document(*command.split(), cwd=tmp_path)
    assert (told["difference"]["seat"], told["difference"]["then"]) == (1, "forfeit (bot_error)")
    assert told["difference"]["now"] in told["difference"]["legal"]
    assert (told["then"]["end"], told["now"]["end"]) == ("bot_error", "completed")
    assert "verified" in done("replay", "verify", told["now"]["replay"], cwd=tmp_path)


def test_a_seat_is_named_as_it_is(tmp_path: Path) -> None:
    played = document("match", "play", "house:greedy", "house:random", "--option", "months=1", cwd=tmp_path)
    for seat, words in (("2=house:greedy", "the match has the seats 0 to 1"), ("x", "--seat takes SEAT=BOT")):
        assert words in refused("replay", "rerun", played["replay"], "--seat", seat, cwd=tmp_path)
    told = document("replay", "rerun", played["replay"], "--seat", "1=house:search", cwd=tmp_path)
    assert told["now"]["bots"] == ["greedy", "search"]
