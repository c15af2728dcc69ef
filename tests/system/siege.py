"""A league over all variants while strangers attack its node: it comes out as if nobody had.

`make siege`, or `python tests/system/siege.py [--rounds N]`: exit status 1 where anything was lost. Two leagues are
played: one over all variants, by house bots and by programs in cages, one by bots that are connected, through the proxy
of `deploy/haproxy.cfg`. They are played twice: undisturbed, and under attack (`siege_attacks.py`, a process for each
processor), one attack after another and all together. After each attack the same processes merely burn as much
processor time as it took, for as long: what is compared lies next to each other, in the same leagues.

What has to hold: every match is played, none is forfeited, and the tables are those of the undisturbed leagues; pages
are answered; the node's memory stays under 512 MiB, and its log under 10 MB and without a traceback; and under each
attack, and in all, it makes at least half as many decisions a second as while that time is burnt.
"""

import argparse
import http.client
import itertools
import json
import os
import re
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
MAX_MEMORY, MAX_LOG = 512 << 20, 10_000_000
MIN_SHARE = 0.5
PROCESSES = len(os.sched_getaffinity(0))
"""Of attackers."""
DECISIONS = re.compile(r'arena_decision_seconds_count\{.*share="bot"')
TRACEBACK = re.compile(rb"^Traceback", re.MULTILINE)
"""The node's own; what a bot has written is indented."""
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
    refused: list[str]
    attacks: list[str]
    phases: dict[str, "Phase"]
    """Of each attack."""
    burnt: dict[str, "Phase"]
    """Of what was burnt after each."""


class Phase(NamedTuple):
    """How long an attack went on, the decisions meanwhile, and the processor time that it took."""

    seconds: float = 0.0
    decisions: float = 0.0
    used_s: float = 0.0

    def plus(self, other: "Phase") -> "Phase":
        """Both together."""
        return Phase(*map(sum, zip(self, other, strict=True)))

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds if self.seconds else 0.0

    @property
    def share(self) -> float:
        """Processors that it took."""
        return self.used_s / self.seconds if self.seconds else 0.0


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

    def __init__(self, node: int, pages: str, metrics: str) -> None:
        super().__init__(daemon=True)
        self.memory, self.slowest, self.visits = 0, 0.0, 0
        self.refused: list[str] = []
        """Visits that were not answered with a page."""
        self.decisions: list[tuple[float, int]] = []
        """How many were made until when."""
        self._node, self._pages, self._metrics = psutil.Process(node), pages, metrics
        self._over = threading.Event()

    def run(self) -> None:
        """Look until it is over."""
        for path in self._paths():
            self._look()
            self.memory = max(self.memory, self._node.memory_info().rss)
            began = time.monotonic()
            connection = http.client.HTTPConnection(self._pages, timeout=60)
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            connection.close()
            if answer.status != 200:
                self.refused.append(f"{path}: {answer.status}")
            self.visits += 1
            self.slowest = max(self.slowest, time.monotonic() - began)
            self._look()
        self._look()

    def made_until(self, moment: float) -> float:
        """How many decisions there were then, between two looks in proportion."""
        before, after = (0.0, 0), (0.0, 0)
        for before, after in itertools.pairwise(self.decisions):
            if after[0] >= moment:
                share = (moment - before[0]) / (after[0] - before[0])
                return before[1] + min(max(share, 0.0), 1.0) * (after[1] - before[1])
        return float(after[1])

    def _look(self) -> None:
        connection = http.client.HTTPConnection(self._metrics, timeout=60)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
        connection.close()
        made = int(sum(float(line.split()[-1]) for line in lines if DECISIONS.match(line)))
        self.decisions.append((time.monotonic(), made))

    def _paths(self) -> Iterator[str]:
        while not self._over.wait(0.5):
            yield ("/", "/leagues/caged", "/leagues/connected", "/bots/greedy")[self.visits % 4]

    def end(self) -> None:
        """Stop looking."""
        self._over.set()
        self.join()


def phases(kind: str, lines: Sequence[str], watch: Watch, since: float, until: float) -> dict[str, Phase]:
    """What the attackers' lines of a kind tell, of the time while the leagues were played."""
    found: dict[str, Phase] = {}
    for line in lines:
        if line.startswith(f"{kind} "):
            _, name, began, ended, used = line.split()
            start, end = float(began), float(ended)
            if start < since or end > until:
                continue
            decisions = watch.made_until(end) - watch.made_until(start)
            one = Phase((end - start) / PROCESSES, decisions / PROCESSES, float(used))
            found[name] = found.get(name, Phase()).plus(one)
    return found


