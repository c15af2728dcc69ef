"""What every test has in common."""

import gc
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from prerequisites import not_run

from arena.node.process import configure_grpc

configure_grpc()  # before any test imports gRPC
gc.disable()  # nothing that is loaded to collect the tests is garbage

if TYPE_CHECKING:
    from play_arena import Arena

    from arena.store import Store

# A busy machine is no fault of the code under test: no example has to be made or to run in a time. The examples are
# few and the same on every run; many other ones are looked for with --hypothesis-profile=search. A test whose examples
# take long has a share of them.
busy = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("arena", busy, max_examples=30, derandomize=True)
settings.register_profile("search", busy, max_examples=1000)
settings.load_profile("arena")

ROOT = Path(__file__).parents[1]

NEEDS = {"browser": "browser", "bubblewrap": "cage"}
"""The mark of the tests that use a fixture."""

FIRST = {folder: place for place, folder in enumerate(("web", "system", "docs", "store", "cage", "services"))}
"""The folders whose tests take long, in the order in which they are run."""

# The threads of its BLAS spin for a while wherever numpy is loaded, which is in hundreds of processes of these tests.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def compiled_sources() -> Iterator[Path]:
    """What a build compiles: each .pyx, and each .pxd."""
    for folder in (ROOT / "arena", ROOT / "core_ext"):
        yield from folder.rglob("*.pyx")
        yield from folder.rglob("*.pxd")


def of_an_open_loop(record: logging.LogRecord) -> bool:
    """Whether a record is not of gRPC's poller, which now and then wakes the loop of an earlier test, closed by now.

    The record would be found in the log of another test.
    """
    error = record.exc_info[1] if record.exc_info else None
    return str(error) != "Event loop is closed" or "PollerCompletionQueue._handle_events" not in record.getMessage()


logging.getLogger("asyncio").addFilter(of_an_open_loop)


def pytest_configure() -> None:
    """What was compiled is tested, so it has to be as new as its source; a build writes all of it anew."""
    built = find_spec("core_ext.state")
    built_at = Path(built.origin).stat().st_mtime if built is not None and built.origin else 0.0
    for source in compiled_sources():
        if source.stat().st_mtime > built_at:
            pytest.exit(f"{source.relative_to(ROOT)} has changed since it was compiled: make build", returncode=2)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need what not every machine has, so that `-m` can leave them out or run them alone.

    Those that start programs or wait come first: at the end no worker is left alone with one of them.
    """
    items.sort(key=lambda item: FIRST.get(item.path.parent.name, len(FIRST)))
    for item in items:
        for fixture, mark in NEEDS.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(mark)


def pytest_collection_finish() -> None:
    """From here on there is garbage; the tests themselves are none, and not looked through any more."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the tests that were left out by their marks, just above the line that counts the others."""
    for mark in NEEDS.values():
        if f"not {mark}" in config.option.markexpr:
            terminalreporter.write_line(f"not run: tests marked {mark!r} (-m {mark} runs them alone)")


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder for sockets, whose paths have to be short: where the tests' other files are may be long."""
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def bubblewrap() -> None:
    """For tests that cage programs."""
    if shutil.which("bwrap") is None:
        not_run("bubblewrap is not installed: the cage's tests cannot be run")


@pytest.fixture(scope="session")
def wasi_compiler() -> list[str]:
    """The command that compiles C for WASI."""
    command = ["clang", "--target=wasm32-wasi", "--sysroot=/usr", "-O2"]
    if not (shutil.which("clang") and shutil.which("wasm-ld") and Path("/usr/include/wasm32-wasi").is_dir()):
        not_run("clang, lld and wasi-libc are not installed: C cannot be built for WASI")
    return command


@pytest.fixture(scope="session")
def nodejs() -> str:
    """The program of Node.js."""
    found = shutil.which("node")
    if found is None:
        not_run("Node.js is not installed: bots in JavaScript cannot be run")
    return found


@pytest.fixture
async def arena() -> "AsyncIterator[Arena]":
    """A node without a store."""
    from play_arena import running_arena

    async with running_arena() as node:
        yield node


@pytest.fixture
def arena_with() -> Callable[..., Any]:
    """A node without a store, of other limits."""
    from play_arena import running_arena

    from arena.stream.hub import Limits

    return lambda **limits: running_arena(Limits(**{"goodbye_ms": 500, **limits}))


@pytest.fixture
async def store(tmp_path: Path) -> "AsyncIterator[Store]":
    """An empty store on an embedded server."""
    from arena.store import Store

    async with await Store.open(tmp_path / "data", patience_s=60) as store:
        yield store
