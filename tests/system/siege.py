"""A league over all variants while strangers attack its node: it comes out as if nobody had.

`make siege`, or `python tests/system/siege.py [--rounds N]`: exit status 1 where anything was lost. Two leagues are
played: one over all variants, by house bots and by programs in cages, one by bots that are connected, through the proxy
of `deploy/haproxy.cfg`. They are played three times: undisturbed; under attack (`siege_attacks.py`), one attack after
another and all together; and beside a process that merely burns as much processor time as the attackers took.

What has to hold: every match is played, none is forfeited, and the tables are those of the undisturbed leagues; pages
are answered; the node's memory stays under 512 MiB, and its log under 10 MB and without a traceback; and it makes at
least half as many decisions a second as beside the process that burns.
"""

import argparse
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from arena_command import ARENA, document, done, league_is_over
from bots_in_tests import CHOOSES

from core_ext import VARIANTS

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
MOST_MEMORY, MOST_LOG = 512 << 20, 10_000_000
LEAST_SHARE = 0.5
DEADLINE_S = 1_800.0
CONNECTED = ("ann", "bea", "cid", "dan")
LEAGUES = ("caged", "connected")
_PYTHONPATH = os.pathsep.join(map(str, (ROOT, *(ROOT / "tests" / part for part in ("", "store", "stream", "system")))))
_LAST = CHOOSES.format(choose="return decision.random.choice(decision.legal)")


class Played(NamedTuple):
    """How a run of the leagues went."""

    tables: dict[str, Any]
    seconds: float
    memory: int
    log: bytes
    slowest_page_s: float
    pages: int
    attackers_s: float
    attacks: list[str]


def league_files(folder: Path, rounds: int) -> list[Path]:
    """The files of both leagues."""
    (folder / "one.py").write_text(_LAST)
    (folder / "two.py").write_text(_LAST)
    head = f'secret = "{"5a" * 32}"\nper_decision_ms = 60000\nreconnect_ms = 60000\ncover_ms = 0\nrounds = {rounds}\n'
    divisions = "".join(f'\n[[divisions]]\nvariant = "{variant}"\n' for variant in VARIANTS)
    entries = 'entries = ["./one.py", "./two.py", "house:greedy", "house:random"]\n'
    files = [folder / f"{name}.toml" for name in LEAGUES]
    files[0].write_text(f'name = "caged"\nboards = 1\n{head}{entries}{divisions}')
    files[1].write_text(
        f'name = "connected"\nboard_sets = "field"\nboards = 4\n{head}entries = {json.dumps(CONNECTED)}\n'
        '\n[[divisions]]\nvariant = "koikoi"\n\n[[divisions]]\nvariant = "kyogi"\n'
    )
    return files


