"""The runtimes that a node offers, by name."""

from collections.abc import Callable
from functools import cache

from arena.launcher.cage.errors import RuntimeUnknownError
from arena.launcher.cage.program import Runtime
from arena.launcher.cage.python_runtime import python_runtime
from arena.launcher.cage.wasm_runtime import NO_WASM, has_wasmtime, wasm_runtime

_NATIVE = Runtime("native")
"""A static program needs nothing around it."""

RUNTIMES: dict[str, Callable[[], Runtime]] = {
    "python": python_runtime,
    "native": lambda: _NATIVE,
    "wasm": wasm_runtime,
}


@cache
def runtime(name: str) -> Runtime:
    """The runtime of this name, put together when it is first asked for. Raises RuntimeUnknownError, NoCageError."""
    if name not in RUNTIMES:
        raise RuntimeUnknownError(f"there is no runtime {name!r}; there are {', '.join(RUNTIMES)}")
    return RUNTIMES[name]()


def lacking() -> dict[str, str]:
    """The runtimes that are not offered here, each with the reason in a line."""
    return {} if has_wasmtime() else {"wasm": NO_WASM}


def offered() -> frozenset[str]:
    """The runtimes that are offered here, where there are cages."""
    return frozenset(RUNTIMES).difference(lacking())
