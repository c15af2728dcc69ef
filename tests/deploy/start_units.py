"""The units, started by systemd: `python tests/deploy/start_units.py [--root DIR] [-- OPTIONS]`.

In a Debian of their own, as root, with debootstrap and systemd-nspawn (Debian's systemd-container). The wheel in `dist`
is installed there into /opt/arena, as the units have it; what follows `--` is for the container in which pip does that:
how it reaches its index from there, as `--bind-ro=FILE`. `--root` keeps the Debian for the next time. Takes minutes.

The node has to be ready, to find that its cage holds, and to play a league with a bot that was sent in and one that
another unit keeps; a backup has to be one that can be restored; and a stop has to be a good end of each unit.
"""

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
from start_containers import DEBIAN, ROOT, run, until

UNITS = ROOT / "deploy" / "systemd"
_PACKAGES = "systemd,systemd-sysv,dbus,python3,python3-venv,bubblewrap,ca-certificates"
_ARENA = "/opt/arena/bin/arena"
_DATA = "/var/lib/private/arena"
_SETTINGS = """\
[serve]
listen = ["127.0.0.1:7777"]
metrics = "127.0.0.1:9100"
"""
_LEAGUE = """\
name = "spring"
variant = "koikoi"
rounds = 1
boards = 2
entries = ["mine", "house:greedy"]
"""
_READY = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:9100/readyz').status)"


def make_root(root: Path, options: Sequence[str]) -> None:
    """Install Debian and, in it, the arena."""
    [wheel] = (ROOT / "dist").glob("hanafuda_arena-*.whl")
    if not (root / "usr").exists():
        run("debootstrap", "--variant=minbase", f"--include={_PACKAGES}", DEBIAN, root)
    for file in (wheel, ROOT / "constraints.txt"):
        shutil.copy(file, root / "root")
    install = f"python3 -m venv /opt/arena && /opt/arena/bin/pip install -q -c /root/constraints.txt /root/{wheel.name}"
    run("systemd-nspawn", "-q", "-D", root, "--register=no", "--keep-unit", *options, "sh", "-c", install)
    for unit in UNITS.iterdir():
        shutil.copy(unit, root / "etc" / "systemd" / "system")
    (root / "etc" / "arena" / "bots").mkdir(parents=True, exist_ok=True)
    (root / "etc" / "arena" / "arena.toml").write_text(_SETTINGS)
    for folder in ("var/backups/arena", "srv/bots"):
        (root / folder).mkdir(parents=True, exist_ok=True)


class Machine:
    """A machine that systemd has started; commands run in it as root."""

    def __init__(self, leader: int) -> None:
        self._leader = leader

    def run(self, *command: str, given: str | None = None) -> str:
        """What a program prints; it ends with status 0, or this program does not."""
        return run("nsenter", "-t", str(self._leader), "-a", "env", "HOME=/root", *command, given=given)

    def arena(self, *arguments: str, given: str | None = None) -> str:
        """The same of the arena, beside the node."""
        return self.run(_ARENA, *arguments, "--data", _DATA, given=given)

    def answers(self, *command: str) -> str:
        """What a program prints, whatever its status."""
        done = subprocess.run(
            ("nsenter", "-t", str(self._leader), "-a", *command), capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    def journal(self, unit: str) -> str:
        """What a unit has written."""
        return self.answers("journalctl", "--no-pager", "-u", unit)


@contextmanager
def started(root: Path) -> Iterator[Machine]:
    """The machine, while the body runs."""
    command = ("systemd-nspawn", "-q", "-D", root, "-b", "--register=no", "--keep-unit", "--console=pipe")
    with (root / "console.log").open("wb") as log:
        container = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        until(lambda: psutil.Process(container.pid).children(), "systemd is started")
        machine = Machine(psutil.Process(container.pid).children()[0].pid)
        until(lambda: machine.answers("systemctl", "is-system-running") in ("running", "degraded"), "it is up")
        yield machine
    finally:
        container.send_signal(signal.SIGTERM)
        container.wait(60)


def check_node(machine: Machine) -> None:
    """Start the node."""
    machine.run("systemctl", "start", "arena")
    until(lambda: machine.answers("/opt/arena/bin/python", "-c", _READY) == "200", "the node is ready")
    until(lambda: "the cage: it holds" in machine.journal("arena"), "its cage holds")


def check_league(machine: Machine, root: Path) -> None:
    """Keep one bot by its unit, send in another, and let them play."""
    token = machine.arena("owner", "create", "alice").strip()
    for name in ("kept", "mine"):
        machine.run(_ARENA, "bot", "new", f"/srv/bots/{name}")
    _keep_secret(root / "root" / "alice.token", token)
    server = ("--server", "127.0.0.1:7777", "--token", "@/root/alice.token")
    machine.run(_ARENA, "bot", "submit", "/srv/bots/mine", "--activate", *server)
    kept = machine.arena("bot", "create", "kept", "--owner", "alice").strip()
    for name, content in (("kept.token", kept), ("kept.env", "ARENA_SERVER=127.0.0.1:7777")):
        _keep_secret(root / "etc" / "arena" / "bots" / name, content)
    machine.run("systemctl", "start", "arena-bot@kept")
    until(lambda: "connected" in machine.journal("arena-bot@kept"), "the kept bot is connected")
    (root / "root" / "spring.toml").write_text(_LEAGUE)
    machine.arena("league", "open", "/root/spring.toml")
    machine.arena("league", "start", "spring")
    until(
        lambda: json.loads(machine.arena("league", "show", "spring", "--json"))["state"] == "finished",
        "a league with the bot that was sent in is played",
    )


def _keep_secret(file: Path, content: str) -> None:
    file.write_text(content + "\n")
    file.chmod(0o600)


def check_backup(machine: Machine) -> None:
    """Write a backup by its unit, and restore it."""
    machine.run("systemctl", "start", "arena-backup")
    [backup] = machine.run("sh", "-c", "ls /var/backups/arena/*.backup").split()
    machine.run(_ARENA, "restore", backup, "--data", "/root/copy")
    copy = machine.run(_ARENA, "league", "show", "spring", "--json", "--data", "/root/copy")
    assert json.loads(copy)["state"] == "finished"
    print("   a backup is written and restored", flush=True)


def check_stop(machine: Machine) -> None:
    """Stop both units."""
    for unit in ("arena-bot@kept", "arena"):
        machine.run("systemctl", "stop", unit)
        ended = machine.answers("systemctl", "show", unit, "-p", "Result", "--value")
        assert ended == "success", f"{unit}: {ended}\n{machine.journal(unit)}"
        print(f"   {unit} is stopped", flush=True)


def main() -> None:
    """Install, and start."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path)
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="units-") as made:
        root = given.root or Path(made)
        make_root(root, given.options)
        with started(root) as machine:
            check_node(machine)
            check_league(machine, root)
            check_backup(machine)
            check_stop(machine)


if __name__ == "__main__":
    sys.exit(main())