def play(folder: Path, rounds: int, *, attacked: bool = False) -> Played:
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
        serve = [
            ARENA,
            "serve",
            *(word for way in ("listen", "web", "metrics") for word in (f"--{way}", "127.0.0.1:0")),
        ]
        node = stack.enter_context(program(serve, log, folder))
        pages, address = found_in(log, "pages at http://"), found_in(log, "listening on ")
        metrics = found_in(log, "metrics at http://").removesuffix("/metrics")
        port = _free_port()
        # The proxy counts by address: honest bots have one that strangers do not have.
        public, honest = f"127.0.0.1:{port}", f"[::1]:{port}"
        proxy = {"ARENA_PUBLIC": f"{public},{honest}", "ARENA_NODE": address}
        proxy["ARENA_PROXY_SOCKET"] = str(folder / "proxy.sock")
        haproxy = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
        assert haproxy, "haproxy is needed: apt-get install haproxy"
        stack.enter_context(
            program([haproxy, "-f", ROOT / "deploy/haproxy.cfg"], folder / "proxy.log", folder, **proxy)
        )
        for name, token in tokens.items():
            where = {"ARENA_ADDRESS": honest, "ARENA_TOKEN": token, "PYTHONPATH": str(ROOT)}
            command = [sys.executable, "-m", "bots.random_bot"]
            stack.enter_context(program(command, folder / f"{name}.log", folder, **where))
        watch = Watch(node.pid, pages, metrics)
        watch.start()
        words = [sys.executable, HERE / "siege_attacks.py", public, pages, stranger, owner]
        for _ in range(PROCESSES if attacked else 0):
            stack.enter_context(program(words, attack_log, folder, PYTHONPATH=_PYTHONPATH))
        began = time.monotonic()
        for name in LEAGUES:
            done("league", "start", name, cwd=folder)
        while not all(league_is_over(folder, name=name) for name in LEAGUES):
            assert time.monotonic() - began < DEADLINE_S, "the leagues do not come to their end"
            time.sleep(1.0)
        seconds = time.monotonic() - began
        while attacked and "burnt all" not in attack_log.read_text():
            time.sleep(0.5)  # every attack has its turn, however quickly the leagues are over
        watch.end()
    tables = {name: document("league", "show", name, cwd=folder) for name in LEAGUES}
    attacks = attack_log.read_text(errors="replace").splitlines()
    both = (phases(kind, attacks, watch, began, began + seconds) for kind in ("was", "burnt"))
    seen = watch.slowest, watch.visits, watch.refused
    return Played(tables, seconds, watch.memory, log.read_bytes(), *seen, attacks, *both)


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def faults(quiet: Played, attacked: Played) -> Iterator[str]:
    """What does not hold."""
    for name in LEAGUES:
        if quiet.tables[name] != attacked.tables[name]:
            yield f"the tables of league {name} are not those of the undisturbed league"
        for division in attacked.tables[name]["divisions"]:
            forfeits = sum(row["forfeits"] for row in division["table"]["standings"])
            if forfeits:
                yield f"{name}, {division['variant']}: {forfeits} forfeits"
    yield from (f"a visitor was refused {page}" for page in attacked.refused)
    if attacked.memory > MAX_MEMORY:
        yield f"the node took {attacked.memory >> 20} MiB"
    if len(attacked.log) > MAX_LOG:
        yield f"the log has {len(attacked.log) / 1e6:.1f} MB"
    if found := TRACEBACK.search(attacked.log):
        yield f"the log has a traceback: {attacked.log[found.start() : found.start() + 3_000].decode(errors='replace')}"
    if {*attacked.phases} != {*attacked.burnt} or "all" not in attacked.phases:
        yield f"while the leagues were played there were not all attacks, but {', '.join(attacked.phases) or 'none'}"
    for name, phase, beside in compared(attacked):
        if phase.rate < MIN_SHARE * beside.rate:
            yield f"{name}: {phase.rate:.0f} decisions/s, and {beside.rate:.0f} while as much is burnt"
    yield from (line for line in attacked.attacks if line.startswith("FAILED "))


def compared(attacked: Played) -> Iterator[tuple[str, Phase, Phase]]:
    """Each attack with what was burnt after it, and their sums at last."""
    whole = Phase(), Phase()
    for name, phase in attacked.phases.items():
        beside = attacked.burnt.get(name, Phase())
        whole = whole[0].plus(phase), whole[1].plus(beside)
        yield name, phase, beside
    yield "in all", *whole


def main() -> int:
    """Play, attack, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
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
            f"{attacked.pages} pages, the slowest took {attacked.slowest_page_s:.2f} s",
            flush=True,
        )
        print(f"{'attack':<24} {'took':>5} {'burnt':>5} {'decisions/s':>12} {'burnt':>6}   (took: of a processor)")
        for name, phase, beside in compared(attacked):
            print(f"{name:<24} {phase.share:>5.2f} {beside.share:>5.2f} {phase.rate:>12.0f} {beside.rate:>6.0f}")
        found = [*faults(quiet, attacked)]
    for fault in found[:50]:
        print(f"FAULT: {fault}")
    print("the siege changed nothing" if not found else f"{len(found)} faults")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
