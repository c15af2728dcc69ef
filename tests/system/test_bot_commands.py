"""`arena bot new` and `arena bot check`: from nothing to a bot that plays, and to the decision at which it fails."""

import json
import os
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
from arena_command import arena, document, done, refused, running
from bots_in_tests import CHOOSES, short_league, write_bot

from hanafuda.arena.v1 import play_pb2

LISTS = """\
import os

assert not os.path.exists(".secret"), os.listdir()
assert sorted(os.listdir())[-1] == "test_bot.py", os.listdir()
"""


@pytest.mark.usefixtures("bubblewrap")
def test_a_new_bot_plays_passes_the_checks_and_comes_with_a_test_that_runs(tmp_path: Path) -> None:
    assert "arena match play my-bot/bot.py house:greedy" in done("bot", "new", "my-bot", cwd=tmp_path)
    results = set()
    for bot, *how in (("my-bot/bot.py",), ("my-bot",), ("./my-bot/", "--uncaged")):
        match = ("match", "play", bot, "house:greedy", "--variant", "koikoi", "--seed", "7", *how)
        played = document(*match, cwd=tmp_path)
        assert (played["end"], (tmp_path / played["replay"]).is_file()) == ("completed", True)
        results.add(tuple(played["results"]))
    assert len(results) == 1, "the same bot, however it is named"
    for how in ((), ("--uncaged",)):
        checked = done("bot", "check", "my-bot/bot.py", *how, cwd=tmp_path)
        assert "FAILED" not in checked
        assert ("comes back after its connection was lost" in checked) == bool(how)
        assert "my-bot/bot.py keeps the protocol" in checked
        assert "my-bot keeps the protocol" in done("bot", "check", "my-bot", *how, cwd=tmp_path)


@pytest.mark.usefixtures("bubblewrap")
def test_a_folder_that_cannot_be_sent_in_cannot_be_checked(tmp_path: Path) -> None:
    done("bot", "new", "my-bot", cwd=tmp_path)
    manifest = tmp_path / "my-bot" / "bot.toml"
    manifest.write_text(manifest.read_text().replace("[]", '["kyogi"]'))
    assert "does not play koikoi: it says that it plays kyogi" in refused("bot", "check", "my-bot", cwd=tmp_path)
    manifest.unlink()
    assert "bot.toml" in refused("bot", "check", "my-bot", cwd=tmp_path)


@pytest.mark.usefixtures("bubblewrap")
def test_a_folder_is_named_wherever_a_file_is_and_plays_as_it_would_be_sent_in(tmp_path: Path) -> None:
    done("bot", "new", "ann", cwd=tmp_path)
    (tmp_path / "ann" / ".secret").write_text("not sent in")
    (tmp_path / "ann" / "helper.py").write_text(LISTS)
    with (tmp_path / "ann" / "bot.py").open("r+") as bot:
        rest = bot.read()
        bot.seek(0)
        bot.write("import helper\n" + rest)
    short_league(tmp_path, "./ann")
    played = document("league", "run", "spring.toml", cwd=tmp_path)
    [division] = played["divisions"]
    assert {row["name"]: row["forfeits"] for row in division["table"]["standings"]} == {"ann": 0, "random": 0}
    trial = ("match", "test", "ann", "house:random", "--boards-max", "1", "--option", "months=1")
    assert document(*trial, cwd=tmp_path)["games"] == 2


@pytest.mark.usefixtures("bubblewrap")
def test_a_folder_that_does_not_play_the_variant_or_is_no_pack_is_refused(tmp_path: Path) -> None:
    done("bot", "new", "ann", cwd=tmp_path)
    short_league(tmp_path, "./ann")
    manifest = tmp_path / "ann" / "bot.toml"
    was = manifest.read_text()
    manifest.write_text(was.replace("[]", '["kyogi"]'))
    assert ":5: entries[1]: 'ann' does not play koikoi" in refused("league", "run", "spring.toml", cwd=tmp_path)
    for play in ("play", "test"):
        assert "'ann' does not play koikoi: it says that it plays kyogi" in refused(
            "match", play, "ann", "house:random", cwd=tmp_path
        )
    manifest.write_text("[bot]\nname = 3\n")
    for command in (
        ("league", "run", "spring.toml"),
        ("match", "play", "ann", "house:random"),
        ("bot", "check", "ann"),
    ):
        assert "/ann: bot.toml: name must be a string, not 3" in refused(*command, cwd=tmp_path)
    manifest.write_text(was)
    (tmp_path / "ann" / "out").symlink_to("/etc/passwd")
    played = arena("match", "play", "ann", "house:random", cwd=tmp_path)
    assert (played.returncode, "is a link to something outside of the folder" in played.stderr) == (1, True), (
        played.stderr
    )


@pytest.mark.usefixtures("nodejs")
@pytest.mark.parametrize("variant", ["koikoi", "sangohana"])
def test_a_new_bot_in_javascript_keeps_the_protocol_and_comes_back_after_a_lost_connection(
    tmp_path: Path, variant: str
) -> None:
    assert "arena match play js/bot.js house:greedy --seed 7 --uncaged" in done(
        "bot", "new", "js", "--language", "javascript", cwd=tmp_path
    )
    checked = done("bot", "check", "js/bot.js", "--variant", variant, "--uncaged", cwd=tmp_path)
    assert "ok      comes back after its connection was lost, and goes on" in checked
    assert "js/bot.js keeps the protocol" in checked


