"""The SDK needs nothing of the arena but the stubs."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOADED = "import arena.sdk, arena.sdk.testing, arena.sdk.koikoi_ai, sys; print('\\n'.join(sys.modules))"


def test_the_sdk_loads_the_stubs_and_nothing_else_of_the_arena() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    own = {name for name in loaded if name.split(".")[0] in ("arena", "core_ext", "bots", "benchmarks")}
    assert own
    assert {name for name in own if name != "arena" and not name.startswith("arena.sdk")} == set()
    assert not {"redis", "grpc", "asyncio", "msgspec", "numpy", "typer", "uvloop"} & set(loaded)


def test_the_starting_point_passes_its_own_test(tmp_path: Path) -> None:
    for template in (ROOT / "arena/sdk/template").glob("*.py"):
        (tmp_path / template.name).write_bytes(template.read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_a_bot_plays_on_where_what_it_says_cannot_be_written() -> None:
    command = [sys.executable, "-c", "from arena.sdk.program import say; say('one'); say('two'); print('plays on')"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=full, check=False)
    assert done.stdout == b"plays on\n"
