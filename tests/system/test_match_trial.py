"""`arena match test`: two versions of a bot, until a test has its verdict."""

import json
import os
import re
import signal
from pathlib import Path

import psutil
import pytest
from arena_command import DEADLINE_S, arena, document, done, processes, refused, running, until
from bots_in_tests import BOT, BROKEN, FIRST, MANIFEST, write_bot

TRIAL = ("match", "test", "house:greedy", "house:random", "--option", "months=1")


def test_a_better_bot_is_found_and_the_reasons_are_given(tmp_path: Path) -> None:
    said = done(*TRIAL, "--elo1", "40", "--seed", "7", cwd=tmp_path)
    assert re.search(r"^greedy is better than random; better by [\d.]+ to [\d.]+\nLLR \+", said, re.MULTILINE)
    for word in ("pairs ", "margin ", "mirroring ", "--seed 7"):
        assert word in said
    assert not (tmp_path / "arena-data" / "replays").exists()
    assert not (tmp_path / "arena-data" / "appendonlydir").exists()


def test_a_trial_is_the_same_from_its_seed_however_many_matches_run_at_once(tmp_path: Path) -> None:
    trial = (*TRIAL, "--elo1", "150", "--model", "logistic")
    told = document(*trial, cwd=tmp_path)
    seed = ("--seed", told["seed"], "--again")
    again = document(*trial, *seed, "--concurrency", "1", cwd=tmp_path, env={"PYTHONHASHSEED": "1"})
    assert again == told
    assert told["reading"]["verdict"] in ("better", "not better")
    assert sum(told["pairs"].values()) == told["reading"]["board_sets"] == told["games"] / 2
    assert told["hypotheses"]["model"] == "logistic"


def test_games_are_kept_and_their_luck_is_taken_out(tmp_path: Path) -> None:
    told = document(*TRIAL, "--boards-max", "3", "--keep", "games", "--adjusted", cwd=tmp_path)
    assert told["adjusted"]["plain_error"] > 0
    assert told["adjusted"]["plain"] != told["adjusted"]["adjusted"]
    kept = sorted(path.name for path in (tmp_path / "games").iterdir())
    assert [f"b{board}.{who}.hreplay" for board in (1, 2, 3) for who in ("no", "on")] == kept[:6]
    done("replay", "verify", *(tmp_path / "games").iterdir(), cwd=tmp_path)


