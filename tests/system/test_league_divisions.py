"""Leagues over several variants: killed, paused, cancelled, entered late and left while they run."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from arena_command import arena, children, document, done, league_file, leases_of, refused, running, standings_of, until
from bots_in_tests import GATE, HOLDS, write_bot
from one_league import held

from core_ext import VARIANTS

FOUR = 4 * ("house:random",)
PATIENT = "per_decision_ms = 60000\n"
MATCHES = {"koikoi": 4, "koikoi45": 4, "kyogi": 4, "hachihachi": 3, "sangohana": 4}
"""Matches of a round of four bots: with three seats one bot sits out, or (sangohana) there is a pod of four."""


def file_of_all_variants(folder: Path) -> Path:
    """Four bots in each of the five divisions: two rounds of one board. The fifth bot, in koikoi, can be held."""
    divisions = "".join(f'[[divisions]]\nvariant = "{variant}"\n' for variant in VARIANTS)
    file = league_file(folder, [*FOUR, str(write_bot(folder, "holds", HOLDS))], boards=1, more=PATIENT)
    text = file.read_text().replace('variant = "koikoi"\n', "") + divisions
    for name, variants in (("bot-4", VARIANTS[1:]), ("bot-5", VARIANTS[:1])):
        text = text.replace(f'name = "{name}"', f'name = "{name}", variants = {json.dumps(variants)}')
    file.write_text(text)
    return file


def test_a_league_of_all_variants_killed_in_the_middle_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    file = file_of_all_variants(tmp_path)
    with held(tmp_path, 2), running("league", "run", "--uncaged", file, "--data", tmp_path / "killed") as run:
        run.wait_for(r"spring · koikoi: round 2/2")
        os.kill(run.process.pid, signal.SIGKILL)
        assert run.end() == -signal.SIGKILL
    told = document("league", "run", file, "--data", tmp_path / "killed")
    assert told == document("league", "run", file, "--data", tmp_path / "unbroken")

    assert [one["variant"] for one in told["divisions"]] == list(VARIANTS)
    assert {one["variant"]: one["matches"] for one in told["divisions"]} == {
        variant: 2 * matches for variant, matches in MATCHES.items()
    }
    for variant in VARIANTS:
        rows = standings_of(told, variant)
        seats = 2 * MATCHES[variant] * {"hachihachi": 3, "sangohana": 4}.get(variant, 2)
        assert sum(row["played"] for row in rows) == seats
        assert sum(row["byes"] for row in rows) == (2 if variant == "hachihachi" else 0)
    assert [row["rank"] for row in told["all_round"]] == [1, 2, 3, 4, 5]

    at = ("--data", tmp_path / "killed")
    replays = [line.split()[0] for line in done("replay", "list", "--league", "spring", *at).splitlines()]
    assert len(set(replays)) == len(replays) == told["matches"]
    for variant in VARIANTS:
        one = next(replay for replay in replays if replay.startswith(f"spring.{variant}.r2."))
        assert "verified" in done("replay", "verify", one, *at)

    shown = done("league", "show", "spring", *at)
    assert all(f"spring · {variant} · after 2 rounds" in shown for variant in VARIANTS)
    assert "spring · all-round" in shown
    only = done("league", "show", "spring", "--division", "kyogi", *at)
    assert "spring · kyogi · after 2 rounds" in only
    assert "koikoi" not in only
    said = refused("league", "show", "spring", "--division", "poker", *at)
    assert said == f"error: league spring has no division of 'poker'; it has {', '.join(VARIANTS)}\n"
    rounds = ", ".join(f"{variant} 2/2" for variant in VARIANTS)
    assert done("league", "list", *at) == f"spring  finished  {rounds}  {told['matches']} matches\n"


@pytest.fixture
def gated(tmp_path: Path) -> tuple[Path, Path]:
    """The file of a league of three rounds whose second-seat matches wait for a gate, and the gate."""
    gate = tmp_path / "gate"
    bot = write_bot(tmp_path, "gated", GATE.format(gate=str(gate)))
    more = "options = { months = 1 }\n" + PATIENT
    bots = [str(bot), "house:random", "house:random", "house:random"]
    return league_file(tmp_path, bots, rounds=3, boards=1, more=more), gate


# In the second seat of a match of round 1 it becomes a program that waits to be killed: in its cage it sees no file of
# ours, and a cage that is killed while it begins is no fault of its bot's.
STUCK = """\
import contextlib
import os
import sys

from arena.sdk import Bot, run


