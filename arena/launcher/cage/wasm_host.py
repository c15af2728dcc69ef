"""What the runtime `wasm` runs in a cage: a WebAssembly module of WASI preview 1, on fuel.

It stands alone: in the cage there is nothing of the arena beside it. Its arguments are the module's file and the
module's own arguments; FUEL in the environment is how much fuel the module gets to start with, and again with each
message that it reads. Each instruction uses one unit, so where the fuel runs out does not depend on the machine.
"""

import os
import re
import struct
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NoReturn

from wasmtime import (
    Caller,
    Config,
    Engine,
    ExitTrap,
    Func,
    FuncType,
    Linker,
    Memory,
    Module,
    Store,
    Trap,
    TrapCode,
    ValType,
    WasiConfig,
    WasmtimeError,
)

FUEL = "HANAFUDA_ARENA_FUEL"
OUT_OF_FUEL = 126
FAULT = 127
"""Exit statuses that no module has: WASI's end at 125. The last line of the standard error says what happened."""
_STDIO = "HANAFUDA_ARENA_STDIO"
_WASI = "wasi_snapshot_preview1"
_MAGIC, _MODULE = b"\0asm", b"\1\0\0\0"
_INPUT, _ERRORS = 0, 2
_MAX_FAULT_LENGTH = 300
_SUCCESS, _BAD_DESCRIPTOR, _FAULTY_ADDRESS = 0, 8, 21
"""errno of WASI."""
_ADDRESS = 0xFFFFFFFF
_WORD = struct.Struct("<I")
_CALLED = re.compile(r"wasm backtrace:|^ +\d+: +0x|^note: ")
_VARINT, _BYTES = 0, 2
_FIXED = {1: 8, 5: 4}
"""Of protobuf: how many bytes a field of these types has."""
_DECISION, _NUMBER = 3, 2
"""Field numbers: PlayResponse.decision and Decision.decision."""
_TRAPS = {
    TrapCode.STACK_OVERFLOW: "its calls are nested too deeply",
    TrapCode.MEMORY_OUT_OF_BOUNDS: "it reached beyond its memory",
    TrapCode.TABLE_OUT_OF_BOUNDS: "it reached beyond a table",
    TrapCode.INTEGER_DIVISION_BY_ZERO: "it divided by zero",
    TrapCode.UNREACHABLE: "it executed `unreachable`, as abort() and panics do",
}


class _Input:
    """The standard input, a message at a time: no read returns the end of one and the beginning of the next.

    So what a module executes for a message does not depend on how fast the next one follows.
    """

    def __init__(self) -> None:
        self.message = b""
        self._unread = b""

    def read(self, limit: int) -> tuple[bytes, bool]:
        """Return up to so many bytes, none at the end of the input; and whether they begin a message."""
        begins = not self._unread
        if begins:
            self._unread = self._next()
        part, self._unread = self._unread[:limit], self._unread[limit:]
        return part, begins

    def _next(self) -> bytes:
        """The next message after its length; nothing at the end of the input."""
        prefix, length = b"", 0
        for shift in count(step=7):
            byte = os.read(_INPUT, 1)
            if not byte:
                return b""
            prefix += byte
            length |= (byte[0] & 0x7F) << shift
            if byte[0] < 0x80:
                break
        message = b""
        while len(message) < length:
            part = os.read(_INPUT, length - len(message))
            if not part:
                return b""
            message += part
        self.message = message
        return prefix + message


def main(file: str, *arguments: str) -> NoReturn:
    """Run the module to its end; never returns."""
    fuel = int(os.environ[FUEL])
    config = Config()
    config.consume_fuel = True
    config.parallel_compilation = False
    engine = Engine(config)
    module = _compiled(engine, file)
    store = Store(engine)
    wasi = WasiConfig()
    wasi.argv = [Path(file).name, *arguments]
    wasi.env = [(_STDIO, "1")]
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    store.set_wasi(wasi)
    source = _Input()
    linker = Linker(engine)
    linker.allow_shadowing = True
    linker.define_wasi()
    reading = FuncType([ValType.i32()] * 4, [ValType.i32()])
    linker.define_func(_WASI, "fd_read", reading, _Reading(source, store, fuel), access_caller=True)
    linker.define_func(_WASI, "fd_close", FuncType([ValType.i32()], [ValType.i32()]), _close)
    store.set_fuel(fuel)
    try:
        start = linker.instantiate(store, module).exports(store)["_start"]
        assert isinstance(start, Func)
        start(store)
    except ExitTrap as ended:
        _leave(ended.code)
    except Trap as trap:
        if trap.trap_code is TrapCode.OUT_OF_FUEL:
            _leave(OUT_OF_FUEL, f"used up its fuel, {fuel:,} instructions, {_place(source.message)}")
        why = _TRAPS.get(trap.trap_code) if trap.trap_code else None
        _leave(FAULT, f"was stopped {_place(source.message)}: {why or _line(trap.message)}")
    except WasmtimeError as error:
        _leave(FAULT, f"was stopped {_place(source.message)}: {_line(str(error))}")
    _leave(0)


