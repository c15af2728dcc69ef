"""A league whose cards follow from a round of drand: opened, started with its signature, played, proved."""

import asyncio
import json
from pathlib import Path

import pytest
from arena_command import arena, document, done, refused, running, until

from arena.league.beacon import address, entropy_of
from arena.league.reader import parse_league
from arena.organizer import steps
from arena.organizer.entries import check, entrants_of
from arena.store import Store

FILE = """
name = "cup"
rounds = 1
boards = 1
options = { months = 1 }
entries = [{ name = "one", bot = "house:random" }, "house:greedy"]
"""
# Rounds that are to come have no signature yet: what has is opened past the check of its time.
ROUND = 1_000
SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"


async def opened(data: Path) -> None:
    async with await Store.open(data) as store:
        spec = parse_league(f"{FILE}beacon_round = {ROUND}\n", "cup.toml")
        await steps.create(store, spec, await entrants_of(store, spec, check(spec, Path())))


def test_a_league_of_a_beacon_is_started_by_its_signature_and_proved_by_it(tmp_path: Path) -> None:
    asyncio.run(opened(tmp_path / "arena-data"))
    said = refused("league", "start", "cup", cwd=tmp_path)
    assert f"starts with the signature of round {ROUND} of drand's quicknet" in said
    assert address(ROUND) in said
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({"round": ROUND + 1, "signature": SIGNATURE}))
    assert "this is round 1001" in refused("league", "start", "cup", "--beacon", wrong, cwd=tmp_path)
    assert "No such file" in refused("league", "start", "cup", "--beacon", "none.json", cwd=tmp_path)
    given = tmp_path / "round.json"
    given.write_text(json.dumps({"round": ROUND, "randomness": "", "signature": SIGNATURE}))
    with running("serve", "--listen", "127.0.0.1:0", cwd=tmp_path) as node:
        node.wait_for("listening on")
        assert done("league", "start", "cup", "--beacon", given, cwd=tmp_path) == "league cup is running\n"
        until(lambda: document("league", "show", "cup", cwd=tmp_path)["state"] == "finished", "the league is over")
    shown = document("league", "show", "cup", cwd=tmp_path)
    assert (shown["beacon_round"], shown["beacon_signature"]) == (ROUND, SIGNATURE)
    assert shown["entropy"] == entropy_of(ROUND, SIGNATURE)
    done("league", "export", "cup", "cup.zip", cwd=tmp_path)
    said = done("league", "verify", "cup.zip", cwd=tmp_path)
    assert "from round 1000 of drand's quicknet, of 2023-08-23 15:59:24 UTC: nobody could choose the cards" in said
    assert document("league", "verify", "cup.zip", cwd=tmp_path)["beacon_round"] == ROUND


@pytest.mark.parametrize("command", ["open", "run"])
def test_a_round_that_is_known_already_is_refused_with_its_line(tmp_path: Path, command: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f"{FILE}beacon_round = {ROUND}\n")
    assert "cup.toml:7: beacon_round: round 1000 of drand's quicknet" in refused("league", command, file, cwd=tmp_path)


def test_who_opens_a_league_of_a_beacon_is_told_how_it_starts(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f"{FILE}beacon_round = 9000000000\n")
    said = done("league", "open", file, cwd=tmp_path)
    assert "Its entries close with round 9000000000 of drand's quicknet, of 2879-" in said
    assert "arena league start cup --beacon FILE" in said
    ran = arena("league", "run", file, cwd=tmp_path)
    assert ran.returncode == 2
    assert "league 'cup' starts with the signature of round 9000000000" in ran.stderr
