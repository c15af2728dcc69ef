"""A bot in WebAssembly from its first command to a league, and where it cannot play."""

import shlex
import subprocess
from pathlib import Path

import pytest
from arena_command import arena, document, done, refused, running
from bots_in_tests import short_league
from several_nodes import redis_server
from wasmtime import wat2wasm

pytestmark = pytest.mark.usefixtures("bubblewrap")

WITHOUT_WASMTIME = """\
import sys

sys.modules["wasmtime"] = None
"""


def test_a_new_bot_for_wasm_is_built_checked_submitted_and_plays_in_a_league(
    tmp_path: Path, wasi_compiler: list[str]
) -> None:
    told = done("bot", "new", "my bot", "--language", "c-wasm", cwd=tmp_path)
    build = told.splitlines()[1].partition("Build it: ")[2]
    assert shlex.split(build)[:4] == wasi_compiler
    subprocess.run(shlex.split(build), cwd=tmp_path, check=True)
    assert "my bot/bot.wasm keeps the protocol" in done("bot", "check", "my bot/bot.wasm", cwd=tmp_path)
    submitted = done("bot", "submit", "my bot", "--activate", cwd=tmp_path)
    assert "ok       plays sangohana\n" in submitted
    [version] = document("bot", "versions", "my-bot", cwd=tmp_path)["versions"]
    assert (version["status"], version["active"], version["reproducible"]) == ("qualified", True, True)
    short_league(tmp_path, "my-bot")
    played = document("league", "run", "spring.toml", cwd=tmp_path)
    [division] = played["divisions"]
    assert (played["state"], played["versions"]) == ("finished", {"my-bot": version["version"]})
    assert [row["forfeits"] for row in division["table"]["standings"]] == [0, 0]
    path = document("match", "play", "my bot/bot.wasm", "house:random", "--option", "months=3", cwd=tmp_path)
    assert path["end"] == "completed"


def test_a_file_that_is_no_webassembly_fails_its_qualification_with_the_reason(tmp_path: Path) -> None:
    done("bot", "new", "ann", "--language", "c-wasm", cwd=tmp_path)
    (tmp_path / "ann" / "bot.wasm").write_text("#!/bin/sh\n")
    result = arena("bot", "submit", "ann", cwd=tmp_path)
    assert result.returncode == 1
    assert "is no WebAssembly: it does not begin with \\0asm" in result.stderr


def test_a_node_gives_bots_the_fuel_that_its_operator_says(tmp_path: Path) -> None:
    done("bot", "new", "ann", "--language", "c-wasm", cwd=tmp_path)
    endless = '(module (memory (export "memory") 1) (func (export "_start") (loop br 0)))'
    (tmp_path / "ann" / "bot.wasm").write_bytes(wat2wasm(endless))
    with running("serve", "--listen", "127.0.0.1:0", "--fuel", "1000", cwd=tmp_path) as node:
        address = node.wait_for(r"listening on (\S+)")[1]
        token = done("owner", "create", "ann", cwd=tmp_path).strip()
        result = arena("bot", "submit", "ann", "--server", address, "--token", token, cwd=tmp_path)
    assert result.returncode == 1
    why = "ann used up its fuel, 1,000 instructions, before it read a message"
    assert why in result.stderr
    (tmp_path / "ann" / "another.txt").touch()
    assert why in refused("bot", "submit", "ann", cwd=tmp_path, status=1), "a command on its store has the same fuel"


def test_without_wasmtime_wasm_is_not_offered_and_each_command_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_WASMTIME)
    hidden = {"PYTHONPATH": str(tmp_path)}
    how = "wasmtime is not installed (pip install 'hanafuda-arena[wasm]')"
    assert how in done("doctor", cwd=tmp_path, env=hidden)
    done("bot", "new", "ann", "--language", "c-wasm", cwd=tmp_path)
    (tmp_path / "ann" / "bot.wasm").write_bytes(b"\0asm\1\0\0\0")
    assert how in refused("bot", "submit", "ann", cwd=tmp_path, env=hidden, status=1)
    played = arena("match", "play", "./ann/bot.wasm", "house:random", cwd=tmp_path, env=hidden)
    assert played.returncode == 1
    assert how in played.stderr
    assert "--uncaged" not in played.stderr, "WebAssembly is played in a cage or not at all"


def test_a_node_without_wasmtime_leaves_rounds_with_such_bots_to_others_and_everybody_is_told(
    tmp_path: Path, wasi_compiler: list[str]
) -> None:
    build = done("bot", "new", "ann", "--language", "c-wasm", cwd=tmp_path).splitlines()[1].partition("Build it: ")[2]
    subprocess.run(shlex.split(build), cwd=tmp_path, check=True)
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_WASMTIME)
    short_league(tmp_path, "./ann")
    with redis_server(tmp_path) as url:
        place = ("--redis", url)
        serve = ("serve", *place, "--listen", "127.0.0.1:0", "--data")
        with running(*serve, "without", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}) as without:
            without.wait_for("this node takes submitted bots")
            done("league", "open", "spring.toml", *place, cwd=tmp_path)
            done("league", "start", "spring", *place, cwd=tmp_path)
            without.wait_for("league:spring:koikoi is left to other nodes: it needs wasm, not offered here")
            waits = "no node works on this round; its bots need one that can cage bots and offers wasm"
            assert f"spring · koikoi: {waits}" in done("league", "show", "spring", *place, cwd=tmp_path)
            [division] = document("league", "show", "spring", *place, cwd=tmp_path)["divisions"]
            assert division["waits_for"] == ["wasm"]
            waits = "no node works on league:spring:koikoi, which needs a cage and wasm"
            assert waits in arena("doctor", *place, cwd=tmp_path).stdout
            with running(*serve, "two", cwd=tmp_path) as offering:
                offering.wait_for("spring, koikoi: over after 1 round")
        [division] = document("league", "show", "spring", *place, cwd=tmp_path)["divisions"]
    assert division["waits_for"] == []
    assert {row["name"]: row["forfeits"] for row in division["table"]["standings"]} == {"ann": 0, "random": 0}


def test_a_league_ends_with_the_reason_where_the_one_node_that_plays_it_does_not_offer_wasm(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_WASMTIME)
    (tmp_path / "bot.wasm").write_bytes(b"\0asm\1\0\0\0")
    short_league(tmp_path, "./bot.wasm")
    said = refused("league", "run", "spring.toml", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, status=1)
    assert said.splitlines()[-1] == (
        "league spring cannot go on: bots play in it that cannot play on this machine: "
        "no runtime wasm here: wasmtime is not installed (pip install 'hanafuda-arena[wasm]')"
    )
