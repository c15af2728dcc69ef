"""Leagues as their owners run them: bots by path, broken bots, many rounds, several leagues in one folder, Ctrl-C."""

import json
import re
from pathlib import Path

import pexpect
import pytest
from arena_command import ARENA, DEADLINE_S, arena, document, done, league_file, running, standings_of
from bots_in_tests import BROKEN, FIRST, GATE, write_bot

ONE_MONTH = "options = { months = 1 }\n"
PATIENT = ONE_MONTH + "per_decision_ms = 60000\n"


@pytest.mark.usefixtures("bubblewrap")
def test_a_bot_that_crashes_forfeits_its_own_matches_and_nobody_elses(tmp_path: Path) -> None:
    good, bad = write_bot(tmp_path, "good", FIRST), write_bot(tmp_path, "bad", BROKEN["crashes"])
    bots = [str(good), "house:greedy", str(bad)]
    file = league_file(tmp_path, bots, rounds=3, boards=1, more=ONE_MONTH)
    run = arena("league", "run", file, "--json", "--data", tmp_path / "data")
    assert run.returncode == 1, run.stderr
    assert run.stderr.count("forfeited match") == 1, "a kind is said once"
    assert "(bot_error): RuntimeError: I cannot count (decision 1, bad.py line " in run.stderr
    assert "bot-3 forfeited all it played of koikoi: 4 matches\n" in run.stderr
    [command] = re.findall(r"ask it again: arena (.*)", run.stderr)
    bad.write_text(FIRST)
    again = document(*command.split())
    assert (again["difference"]["then"], again["now"]["end"]) == ("forfeit (bot_error)", "completed")
    table = standings_of(json.loads(run.stdout))
    rows = {row["name"]: row for row in table}
    assert [rows[f"bot-{place}"]["forfeits"] for place in (1, 2, 3)] == [0, 0, 4]
    assert rows["bot-3"]["match_points"] == 2, "what its bye gave it"
    assert rows["bot-3"]["rank"] == 3
    shown = done("league", "show", "spring", "--data", tmp_path / "data")
    [heading] = [line for line in shown.splitlines() if "MP" in line and "bot" in line and "·" not in line]
    [row] = [line for line in shown.splitlines() if "bot-3" in line and "not yet" in line and "rating" not in line][:1]
    assert heading.split()[-2:] == ["B", "F"]
    assert row.split()[-2:] == ["1", "4"]
    assert "against each other" not in shown
    assert "Ratings: not yet, they need 8 board sets a bot" in shown
    assert "· ratings" not in shown, "no table of ratings that are all unknown"
    meetings = done("league", "show", "spring", "--head-to-head", "--data", tmp_path / "data").split(
        "against each other"
    )[1]
    last = next(line.split() for line in meetings.splitlines() if "bot-3" in line)
    assert last == ["3", "bot-3", "0/2", "0/2"]
    assert "RuntimeError: I cannot count" in (tmp_path / "data" / "logs" / "league-spring" / "bot-3.log").read_text()


def test_two_leagues_share_a_folder_and_two_bots_meet_again_where_rounds_are_many(tmp_path: Path) -> None:
    told = {}
    for name, rounds in (("spring", 3), ("autumn", 1)):
        bots = ["house:random", "house:random"]
        file = league_file(tmp_path, bots, name=name, rounds=rounds, boards=1, more=ONE_MONTH)
        told[name] = document("league", "run", file, "--data", tmp_path / "data")
        assert told[name]["matches"] == 2 * rounds
    listed = document("league", "list", "--data", tmp_path / "data")["leagues"]
    assert {one["league"]: one["matches"] for one in listed} == {"spring": 6, "autumn": 2}
    assert [one["divisions"][0]["round"] for one in listed if one["league"] == "spring"] == [3]
    assert done("league", "list", "--data", tmp_path / "data").splitlines() == [
        "autumn  finished  koikoi 1/1  2 matches",
        "spring  finished  koikoi 3/3  6 matches",
    ]
    played = done("replay", "list", "--data", tmp_path / "data").splitlines()
    assert [sum(line.startswith(f"{name}.koikoi.") for line in played) for name in told] == [6, 2]
    assert told["spring"]["commitment"] == told["autumn"]["commitment"], "both fix one secret"
    # The scores of their first boards tell that the cards are not the same all the same.
    first, second = (
        {line.split("  ", 1)[1] for line in played if line.startswith(f"{name}.koikoi.r1.")} for name in told
    )
    assert first != second


@pytest.mark.usefixtures("bubblewrap")
def test_a_league_that_cannot_go_on_says_why_and_goes_on_when_that_is_mended(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    bot = write_bot(tmp_path, "mine", GATE.format(gate=str(gate)))
    file = league_file(tmp_path, [str(bot), "house:random"], rounds=2, boards=1, more=PATIENT)
    with running("league", "run", "--uncaged", file, "--data", tmp_path / "data") as run:
        run.wait_for("round 1/2")
        bot.unlink()
        gate.touch()
        assert run.end() == 1
        run.wait_for(rf"^league spring cannot go on: .*no bot at {bot}")
        assert not any("ExceptionGroup" in line for line in run.lines)
    write_bot(tmp_path, "mine", FIRST)
    assert document("league", "run", file, "--data", tmp_path / "data")["matches"] == 4


def test_in_a_terminal_progress_is_shown_and_everything_fits_80_columns(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    bot = write_bot(tmp_path, "gated", GATE.format(gate=str(gate)))
    file = league_file(tmp_path, [str(bot), "house:greedy"], rounds=2, boards=2, more=PATIENT)
    run = pexpect.spawn(
        str(ARENA),
        ["league", "run", "--uncaged", file.name],
        cwd=tmp_path,
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=DEADLINE_S,
    )
    # The matches that wait for the gate let it be seen.
    run.expect(r"spring: round 1/2 .* \d/4 matches, \d in all")
    gate.touch()
    run.expect("spring · koikoi · after 2 rounds")
    run.expect("margin")
    run.expect("Verify one: arena replay verify (spring.koikoi.r1.t1.b[12].[ab])")
    verify = run.match[1]
    run.expect(pexpect.EOF)
    run.close()
    assert run.exitstatus == 0
    assert "verified" in done("replay", "verify", verify, cwd=tmp_path)