def test_a_folder_that_cannot_be_made_for_the_games_is_refused(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("a file")
    assert "error: --keep games: File exists" in refused(*TRIAL, "--keep", "games", cwd=tmp_path)


def test_a_test_that_is_killed_goes_on_by_the_same_command_and_is_not_played_twice(tmp_path: Path) -> None:
    trial = ("match", "test", "house:greedy", "house:greedy", "--option", "months=1", "--seed", "7")
    with running(*trial, cwd=tmp_path) as run:
        run.wait_for("board sets  LLR")
        run.process.send_signal(signal.SIGKILL)
        run.end()
    [file] = (tmp_path / "arena-data" / "tests").iterdir()
    sets = len(file.read_bytes().splitlines()) - 1
    file.write_bytes(file.read_bytes() + b'[{"half_')  # as a kill may leave it
    assert sets >= 4
    said = done(*trial, "--boards-max", str(sets + 2), cwd=tmp_path)
    assert f"played before: {sets} board sets" in said
    assert f"no verdict after {sets + 2} board sets" in said
    lines = file.read_bytes().splitlines()
    assert len(lines) == 1 + sets + 2
    again = done(*trial, "--boards-max", str(sets), cwd=tmp_path)
    assert f"no verdict after {sets} board sets" in again
    assert file.read_bytes().splitlines() == lines, "nothing was played"
    assert "played before" not in done(*trial, "--boards-max", "1", "--again", cwd=tmp_path)


@pytest.mark.usefixtures("bubblewrap")
def test_a_changed_bot_is_another_test(tmp_path: Path) -> None:
    trial = ("match", "test", "./first.py", "house:random", "--option", "months=1", "--boards-max", "1")
    for program, kept in ((FIRST, 1), (FIRST, 1), (FIRST + "# changed\n", 2)):
        write_bot(tmp_path, "first", program)
        done(*trial, cwd=tmp_path)
        assert len(list((tmp_path / "arena-data" / "tests").iterdir())) == kept
    assert "is not kept, and cannot be continued" in done(*trial, "--uncaged", cwd=tmp_path)


@pytest.mark.usefixtures("bubblewrap")
def test_versions_that_were_submitted_are_compared_by_name(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.toml").write_text(MANIFEST)
    digests = []
    for place in (0, -1):
        (bot / "bot.py").write_text(BOT.format(answer=f"decision.legal[{place}]"))
        done("bot", "submit", bot, "--activate", cwd=tmp_path)
        digests.append(document("bot", "versions", "ann", cwd=tmp_path)["versions"][-1]["version"])
    names = [f"ann@{digest[:12]}" for digest in digests]
    told = document("match", "test", *names, "--option", "months=1", "--boards-max", "1", cwd=tmp_path)
    assert [told["new"], told["old"]] == names
    shown = done("match", "play", names[0], "ann", "--option", "months=1", cwd=tmp_path)
    assert all(f"@{digest[:12]}" in shown for digest in digests)


def test_several_bots_and_variants_are_tested_on_the_same_boards_in_one_table(tmp_path: Path) -> None:
    gauntlet = ("match", "test", "house:greedy", "--against", "house:random", "house:greedy", "--elo1", "150")
    gauntlet = (*gauntlet, "--variant", "koikoi,kyogi", "--option", "koikoi:months=1", "--boards-max", "3")
    said = done(*gauntlet, cwd=tmp_path, env={"COLUMNS": "80"})
    table = [line.split()[:2] for line in said.partition("greedy against")[2].splitlines()[4:] if line.strip()]
    assert table == [[bot, game] for game in ("koikoi", "kyogi") for bot in ("random", "greedy-2")]
    told = document(*gauntlet, cwd=tmp_path)
    assert len({test["seed"] for test in told["tests"]}) == 1, "the boards are shared"
    assert [test["reading"]["board_sets"] for test in told["tests"]] == [3, 3, 3, 3]
    # Tests at once end in any order, and the list is by their ends.
    listed = sorted(document("match", "test", "--list", cwd=tmp_path)["tests"], key=lambda test: test["variant"])
    assert [(test["variant"], test["options"], test["board_sets"]) for test in listed] == [
        (variant, options, 3) for variant, options in (("koikoi", {"months": 1}), ("kyogi", {})) for _ in range(2)
    ]
    only = done("match", "test", "--list", "house:random", cwd=tmp_path).splitlines()
    assert sorted(re.split("  +", line)[1:4] for line in only) == [
        ["greedy against random", "koikoi months=1", "3 board sets"],
        ["greedy against random", "kyogi", "3 board sets"],
    ]


def test_a_pair_that_is_known_keeps_its_boards_and_the_others_share_them(tmp_path: Path) -> None:
    seed = document(*TRIAL, "--boards-max", "2", cwd=tmp_path)["seed"]
    gauntlet = ("match", "test", "house:greedy", "house:greedy", "house:random", "--option", "months=1")
    told = document(*gauntlet, "--boards-max", "2", cwd=tmp_path)
    assert {test["seed"] for test in told["tests"]} == {seed}
    assert len(list((tmp_path / "arena-data" / "tests").iterdir())) == 2
    again = document(*gauntlet, "--boards-max", "2", "--again", cwd=tmp_path)
    assert seed not in {test["seed"] for test in again["tests"]}


@pytest.mark.usefixtures("bubblewrap")
def test_one_of_several_that_keeps_failing_is_left_behind_and_forfeits_are_counted_by_kind(tmp_path: Path) -> None:
    write_bot(tmp_path, "crashes", BROKEN["crashes"])
    gauntlet = ("match", "test", "house:greedy", "--against", "./crashes.py", "house:random", "--option", "months=1")
    result = arena(*gauntlet, "--boards-max", "20", "--elo1", "150", "--json", cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    told = json.loads(result.stdout)
    assert [test["old"] for test in told["tests"]] == ["random"]
    assert told["failed"] == ["crashes keeps failing, so the test was stopped: it forfeited 10 of 10 games"]
    once = (*gauntlet[:3], "./crashes.py", *gauntlet[-2:], "--boards-max", "2", "--seed", "x", "--adjusted")
    said = arena(*once, cwd=tmp_path).stdout
    assert "forfeits   greedy 0, crashes 4 (4 bot_error) of 4 games" in said
    told = document(*once, cwd=tmp_path)["adjusted"]
    assert told["plain"] != told["adjusted"], "the cards that had come count"


def test_a_bot_against_itself_differs_in_nothing(tmp_path: Path) -> None:
    told = document(
        "match", "test", "house:greedy", "house:greedy", "--option", "months=1", "--boards-max", "5", cwd=tmp_path
    )
    assert told["reading"]["verdict"] == "open"
    assert told["margin"] == {"mean": 0.0, "low": None, "high": None, "board_sets": 5}


@pytest.mark.parametrize(
    ("variant", "seats", "games"), [("hachihachi", (), 6), ("sangohana", ("--seats", "2"), 2), ("sangohana", (), 6)]
)
def test_margins_are_tested_with_any_number_of_seats(
    tmp_path: Path, variant: str, seats: tuple[str, ...], games: int
) -> None:
    trial = ("match", "test", "house:greedy", "house:random", "--variant", variant, *seats, "--margin=-5,5")
    told = document(*trial, "--boards-max", "1", cwd=tmp_path)
    assert told["games"] == games
    assert told["measure"] == "margins"
    assert (told["elo"] is None) == (games == 6)


@pytest.mark.usefixtures("bubblewrap")
def test_a_test_in_which_a_bot_keeps_failing_stops_and_says_so(tmp_path: Path) -> None:
    write_bot(tmp_path, "crashes", BROKEN["crashes"])
    write_bot(tmp_path, "first", FIRST)
    trial = ("match", "test", "./crashes.py", "./first.py", "--option", "months=1")
    trial = (*trial, "--boards-max", 30 * "9")  # more than any memory holds
    result = arena(*trial, "--json", cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    why = "crashes keeps failing, so the test was stopped: it forfeited 10 of 10 games"
    assert json.loads(result.stdout) == {"ok": False, "error": why}
    assert why in result.stderr
    assert "crashes forfeited a match on board 1 (bot_error), which counts as lost: RuntimeError" in result.stderr
    assert result.stderr.count("forfeited a match") == 1, "a kind is said once"
    [command] = re.findall(r"ask it again: arena (.*)", result.stderr)
    alone = arena(*command.split(), cwd=tmp_path)
    assert (alone.returncode, alone.stdout.splitlines()[0].split()[1]) == (1, "first")
    assert "crashes forfeited (bot_error): RuntimeError: I cannot count (decision 1, crashes.py line " in alone.stderr


@pytest.mark.parametrize("bots", [("./ends.py", "house:random"), ("house:random", "./ends.py")])
def test_a_bot_that_cannot_be_started_is_an_error(tmp_path: Path, bots: tuple[str, str]) -> None:
    write_bot(tmp_path, "ends", BROKEN["ends-at-once"])
    said = refused("match", "test", "--uncaged", *bots, cwd=tmp_path)
    assert "bot ends ended with status 1 before its Hello:\nno thanks" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--variant", "hachihachi"), "with 3 seats a trial tests margins: --margin LOW,HIGH"),
        (("--variant", "hachihachi", "--seats", "2"), "hachihachi has 3 seats, not 2"),
        (("--margin", "1,2", "--elo0", "1"), "--margin tests points"),
        (("--margin", "1"), "--margin takes two numbers"),
        (("--margin", "2,1"), "two numbers in order"),
        (("--elo0", "5", "--elo1", "0"), "two numbers in order"),
        (("--model", "fide"), "--model is normalized or logistic"),
        (("--alpha", "0.7", "--beta", "0.7"), "alpha and beta"),
        (("--option", "mouths=1"), "no option 'mouths'"),
        (("--seed", ""), "a seed must not be empty"),
        (("--variant", "poker"), "no variant 'poker'"),
    ],
)
def test_what_has_no_meaning_is_refused(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    assert words in refused("match", "test", "house:greedy", "house:random", *arguments, cwd=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("house:greedy",), "name the new bot, then one or more to test it against"),
        ((), "name the new bot, then one or more to test it against"),
        (("house:greedy", "house:random", "--variant", "koikoi,koikoi"), "--variant names 'koikoi' twice"),
        (("house:greedy", "house:random", "--option", "kyogi:months=1"), "the test has no variant 'kyogi'"),
        (("house:greedy", "house:random", "house:nobody"), "no house bot 'house:nobody'"),
        (("house:greedy", "house:random", "house:search", "--keep", "games"), "--keep is for a test of two bots"),
    ],
)
def test_a_gauntlet_that_has_no_meaning_is_refused(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    assert words in refused("match", "test", *arguments, cwd=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_list_of_no_tests_says_where_it_looked(tmp_path: Path) -> None:
    result = arena("match", "test", "--list", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == "no test is kept in arena-data/tests\n"


def test_a_registered_bot_is_refused(tmp_path: Path) -> None:
    assert "there is no folder 'alice', and there is no store in arena-data: nothing was registered" in refused(
        "match", "test", "alice", "house:random", cwd=tmp_path
    )


@pytest.mark.parametrize(
    ("how", "place"),
    [
        (signal.SIGKILL, "{folder}/{name}"),
        (signal.SIGKILL, "/bot/{name}"),
        (signal.SIGTERM, "/bot/{name}"),
        (signal.SIGINT, "/bot/{name}"),
    ],
)
@pytest.mark.usefixtures("bubblewrap")
def test_a_trial_that_is_ended_leaves_no_bots_behind(tmp_path: Path, how: signal.Signals, place: str) -> None:
    bot = write_bot(tmp_path, f"first-{os.getpid()}", FIRST)
    place = place.format(folder=tmp_path, name=bot.name)
    uncaged = () if place.startswith("/bot") else ("--uncaged",)
    trial_of = ("match", "test", f"./{bot.name}", "house:greedy", "--option", "months=1", *uncaged)
    with running(*trial_of, cwd=tmp_path) as trial:
        trial.wait_for(r"board sets  LLR")
        until(lambda: processes(place), "the bot is started")
        trial.process.send_signal(how)
        trial.end()
    _, left = psutil.wait_procs(processes(place), DEADLINE_S)
    assert left == []
    if how is not signal.SIGKILL:
        assert any(line.startswith("stopped after ") for line in trial.lines)
