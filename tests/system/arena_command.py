"""The command line as a user has it: real processes in folders of their own."""

import asyncio
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import psutil
from preloaded import ARENA, Forked, start

from arena.store import Store

DEADLINE_S = 120.0
POLL_S = 0.1
"""How long `until` waits before it asks again."""


def arena(
    *arguments: str | Path,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    deadline_s: float = DEADLINE_S,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end: as a fork of the loaded program, or with what Python itself reads as users start it."""
    words = [str(ARENA), *map(str, arguments)]
    everything = {**os.environ, "COLUMNS": "120", **(env or {})}
    if of_python(env):
        return subprocess.run(
            words,
            cwd=cwd,
            env=everything,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=deadline_s,
            check=False,
        )
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        process = start(words, cwd, everything, stdout.fileno(), stderr.fileno())
        try:
            status = process.wait(deadline_s)
        finally:
            process.kill()
            process.wait()
        said = [file.read() for file in (stdout, stderr) if file.seek(0) == 0]
        return subprocess.CompletedProcess(words, status, *said)


def of_python(env: dict[str, str] | None) -> bool:
    """Whether an environment has something that Python reads when it starts."""
    return any(name.startswith("PYTHON") for name in env or {})


def done(*arguments: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a command that has to succeed; its standard output."""
    result = arena(*arguments, cwd=cwd, env=env)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def document(*arguments: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> dict[str, Any]:
    """Run a command that has to succeed with one JSON document, and nothing else, on its standard output."""
    found: dict[str, Any] = json.loads(done(*arguments, "--json", cwd=cwd, env=env))
    return found


def refused(*arguments: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None, status: int = 2) -> str:
    """Run a command that has to be refused with a word and no traceback; its standard error."""
    result = arena(*arguments, cwd=cwd, env=env)
    assert result.returncode == status, result.stdout + result.stderr
    assert "Traceback" not in result.stderr, result.stderr
    assert result.stderr.strip(), "it was refused without a word"
    return result.stderr


def until(condition: Callable[[], object], what: str) -> None:
    """Ask until a condition holds, of what tells nobody when it changes."""
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(POLL_S)


def standings_of(told: dict[str, Any], variant: str = "koikoi") -> list[dict[str, Any]]:
    """The rows of a division's table in what `league run --json` or `show --json` told."""
    [rows] = [one["table"]["standings"] for one in told["divisions"] if one["variant"] == variant]
    return list(rows)


def league_is_over(folder: Path, *where: str, name: str = "spring") -> bool:
    """Whether a league of the folder's store, or of another, is finished."""
    return bool(document("league", "show", name, *where, cwd=folder)["state"] == "finished")


class Running:
    """A command under way, whose output is read as it comes."""

    def __init__(self, process: subprocess.Popen[str] | Forked, output: IO[str]) -> None:
        self.process = process
        self._output = output
        self.lines: list[str] = []
        self._news = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._output:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def wait_for(self, pattern: str) -> re.Match[str]:
        """The first line that matches, from the first line on; fails when the command ends without one."""

        def found() -> re.Match[str] | None:
            return next((match for line in self.lines if (match := re.search(pattern, line))), None)

        with self._news:
            assert self._news.wait_for(lambda: found() or self._ended, DEADLINE_S), f"no {pattern!r} in {self.lines}"
            match = found()
        assert match, f"it ended without {pattern!r}: {self.lines}"
        return match

    def end(self) -> int:
        """Wait for the end; its exit status."""
        status = self.process.wait(DEADLINE_S)
        self._reader.join(DEADLINE_S)
        return status

    def close(self) -> None:
        """Kill it if it is still there, and close its output, which nobody reads any more."""
        self.process.kill()
        self.end()
        self._output.close()


def children(run: Running, name: str) -> list[psutil.Process]:
    """The processes of the run whose command line holds `name`."""
    return _named(psutil.Process(run.process.pid).children(recursive=True), name)


def processes(name: str) -> list[psutil.Process]:
    """All processes of the machine whose command line holds `name`."""
    return _named(psutil.process_iter(), name)


def _named(candidates: Iterable[psutil.Process], name: str) -> list[psutil.Process]:
    found = []
    for process in candidates:
        with suppress(psutil.NoSuchProcess):
            if any(name in part for part in process.cmdline()):
                found.append(process)
    return found


@contextmanager
def running(*arguments: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> Iterator[Running]:
    """Start an arena command as `arena` does; otherwise like `process_output`."""
    everything = {**os.environ, "COLUMNS": "120", **(env or {})}
    if of_python(env):
        with process_output([ARENA, *arguments], cwd=cwd, env=everything) as run:
            yield run
        return
    read, write = os.pipe()
    try:
        process = start([ARENA, *arguments], cwd, everything, write, write)
    finally:
        os.close(write)
    with open(read) as output:
        yield from _until_left(Running(process, output))


@contextmanager
def process_output(command: Sequence[str | Path], *, cwd: Path | None, env: dict[str, str]) -> Iterator[Running]:
    """Start a program, standard error joined to its output; it is killed if it is still there afterwards."""
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # A shell that runs the tests in the background has Ctrl-C ignored, and its children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    yield from _until_left(Running(process, process.stdout))


def _until_left(run: Running) -> Iterator[Running]:
    try:
        yield run
    finally:
        run.close()


def write_private(path: Path, text: str) -> Path:
    """Write a file that its owner alone can read; return its path."""
    path.touch(mode=0o600)
    path.write_text(text)
    return path


def private_copy(file: Path, folder: Path) -> Path:
    """Copy a file of the tests into a folder so that its owner alone can read it; return its path."""
    return write_private(folder / file.name, file.read_text())


def pages_port(run: Running) -> int:
    """The port on 127.0.0.1 at which a command serves pages, once it does."""
    return int(run.wait_for(r"pages at http://127\.0\.0\.1:(\d+)/")[1])


def league_file(
    folder: Path, bots: Sequence[str], *, name: str = "spring", rounds: int = 2, boards: int = 2, more: str = ""
) -> Path:
    """A league file with a fixed secret; each bot's entry is named after its place. Waits are not covered."""
    cover = "" if "cover_ms" in more else "cover_ms = 0\n"
    entries = "".join(f'    {{ name = "bot-{place}", bot = "{bot}" }},\n' for place, bot in enumerate(bots, start=1))
    file = folder / f"{name}.toml"
    file.write_text(
        f'name = "{name}"\nvariant = "koikoi"\nrounds = {rounds}\nboards = {boards}\n'
        f'secret = "{"5a" * 32}"\n{cover}{more}'
        f"entries = [\n{entries}]\n"
    )
    return file


def leases_of(folder: Path, seconds: float) -> None:
    """Make the leases of all leagues that the data folder will hold as long as `arena serve --lease` does."""

    async def keep() -> None:
        async with await Store.open(folder, lease_ms=round(1000 * seconds)):
            pass

    asyncio.run(keep())


def league_of_two_divisions(folder: Path, *, rounds: int = 2) -> Path:
    """The same with three house bots and one board, in a division of koikoi and one of sangohana."""
    file = league_file(folder, ["house:random", "house:greedy", "house:random"], rounds=rounds, boards=1)
    text = file.read_text().replace('variant = "koikoi"\n', "")
    koikoi = '[[divisions]]\nvariant = "koikoi"\noptions = { months = 1 }\n'
    file.write_text(f'{text}\n{koikoi}\n[[divisions]]\nvariant = "sangohana"\n')
    return file
