"""The runtime `wasm`: modules of WASI preview 1 play on fuel, and each that cannot go on ends with one line."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from wasmtime import wat2wasm

from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import RuntimeUnknownError
from arena.launcher.cage.paths import program_at
from arena.launcher.cage.process import Ending
from arena.launcher.cage.program import Program
from arena.launcher.cage.wasm_runtime import wasm_runtime
from arena.launcher.errors import BotStartError
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.sdk.stdio import frame
from arena.seats.in_process import InProcessSeat
from arena.stream.hub import Hub
from bots import house
from core_ext import VARIANTS
from hanafuda.arena.v1 import play_pb2

C_BOT = Path(__file__).parents[2] / "bots/starters/c/bot.c"
FUEL = 1_000_000
STOPPED = 127
FOREVER = "(loop br 0)"
GROWS = """
  (loop
    (if (i32.ne (memory.grow (i32.const 16)) (i32.const -1))
      (then (memory.fill
        (i32.mul (i32.sub (memory.size) (i32.const 16)) (i32.const 65536)) (i32.const 1) (i32.const 1048576))))
    (br 0))
"""
READS = """
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 2)
  (data (i32.const 32) ".\\n")
  (func $read  ;; of at most 64 KiB
    (i32.store (i32.const 0) (i32.const 4096))
    (i32.store (i32.const 4) (i32.const 65536))
    (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $tell  ;; a dot on the standard error
    (i32.store (i32.const 0) (i32.const 32))
    (i32.store (i32.const 4) (i32.const 1))
    (drop (call $fd_write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $burn (param $turns i32)  ;; six instructions a turn
    (loop
      (local.set $turns (i32.sub (local.get $turns) (i32.const 1)))
      (br_if 0 (local.get $turns))))
"""


def module(body: str, rest: str = '(memory (export "memory") 1)') -> bytes:
    """A module that runs `body`."""
    return bytes(wat2wasm(f'(module {rest} (func $start (export "_start") {body}))'))


@pytest.fixture
def wasm(tmp_path: Path) -> Callable[[bytes], Program]:
    """Makes a program of the runtime wasm from what is in its file."""

    def make(content: bytes) -> Program:
        path = tmp_path / "bot.wasm"
        path.write_bytes(content)
        return program_at(path)

    return make


async def ending(
    cages: Cages,
    program: Program,
    *messages: play_pb2.PlayResponse,
    at_once: bool = True,
    fuel: int = FUEL,
    log: Path | None = None,
) -> Ending:
    """Run a program to its own end, with messages on its standard input, as one piece or a byte at a time."""
    process = await cages.start(program, replace(cages.limits, fuel=fuel), log)
    process.go()
    try:
        sent = b"".join(frame(message.SerializeToString()) for message in messages)
        with contextlib.suppress(BrokenPipeError):  # it may end before it reads
            for part in [sent] if at_once else [sent[at : at + 1] for at in range(len(sent))]:
                os.write(process.stdin, part)
                await asyncio.sleep(0)
        return await asyncio.shield(process.ended)
    finally:
        await process.close()


def decision(number: int) -> play_pb2.PlayResponse:
    """A question to the bot."""
    return play_pb2.PlayResponse(decision=play_pb2.Decision(match_id="m0", decision=number))


START = play_pb2.PlayResponse(match_start=play_pb2.MatchStart(match_id="m0"))


FAULTS = [
    (b"#include <stdio.h>\n", "is no WebAssembly: it does not begin with \\0asm"),
    (b"", "is no WebAssembly: it does not begin with \\0asm"),
    (wat2wasm("(component)"), "is a WebAssembly component, and a module of WASI preview 1 is needed"),
    (module("")[:-2], "is no valid module: "),
    (wat2wasm("(module)"), "exports no function _start without parameters"),
    (module("", '(import "env" "fork" (func))'), "imports env.fork, which WASI preview 1 does not have"),
    (
        module("", '(import "wasi_snapshot_preview1" "sock_connect" (func))'),
        "imports wasi_snapshot_preview1.sock_connect, which WASI preview 1 does not have",
    ),
    (
        module("", '(import "wasi_snapshot_preview1" "fd_read" (func))'),
        "was stopped before it read a message: incompatible import type for `wasi_snapshot_preview1::fd_read`",
    ),
    (module("unreachable"), "was stopped before it read a message: it executed `unreachable`"),
    (module("(call $start) (call $start)"), "was stopped before it read a message: its calls are nested too"),
    (module("(drop (i32.load (i32.const 99999999)))"), "it reached beyond its memory"),
    (module("(drop (i32.div_u (i32.const 1) (i32.const 0)))"), "it divided by zero"),
    (
        module("(call $leave)", f"{READS} (func $leave (call $proc_exit (i32.const 126)))"),
        "was stopped before it read a message: exit with invalid exit status outside of [0..126)",
    ),
]


async def test_a_module_that_cannot_go_on_ends_with_one_line(cages: Cages, wasm: Callable[[bytes], Program]) -> None:
    for content, line in FAULTS:
        ended = await ending(cages, wasm(content))
        assert ended.status == STOPPED
        assert line in ended.detail
        assert ended.last_output == ""


async def test_a_module_that_computes_without_end_uses_up_its_fuel(
    cages: Cages, wasm: Callable[[bytes], Program]
) -> None:
    ended = await ending(cages, wasm(module(FOREVER)))
    assert ended.detail == "used up its fuel, 1,000,000 instructions, before it read a message"
    assert (await ending(cages, wasm(module("", f"(func $f {FOREVER}) (start $f)")))).detail == ended.detail


async def test_each_message_brings_fuel_and_the_end_names_the_decision(
    cages: Cages, wasm: Callable[[bytes], Program]
) -> None:
    six_tenths = "(call $read) (call $burn (i32.const 100000))"
    program = wasm(module(f"{six_tenths * 3} {FOREVER}", READS))
    ended = await ending(cages, program, START, decision(1), decision(2))
    assert ended.detail == "used up its fuel, 1,000,000 instructions, at decision 2"


async def test_fuel_runs_out_at_the_same_instruction_however_the_messages_come(
    cages: Cages, wasm: Callable[[bytes], Program], tmp_path: Path
) -> None:
    program = wasm(module("(call $read) (call $read) (loop (call $burn (i32.const 200)) (call $tell) (br 0))", READS))
    once, bytewise = tmp_path / "once", tmp_path / "bytewise"
    first = await ending(cages, program, START, decision(1), log=once)
    assert first.detail == "used up its fuel, 1,000,000 instructions, at decision 1"
    dots, _, reason = once.read_text().partition("\n")
    assert 500 < len(dots) < 1_500
    assert set(dots) == {"."}
    assert reason == first.detail + "\n"
    assert await ending(cages, program, START, decision(1), at_once=False, log=bytewise) == first
    assert bytewise.read_bytes() == once.read_bytes()


async def test_a_module_that_closes_its_output_and_waits_is_ended_at_once(
    cages: Cages, wasm: Callable[[bytes], Program]
) -> None:
    closes = '(import "wasi_snapshot_preview1" "fd_close" (func $fd_close (param i32) (result i32)))'
    program = wasm(module("(drop (call $fd_close (i32.const 1))) (call $read)", closes + READS))
    with pytest.raises(BotStartError, match="closed its standard output"):
        async with caged(cages, Hub(), program, "closes"):
            pass


async def test_memory_that_grows_without_end_ends_the_module(cages: Cages, wasm: Callable[[bytes], Program]) -> None:
    if "memory" in cages.cgroups.controllers:
        ended = await ending(cages, wasm(module(GROWS)), fuel=1000 * FUEL)
        assert ended.detail == "used up its 64 MiB of memory"
    else:  # it gets no more, and goes on without
        ended = await ending(cages, wasm(module(GROWS)), fuel=100 * FUEL)
        assert "used up its fuel" in ended.detail


async def test_a_module_finds_no_files_and_no_environment_but_that_of_the_protocol(
    cages: Cages, wasm: Callable[[bytes], Program]
) -> None:
    counts = """
      (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ (param i32 i32) (result i32)))
      (import "wasi_snapshot_preview1" "fd_prestat_get" (func $prestat (param i32 i32) (result i32)))
    """
    looks = """
      (drop (call $environ (i32.const 0) (i32.const 4)))
      (if (i32.ne (i32.load (i32.const 0)) (i32.const 1)) (then unreachable))
      (if (i32.eqz (call $prestat (i32.const 3) (i32.const 0))) (then unreachable))
      (call $proc_exit (i32.const 7))
    """
    ended = await ending(cages, wasm(module(looks, counts + READS)))
    assert ended.detail == "ended with status 7"


async def test_the_end_of_the_input_is_the_end_of_the_file_and_a_wrong_address_is_an_error(
    cages: Cages, wasm: Callable[[bytes], Program]
) -> None:
    wrong = "(call $fd_read (i32.const 0) (i32.const -4) (i32.const 1) (i32.const 8))"
    other = "(call $fd_read (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))"
    for call, errno in ((wrong, 21), (other, 8)):
        ended = await ending(cages, wasm(module(f"(call $proc_exit {call})", READS)), START)
        assert ended.detail == f"ended with status {errno}"


def test_a_node_without_wasmtime_offers_no_wasm_and_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(RuntimeUnknownError, match=r"pip install 'hanafuda-arena\[wasm\]'"):
        wasm_runtime()


async def test_the_bot_in_c_built_for_wasi_plays_every_variant(
    cages: Cages, wasi_compiler: list[str], tmp_path: Path
) -> None:
    built = tmp_path / "bot.wasm"
    subprocess.run([*wasi_compiler, "-Wall", "-Wextra", "-Werror", "-o", built, C_BOT], check=True)
    for variant in VARIANTS:
        names = ("c", "one", "two")[: 3 if variant == "hachihachi" else 2]
        async with caged(cages, Hub(), program_at(built), "c") as bot:
            others = [InProcessSeat(house("random")) for _ in names[1:]]
            result = await play(MatchSpec("m0", variant, bytes(32), names), [bot.seat(), *others])
        assert result.end is End.COMPLETED, (variant, result.text)
        assert result.rejections[0] == 0