def test_a_new_bot_in_c_is_built_by_the_command_that_is_told(tmp_path: Path) -> None:
    told = done("bot", "new", "my c", "--language", "c", cwd=tmp_path)
    build = told.splitlines()[1].partition("Build it: ")[2]
    subprocess.run(shlex.split(build), cwd=tmp_path, check=True)
    manifest = tomllib.loads((tmp_path / "my c" / "bot.toml").read_text())["bot"]
    assert (manifest["runtime"], manifest["name"]) == ("native", "my-c")
    # It says hello, and ends in good order when there is nobody to answer.
    hello = subprocess.run(manifest["command"], cwd=tmp_path / "my c", input=b"", capture_output=True, check=False)
    assert hello.stdout[1:3] == b"\x0a\x02"
    assert play_pb2.PlayRequest.FromString(hello.stdout[1:]).hello.protocol_version == 1


@pytest.mark.usefixtures("nodejs")
def test_a_bot_in_javascript_with_a_wrong_token_or_without_one_ends_with_a_clear_line(tmp_path: Path) -> None:
    done("bot", "new", "js", "--language", "javascript", cwd=tmp_path)
    with running("serve", "--listen", "127.0.0.1:0", cwd=tmp_path) as node:
        address = node.wait_for(r"listening on (127\.0\.0\.1:\d+)")[1]
        for given, status, said in (
            ({"ARENA_ADDRESS": address, "ARENA_TOKEN": "wrong"}, 1, "the arena refuses the bot: "),
            ({}, 2, "ARENA_ADDRESS and ARENA_TOKEN are needed"),
        ):
            env = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")} | given
            bot = subprocess.run(
                ["node", tmp_path / "js" / "bot.js"], env=env, capture_output=True, text=True, timeout=60, check=False
            )
            assert bot.returncode == status, bot.stderr
            assert bot.stderr.startswith(said)
            assert bot.stderr.count("\n") == 1


@pytest.mark.usefixtures("bubblewrap")
def test_a_check_shows_the_exact_decision_that_broke_the_bot(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "bad", CHOOSES.format(choose="return decision.legal[0 if decision.number < 3 else 99]"))
    result = arena("bot", "check", bot)
    assert result.returncode == 1
    assert "FAILED  plays a match to its end" in result.stdout
    for words in ("IndexError", "decision 3 of match", "hand 0: ", "field: ", "legal: ", "the bot answered nothing"):
        assert words in result.stderr


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("how", [(), ("--uncaged",)], ids=["caged", "uncaged"])
def test_a_check_shows_once_what_a_bot_wrote_that_ended(tmp_path: Path, how: tuple[str, ...]) -> None:
    ends = "print('these are my last words', flush=True)\n        import os\n        os._exit(3)"
    result = arena("bot", "check", write_bot(tmp_path, "bad", CHOOSES.format(choose=ends)), *how)
    assert result.returncode == 1
    assert "bot bad ended with status 3" in result.stderr
    assert result.stderr.count("these are my last words") == 1


def test_a_check_of_a_bot_that_does_not_connect_shows_what_it_wrote(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "bad", "import no_such_module\n")
    result = arena("bot", "check", bot, "--uncaged")
    assert result.returncode == 1
    assert "FAILED  connects and says hello" in result.stdout
    assert "bot bad ended with status 1 before its Hello" in result.stderr
    assert "No module named 'no_such_module'" in result.stderr


@pytest.mark.usefixtures("bubblewrap")
def test_a_bot_whose_path_holds_spaces_and_japanese_plays_by_the_commands_that_are_told(tmp_path: Path) -> None:
    told = done("bot", "new", "my bot 札", cwd=tmp_path)
    played = done(*shlex.split(told.partition("Play it: arena ")[2]), "--data", "my data", cwd=tmp_path)
    shown = done(*shlex.split(played.partition("follow it: arena ")[2]), cwd=tmp_path)
    assert "The match was played to its end" in shown


@pytest.mark.usefixtures("bubblewrap")
def test_a_bot_whose_file_would_steer_the_terminal_plays_under_what_can_be_printed_of_its_name(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "\x1b]0;mine\x07", CHOOSES.format(choose="return decision.legal[0]"))
    played = done("match", "play", f"./{bot.name}", "house:random", "--option", "months=1", "--json", cwd=tmp_path)
    assert sorted(json.loads(played)["bots"]) == ["]0;mine", "random"]


def test_a_bot_whose_file_has_no_name_for_a_table_is_told_how_to_get_one(tmp_path: Path) -> None:
    write_bot(tmp_path, "札", CHOOSES.format(choose="return decision.legal[0]"))
    (tmp_path / "spring.toml").write_text('name = "spring"\nentries = ["house:random"]\n')
    done("league", "open", "spring.toml", cwd=tmp_path)
    assert "'札' is not a valid name" in (said := refused("league", "enter", "spring", "./札.py", cwd=tmp_path))
    assert "--as NAME gives it another" in said
    assert "fuda has entered" in done("league", "enter", "spring", "./札.py", "--as", "fuda", cwd=tmp_path)
