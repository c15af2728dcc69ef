"""The runtime `wasm`: modules of WASI preview 1, run by wasmtime on fuel, in a process of the arena's interpreter."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from arena.launcher.cage.errors import RuntimeUnknownError
from arena.launcher.cage.program import Bind, Runtime
from arena.launcher.cage.python_runtime import SITE, interpreter

NO_WASM = "no runtime wasm here: wasmtime is not installed (pip install 'hanafuda-arena[wasm]')"
_HOST = Path(__file__).with_name("wasm_host.py")
_FAULTS = (126, 127)
"""The exit statuses of the host, which no module has: out of fuel, and stopped."""


def has_wasmtime() -> bool:
    """Whether the runtime can be offered."""
    return find_spec("wasmtime") is not None


def wasm_runtime() -> Runtime:
    """The runtime. Raises RuntimeUnknownError where wasmtime is not installed, NoCageError."""
    if not has_wasmtime():
        raise RuntimeUnknownError(NO_WASM)
    python = interpreter("wasm", ("wasmtime",))
    host = f"{SITE}/{_HOST.name}"
    return replace(
        python,
        binds=(*python.binds, Bind(_HOST, host)),
        command=(*python.command, host),
        preloaded=("wasmtime",),
        faults=_FAULTS,
    )