@contextmanager
def program(command: Sequence[str | Path], log: Path, cwd: Path, **env: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A program while the body runs, which is ended afterwards."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def found_in(log: Path, words: str) -> str:
    """What follows the words in a log, once they are there."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for line in log.read_text(errors="replace").splitlines():
            if words in line:
                return line.partition(words)[2].split()[0].rstrip("/")
        time.sleep(0.1)
    raise AssertionError(f"no {words!r} in {log.read_text(errors='replace')}")


class Watch(threading.Thread):
    """Visits the pages, and looks at the node's memory."""

    def __init__(self, node: int, pages: str) -> None:
        super().__init__(daemon=True)
        self.memory, self.slowest, self.visits = 0, 0.0, 0
        self._node, self._pages = psutil.Process(node), pages
        self._over = threading.Event()

    def run(self) -> None:
        """Look until it is over."""
        for path in self._paths():
            self.memory = max(self.memory, self._node.memory_info().rss)
            began = time.monotonic()
            connection = http.client.HTTPConnection(self._pages, timeout=60)
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            connection.close()
            assert answer.status == 200, f"{path}: {answer.status}"
            self.visits += 1
            self.slowest = max(self.slowest, time.monotonic() - began)

    def _paths(self) -> Iterator[str]:
        while not self._over.wait(0.5):
            yield ("/", "/leagues/caged", "/leagues/connected", "/bots/greedy")[self.visits % 4]

    def end(self) -> None:
        """Stop looking."""
        self._over.set()
        self.join()


def play(folder: Path, rounds: int, *, attacked: bool = False, burn: float = 0.0) -> Played:
    """Play both leagues on a node of their own."""
    folder.mkdir()
    files = league_files(folder, rounds)
    tokens = {name: done("bot", "create", name, cwd=folder).strip() for name in CONNECTED}
    owner = done("owner", "create", "mallory", cwd=folder).strip()
    stranger = done("bot", "create", "crane", "--owner", "mallory", cwd=folder).strip()
    for file in files:
        done("league", "open", file, cwd=folder)
    log, attack_log = folder / "node.log", folder / "attack.log"
    attack_log.touch()
    with ExitStack() as stack:
        serve = [ARENA, "serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0"]
        node = stack.enter_context(program(serve, log, folder))
        pages, address = found_in(log, "pages at http://"), found_in(log, "listening on ")
        public = f"127.0.0.1:{_free_port()}"
        proxy = {"ARENA_PUBLIC": public, "ARENA_NODE": address, "ARENA_PROXY_SOCKET": str(folder / "proxy.sock")}
        haproxy = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
        assert haproxy, "haproxy is needed: apt-get install haproxy"
        stack.enter_context(
            program([haproxy, "-f", ROOT / "deploy/haproxy.cfg"], folder / "proxy.log", folder, **proxy)
        )
        for name, token in tokens.items():
            where = {"ARENA_ADDRESS": public, "ARENA_TOKEN": token, "PYTHONPATH": str(ROOT)}
            command = [sys.executable, "-m", "bots.random_bot"]
            stack.enter_context(program(command, folder / f"{name}.log", folder, **where))
        attackers: list[psutil.Process] = []
        if attacked:
            words = [sys.executable, HERE / "siege_attacks.py", public, pages, stranger, owner]
            attack = stack.enter_context(program(words, attack_log, folder, PYTHONPATH=_PYTHONPATH))
            attackers.append(psutil.Process(attack.pid))
        if burn:
            burner = (
                f"import time\nwhile 1:\n t = time.process_time() + {burn / 50}\n while time.process_time() < t: 0\n"
            )
            burner += f" time.sleep({max(0.0, 1 - burn) / 50})"
            stack.enter_context(program([sys.executable, "-c", burner], folder / "burn.log", folder))
        watch = Watch(node.pid, pages)
        watch.start()
        began = time.monotonic()
        for name in LEAGUES:
            done("league", "start", name, cwd=folder)
        while not all(league_is_over(folder, name=name) for name in LEAGUES):
            assert time.monotonic() - began < DEADLINE_S, "the leagues do not come to their end"
            time.sleep(1.0)
        seconds = time.monotonic() - began
        while attacked and "was all" not in attack_log.read_text():
            time.sleep(0.5)  # every attack has its turn, however quickly the leagues are over
        took = sum(sum(process.cpu_times()[:2]) for process in attackers) / (time.monotonic() - began)
        watch.end()
    tables = {name: document("league", "show", name, cwd=folder) for name in LEAGUES}
    attacks = attack_log.read_text(errors="replace").splitlines()
    return Played(tables, seconds, watch.memory, log.read_bytes(), watch.slowest, watch.visits, took, attacks)


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def faults(quiet: Played, attacked: Played, burnt: Played) -> Iterator[str]:
    """What does not hold."""
    for name in LEAGUES:
        if quiet.tables[name] != attacked.tables[name]:
            yield f"the tables of league {name} are not those of the undisturbed league"
        for division in attacked.tables[name]["divisions"]:
            forfeits = sum(row["forfeits"] for row in division["table"]["standings"])
            if forfeits:
                yield f"{name}, {division['variant']}: {forfeits} forfeits"
    if attacked.memory > MOST_MEMORY:
        yield f"the node took {attacked.memory >> 20} MiB"
    if len(attacked.log) > MOST_LOG:
        yield f"the log has {len(attacked.log) / 1e6:.1f} MB"
    if b"Traceback" in attacked.log:
        yield "the log has a traceback"
    if burnt.seconds / attacked.seconds < LEAST_SHARE:
        yield f"it played at {burnt.seconds / attacked.seconds:.2f} of its speed beside a process that burns as much"
    yield from (line for line in attacked.attacks if line.startswith("FAILED "))


def main() -> int:
    """Play, attack, burn, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="hanafuda-siege-") as place:
        folder = Path(place)
        quiet = play(folder / "quiet", rounds)
        print(
            f"undisturbed: {quiet.seconds:.0f} s, {quiet.memory >> 20} MiB; {quiet.pages} pages, "
            f"the slowest took {quiet.slowest_page_s:.2f} s",
            flush=True,
        )
        attacked = play(folder / "attacked", rounds, attacked=True)
        print(
            f"under attack: {attacked.seconds:.0f} s, {attacked.memory >> 20} MiB, "
            f"log {len(attacked.log) / 1e6:.2f} MB; "
            f"{attacked.pages} pages, the slowest took {attacked.slowest_page_s:.2f} s; the attackers took "
            f"{attacked.attackers_s:.2f} processors; {len(attacked.attacks)} lines of attacks",
            flush=True,
        )
        burnt = play(folder / "burnt", rounds, burn=min(attacked.attackers_s, 1.0))
        print(f"beside as much processor time: {burnt.seconds:.0f} s", flush=True)
        found = [*faults(quiet, attacked, burnt)]
    for fault in found[:50]:
        print(f"FAULT: {fault}")
    print("the siege changed nothing" if not found else f"{len(found)} faults")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
