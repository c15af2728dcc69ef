"""What the runtime `wasm` costs: `python -m benchmarks.wasm`."""

import asyncio
import tempfile
import time
from pathlib import Path

from wasmtime import Config, Engine, Func, Instance, Module, Store, Trap, wat2wasm

from arena.bench import Result, lines
from arena.bench.cage import start_seconds
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.paths import program_at

_INSTRUCTIONS = 1_000_000_000
_LOOPS = {
    "jumps": "(loop br 0)",
    "arithmetic": """
      (loop
        (local.set $i (i32.add (local.get $i) (i32.const 8)))
        (local.set $x (i64.mul (i64.add (local.get $x) (i64.const 1)) (i64.const 6364136223846793005)))
        (i64.store (i32.and (local.get $i) (i32.const 65528)) (local.get $x))
        (br 0))""",
    "divisions": """
      (loop
        (local.set $x (i64.rem_u (i64.const 0x7fffffffffff) (i64.add (local.get $x) (i64.const 3))))
        (br 0))""",
}
_FUNCTION = f"""
  (func (param i32 i32) (result i32)
    {"(local.set 0 (i32.add (i32.mul (local.get 0) (i32.const 31)) (local.get 1)))" * 60} (local.get 0))
"""
_HELLO = r"""
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\10\00\00\00\05\00\00\00\00\00\00\00\00\00\00\00\04\0a\02\08\01")
  (func (export "_start")
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8))))
"""
"""Says Hello and waits for the first message."""


def measure(starts: int = 20) -> list[Result]:
    """Seconds from the order to Hello, to compile modules, and for so many instructions of processor time."""
    config = Config()
    config.consume_fuel = True
    config.parallel_compilation = False
    engine = Engine(config)
    return [
        Result("wasm.start", asyncio.run(_start(starts)), "s"),
        *(_compile(engine, functions) for functions in (100, 1_500)),
        *(_burn(engine, name, body) for name, body in _LOOPS.items()),
    ]


async def _start(starts: int) -> float:
    cages = Cages()
    try:
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            path = Path(folder) / "bot.wasm"
            path.write_bytes(wat2wasm(f"(module {_HELLO})"))
            return await start_seconds(cages, program_at(path), starts)
    finally:
        cages.close()


def _compile(engine: Engine, functions: int) -> Result:
    code = bytes(wat2wasm(f"(module {_FUNCTION * functions})"))
    began = time.process_time()
    Module(engine, code)
    return Result(f"wasm.compile.{len(code) >> 10}KiB", time.process_time() - began, "s")


def _burn(engine: Engine, name: str, body: str) -> Result:
    module = Module(engine, f'(module (memory 1) (func (export "run") (local $i i32) (local $x i64) {body}))')
    store = Store(engine)
    run = Instance(store, module, []).exports(store)["run"]
    assert isinstance(run, Func)
    store.set_fuel(_INSTRUCTIONS)
    began = time.process_time()
    try:
        run(store)
    except Trap:  # out of fuel
        return Result(f"wasm.fuel.{name}", time.process_time() - began, "s")
    raise AssertionError("a loop without end has ended")


if __name__ == "__main__":
    print(*lines(measure()), sep="\n")
