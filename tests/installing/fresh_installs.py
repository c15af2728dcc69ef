"""Install the arena as strangers do, with every Python from 3.11 to 3.13 that is found: `make install-check`.

From a checkout and from the sdist, by pip, `pip wheel`, pipx and uv, into environments of nothing but that tool, where
the build has an environment of its own too. Each installed arena plays a match. Prints a line for each, and the Pythons
that are missing; exit status 1 when one fails.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).parent / "uv"
PYTHONS = ("3.11", "3.12", "3.13")
MATCH = ("match", "play", "house:greedy", "house:random", "--variant", "koikoi", "--seed", "7")

Way = Callable[[Path, str, Path], Path]
"""Installs what is at the first path with that Python, in the folder of the second; the program `arena`."""


def main() -> int:
    """Try every way with the first Python, and `pip wheel` with the others; how many have failed."""
    failed = 0
    with tempfile.TemporaryDirectory(prefix="installs-") as name:
        folder = Path(name)
        checkout = _checkout(folder / "checkout")
        _run(UV, "build", "--system-certs", "--quiet", "--sdist", "--out-dir", folder / "dist", checkout)
        [sdist] = (folder / "dist").glob("*.tar.gz")
        found = {version: path for version in PYTHONS if (path := _python(version))}
        for title, way, source, version in _cases(checkout, sdist, list(found)):
            place = folder / title.replace(" ", "-").replace("/", "-")
            place.mkdir()
            try:
                program = way(source, found[version], place)
                _run(program, *MATCH, cwd=place)
            except subprocess.CalledProcessError as error:
                failed += 1
                print(f"FAILED  {title}\n{error.stdout}{error.stderr}")
            else:
                print(f"ok      {title}", flush=True)
    for version in PYTHONS:
        if version not in found:
            print(f"not run: Python {version} is not installed")
    return 1 if failed else 0


def _cases(checkout: Path, sdist: Path, versions: list[str]) -> Iterator[tuple[str, Way, Path, str]]:
    first, *others = versions
    yield f"pip install CHECKOUT, Python {first}", _pip, checkout, first
    yield f"pip install SDIST, Python {first}", _pip, sdist, first
    yield f"pipx install CHECKOUT, Python {first}", _pipx, checkout, first
    yield f"uv tool install CHECKOUT, Python {first}", _uv_tool, checkout, first
    for version in (first, *others):
        yield f"pip wheel CHECKOUT, Python {version}", _pip_wheel, checkout, version


def _pip(source: Path, python: str, folder: Path) -> Path:
    _run(python, "-m", "venv", folder / "venv")
    _run(folder / "venv/bin/pip", "install", "--quiet", source)
    return folder / "venv/bin/arena"


def _pip_wheel(source: Path, python: str, folder: Path) -> Path:
    _run(python, "-m", "venv", folder / "venv")
    _run(folder / "venv/bin/pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder / "dist", source)
    [wheel] = (folder / "dist").glob("*.whl")
    _run(folder / "venv/bin/pip", "install", "--quiet", "--only-binary", ":all:", wheel)
    return folder / "venv/bin/arena"


def _pipx(source: Path, python: str, folder: Path) -> Path:
    _run(sys.executable, "-m", "venv", folder / "pipx")
    _run(folder / "pipx/bin/pip", "install", "--quiet", "pipx")
    homes = {"PIPX_HOME": str(folder / "home"), "PIPX_BIN_DIR": str(folder / "bin")}
    _run(folder / "pipx/bin/pipx", "install", "--python", python, source, env=homes)
    return folder / "bin/arena"


def _uv_tool(source: Path, python: str, folder: Path) -> Path:
    homes = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    _run(UV, "tool", "install", "--quiet", "--system-certs", "--python", python, source, env=homes)
    return folder / "bin/arena"


def _checkout(folder: Path) -> Path:
    """The files that git has, as a clone has them, with the changes of the tree."""
    listed = _run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def _python(version: str) -> str | None:
    """An interpreter of this version that can make virtual environments; None where there is none."""
    installed = Path.home() / ".pyenv/versions"
    candidates = [shutil.which(f"python{version}"), *map(str, installed.glob(f"{version}.*/bin/python"))]
    probe = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    for candidate in filter(None, candidates):
        done = subprocess.run([candidate, "-c", probe], capture_output=True, text=True, check=False)
        if done.stdout.strip() == version:
            return candidate
    return None


def _run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a command outside of this process's virtual environment; its output. CalledProcessError."""
    outside = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env={**outside, **(env or {})}, capture_output=True, text=True, check=True
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