def _compiled(engine: Engine, file: str) -> Module:
    """The module of a file, if WASI can start it."""
    try:
        code = Path(file).read_bytes()
    except OSError as error:
        _leave(FAULT, f"cannot be read: {error.strerror}")
    if code[:4] != _MAGIC:
        _leave(FAULT, "is no WebAssembly: it does not begin with \\0asm")
    if code[4:8] != _MODULE:
        _leave(FAULT, "is a WebAssembly component, and a module of WASI preview 1 is needed")
    try:
        module = Module(engine, code)
    except WasmtimeError as error:
        _leave(FAULT, f"is no valid module: {_line(str(error))}")
    linker = Linker(engine)
    linker.define_wasi()
    store = Store(engine)
    for wanted in module.imports:
        if wanted.module != _WASI or not _has(linker, store, wanted.name or ""):
            _leave(FAULT, f"imports {wanted.module}.{wanted.name}, which WASI preview 1 does not have")
    start = next((export.type for export in module.exports if export.name == "_start"), None)
    if not isinstance(start, FuncType) or start.params or start.results:
        _leave(FAULT, "exports no function _start without parameters: it is a library and not a program of WASI")
    return module


def _has(linker: Linker, store: Store, name: str) -> bool:
    try:
        linker.get(store, _WASI, name)
    except WasmtimeError:
        return False
    return True


class _Reading:
    """WASI's fd_read on the standard input, the one descriptor that can be read; each message is paid for."""

    def __init__(self, source: _Input, store: Store, fuel: int) -> None:
        self._source = source
        self._store = store
        self._fuel = fuel

    def __call__(self, caller: Caller, descriptor: int, vectors: int, number: int, written_at: int) -> int:
        """Read into the first of the vectors that holds anything; return an errno."""
        memory = caller.get("memory")
        if not isinstance(memory, Memory):
            return _FAULTY_ADDRESS
        if descriptor != _INPUT:
            return _BAD_DESCRIPTOR
        try:
            part = b""
            for vector in range(number):
                address, length = _words(memory, caller, (vectors & _ADDRESS) + 8 * vector, 2)
                if length:
                    part, begins = self._source.read(length)
                    if begins and part:
                        self._store.set_fuel(self._fuel)
                    memory.write(caller, part, address)
                    break
            memory.write(caller, _WORD.pack(len(part)), written_at & _ADDRESS)
        except (IndexError, struct.error):
            return _FAULTY_ADDRESS
        return _SUCCESS


def _close(descriptor: int) -> int:
    """WASI's fd_close, which closes the pipe itself: whoever waits at its other end will know. Return an errno."""
    if descriptor not in range(_ERRORS + 1):
        return _BAD_DESCRIPTOR
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, descriptor)
    os.close(null)
    return _SUCCESS


def _words(memory: Memory, caller: Caller, address: int, number: int) -> tuple[int, ...]:
    return struct.unpack(f"<{number}I", memory.read(caller, address, address + 4 * number))


def _place(message: bytes) -> str:
    """Where a match stands, by the last message that was read."""
    if not message:
        return "before it read a message"
    decision = dict(_fields(message)).get(_DECISION)
    number = dict(_fields(decision)).get(_NUMBER) if isinstance(decision, bytes) else None
    return f"at decision {number}" if isinstance(number, int) else "outside of a decision"


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a protobuf message: their numbers, and what they hold."""
    position = 0

    def varint() -> int:
        nonlocal position
        value = 0
        for shift in count(step=7):
            value |= (message[position] & 0x7F) << shift
            position += 1
            if message[position - 1] < 0x80:
                break
        return value

    while position < len(message):
        key = varint()
        kind = key & 7
        if kind == _VARINT:
            yield key >> 3, varint()
            continue
        length = varint() if kind == _BYTES else _FIXED[kind]
        yield key >> 3, message[position : position + length]
        position += length


def _line(text: str) -> str:
    """Return what wasmtime says, in one line, not too long, without the addresses of the functions that were called."""
    lines = (line for line in text.splitlines() if not _CALLED.search(line))
    return " ".join(" ".join(lines).split()).removeprefix("Caused by: ")[:_MAX_FAULT_LENGTH]


def _leave(status: int, why: str = "") -> NoReturn:
    """End, with a last line where there is something to say."""
    if why:
        os.write(_ERRORS, f"\n{why}\n".encode())
    os._exit(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