class MyBot(Bot):
    def choose(self, decision):
        if decision.seat and ".r1." in decision.match.id:
            for descriptor in range(3, 64):  # its pipes among them: one that closes is an end
                with contextlib.suppress(OSError):
                    os.set_inheritable(descriptor, True)
            os.execv(sys.executable, [sys.executable, "-c", "import signal; signal.pause()", "stuck-in-choose"])
        return decision.legal[0]


run(MyBot())
"""


@pytest.mark.usefixtures("bubblewrap")
def test_a_league_is_opened_entered_started_paused_resumed_and_finished_beside_a_node(tmp_path: Path) -> None:
    bots = [str(write_bot(tmp_path, "stuck", STUCK)), "house:random", "house:random", "house:random"]
    more = "options = { months = 1 }\nper_decision_ms = 600000\n"
    file = league_file(tmp_path, bots, rounds=3, boards=1, more=more)

    def told() -> dict[str, Any]:
        return document("league", "show", "spring", cwd=tmp_path)

    opened = done("league", "open", file, cwd=tmp_path)
    assert "It is open, with 4 bots" in opened
    assert done("league", "open", file, cwd=tmp_path) == opened, "the same file again changes nothing"
    assert told()["commitment"] in opened
    with running("serve", "--listen", "127.0.0.1:0", cwd=tmp_path) as node:
        node.wait_for("listening on")
        entered = done("league", "enter", "spring", "house:greedy", "--nonce", "seven", cwd=tmp_path)
        assert entered.splitlines()[0] == "greedy has entered league spring (koikoi)"
        assert "is in league spring (koikoi) already" in done(
            "league", "enter", "spring", "house:greedy", "--nonce", "seven", cwd=tmp_path
        )
        said = refused("league", "start", "spring", cwd=tmp_path)
        assert "1 bot has committed to a nonce in league 'spring': close its entries" in said
        assert done("league", "withdraw", "spring", "bot-4", cwd=tmp_path) == "bot-4 has withdrawn from league spring\n"
        done("league", "close", "spring", cwd=tmp_path)
        assert "closed; nobody leaves it" in refused("league", "withdraw", "spring", "bot-3", cwd=tmp_path)
        said = refused("league", "start", "spring", cwd=tmp_path)
        assert "greedy has committed to a nonce and not revealed it" in said
        done("league", "reveal", "spring", "greedy", "seven", cwd=tmp_path)
        assert done("league", "start", "spring", cwd=tmp_path) == "league spring is running\n"
        # Those of the other table are over. The bot that is stuck has a processor, which its other match may wait for.
        until(lambda: told()["matches"] >= 2, "two matches are over")
        assert done("league", "pause", "spring", cwd=tmp_path) == "league spring is paused\n"

        def over() -> bool:
            for process in children(node, "stuck-in-choose"):
                process.kill()
            return bool(told()["matches"] == 4)

        until(over, "the round is over")
        paused = told()
        assert (paused["state"], paused["divisions"][0]["round"]) == ("paused", 1)
        assert "paused; `arena league resume spring` resumes it" in done("league", "show", "spring", cwd=tmp_path)
        said = refused("league", "run", file, "--data", "arena-data", cwd=tmp_path)
        assert "in use by the arena" in said
        assert done("league", "resume", "spring", cwd=tmp_path) == "league spring is running\n"
        until(lambda: told()["state"] == "finished", "the league is over")
        finished = told()
        node.process.send_signal(signal.SIGTERM)
        assert node.end() == 0
    rows = {row["name"]: row for row in standings_of(finished)}
    assert rows["bot-1"]["forfeits"] == 1
    assert set(rows) == {"bot-1", "bot-2", "bot-3", "greedy"}
    assert finished["matches"] == 12
    assert finished["entropy"] is not None


def test_bots_enter_late_and_withdraw_while_a_league_runs(tmp_path: Path, gated: tuple[Path, Path]) -> None:
    file, gate = gated
    at = ("--data", tmp_path / "data")
    with running("league", "run", "--uncaged", file, *at) as run:
        run.wait_for("round 1/3")
        late = done("league", "enter", "spring", "house:random", "--as", "late", "--nonce", tmp_path / "mine", *at)
        assert late.splitlines()[1] == (
            "It is late: it plays from each division's next round on. Its nonce counts for nothing."
        )
        done("league", "withdraw", "spring", "bot-2", *at)
        for command in (("withdraw", "spring", "bot-2"), ("enter", "spring", "house:random", "--as", "bot-2")):
            assert "'bot-2' has withdrawn from league 'spring'" in refused("league", *command, *at)
        gate.touch()
        assert run.end() == 0
    told = document("league", "show", "spring", *at)
    rows = {row["name"]: row for row in standings_of(told)}
    assert rows["bot-2"]["played"] == 2, "it plays the round to its end that was paired"
    assert rows["late"]["played"] == 4
    assert told["matches"] == 12
    said = refused("league", "enter", "spring", "house:greedy", *at)
    assert "'spring' is finished; bots can enter only a league that is open, running or paused" in said


def test_a_cancelled_league_ends_its_run_and_keeps_what_was_played(tmp_path: Path, gated: tuple[Path, Path]) -> None:
    file, _ = gated
    at = ("--data", tmp_path / "data")
    leases_of(tmp_path / "data", 2)
    with running("league", "run", "--uncaged", file, *at) as run:
        run.wait_for("round 1/3")
        until(lambda: document("league", "show", "spring", *at)["matches"] == 3, "three matches are over")
        assert done("league", "cancel", "spring", *at) == "league spring is cancelled\n"
        assert run.end() == 1
        run.wait_for("league spring was cancelled before its end")
        assert not [line for line in run.lines if "lease" in line], "to cancel a league is no fault"
    until(lambda: document("league", "show", "spring", *at)["secret"], "no match can be under way any more")
    told = document("league", "show", "spring", *at)
    assert (told["state"], told["matches"], told["secret"]) == ("cancelled", 3, "5a" * 32)
    assert told["divisions"][0]["table"]["rounds"] == 0, "a table is of complete rounds"
    played = [line.split()[0] for line in done("replay", "list", "--league", "spring", *at).splitlines()]
    assert len(played) == 3
    for replay in played:
        assert "verified" in done("replay", "verify", replay, *at)
    assert "was cancelled" in refused("league", "run", file, *at)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("enter", "winter", "house:random"), "no league named 'winter'"),
        (("enter", "spring", "house:gredy"), "no house bot 'house:gredy'"),
        (("enter", "spring", "no/such/bot.py"), "no/such/bot.py"),
        (("enter", "spring", "house:random", "--variants", "poker"), "has no division of 'poker'; it has koikoi"),
        (("enter", "spring", "house:random", "--as", "a b"), "'a b' is not a valid name"),
        (("enter", "spring", "house:random", "--nonce", "/nowhere/nonce"), "/nowhere/nonce: No such file"),
        (("reveal", "spring", "bot-1", "none"), "the entries of league spring are not closed yet"),
        (("close", "winter"), "no league named 'winter'"),
        (("start", "spring", "--beacon", "00"), "names no beacon_round"),
        (("enter", "spring", "house:greedy", "--as", "bot-3"), "'bot-3' has already entered league 'spring'"),
        (
            ("enter", "spring", "alice"),
            "no bot named 'alice'",
        ),
        (("withdraw", "spring", "nobody"), "'nobody' has not entered league 'spring'"),
        (("pause", "spring"), "league 'spring' is open; only a league that runs can be paused"),
        (("resume", "spring"), "league 'spring' is open; only a paused league can be resumed"),
        (("start", "winter"), "no league named 'winter'"),
        (("unschedule", "spring"), "no schedule named 'spring'"),
    ],
)
def test_what_a_league_cannot_do_is_refused_in_one_line_and_changes_nothing(
    opened: tuple[Path, dict[str, Any]], arguments: tuple[str, ...], words: str
) -> None:
    folder, before = opened
    said = refused("league", *arguments, cwd=folder)
    assert said.startswith("error: ")
    assert len(said.splitlines()) == 1
    assert words in said
    assert document("league", "show", "spring", cwd=folder) == before


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A folder with an open league of four house bots, and what `show` tells of it."""
    folder = tmp_path_factory.mktemp("opened")
    done("league", "open", league_file(folder, FOUR), cwd=folder)
    return folder, document("league", "show", "spring", cwd=folder)


def test_a_league_with_too_few_bots_is_opened_and_not_started(tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    file.write_text(
        'name = "field"\nboard_sets = "field"\nboards = 6\n[[divisions]]\nvariant = "koikoi"\n'
        '[[divisions]]\nvariant = "sangohana"\n'
    )
    done("league", "open", file, cwd=tmp_path)
    done("league", "enter", "field", "house:random", cwd=tmp_path)
    said = refused("league", "start", "field", cwd=tmp_path)
    assert "no division has enough bots for a table; koikoi has 1 of 2, sangohana has 1 of 3" in said
    done("league", "enter", "field", "house:greedy", "--variants", "koikoi", cwd=tmp_path)
    assert done("league", "start", "field", cwd=tmp_path) == "league field is running\n"
    assert arena("league", "start", "field", cwd=tmp_path).returncode == 0, "it has started before"
