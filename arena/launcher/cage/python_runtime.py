"""The runtime `python`: the interpreter that runs the arena, its standard library, the SDK and NumPy."""

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.program import LIBRARIES, PYTHON, Bind, Runtime

_PACKAGES = ("arena.sdk", "hanafuda", "google.protobuf", "google._upb", "numpy")
_PRELOADED = ("arena.sdk", "numpy")
SITE = "/usr/lib/arena"
"""Where its packages are, in the cage."""
_HIDDEN = ("site-packages", "dist-packages", "test", "idlelib", "turtledemo", "ensurepip", "tkinter")
"""Of the standard library's folder: other people's packages, and what a bot has no use for."""
_UNLINKED = (
    "_crypt",
    "_curses",
    "_dbm",
    "_gdbm",
    "_hashlib",
    "_ssl",
    "_test",
    "_tkinter",
    "nis",
    "ossaudiodev",
    "readline",
)
"""Extension modules without their libraries: for terminals, windows and networks. hashlib does without OpenSSL."""
_VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
_LINKED = re.compile(r"^\t(?:(?P<name>\S+) => )?(?P<path>/\S+) \(0x", re.MULTILINE)


def python_runtime() -> Runtime:
    """The runtime, as this process's own interpreter and packages have it. Raises NoCageError."""
    names = tuple(sorted({package.split(".")[0] for package in _PACKAGES}))
    return replace(interpreter("python", _PACKAGES), preloaded=_PRELOADED, packages=names)


def interpreter(name: str, packages: Iterable[str]) -> Runtime:
    """A runtime of this process's own interpreter with some of its packages. Raises NoCageError."""
    executable = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    library = Path(sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix}))
    folders = {place: source for package in packages for place, source in _places(package)}
    dynload = library / "lib-dynload"
    extensions = {
        dynload: [extension for extension in dynload.glob("*.so") if not extension.name.startswith(_UNLINKED)]
    }
    extensions |= {folder: list(folder.rglob("*.so")) for folder in folders.values() if folder.is_dir()}
    loader, libraries = _linked_with(executable, extensions, list(folders.values()))
    return Runtime(
        name,
        (
            Bind(executable, f"/usr/bin/{_VERSION}"),
            Bind(library, f"/usr/lib/{_VERSION}", _HIDDEN),
            Bind(loader.resolve(), str(loader)),
            *(Bind(source, f"{SITE}/{place}") for place, source in folders.items()),
        ),
        libraries,
        links=((PYTHON, _VERSION), ("/usr/bin/python3", _VERSION)),
        environment=(
            ("PYTHONPATH", SITE),
            ("PYTHONHOME", "/usr"),
            ("PYTHONDONTWRITEBYTECODE", "1"),
            # What a set's order may depend on is the same whenever a match is played again.
            ("PYTHONHASHSEED", "0"),
            ("LD_LIBRARY_PATH", LIBRARIES),
            ("OPENBLAS_NUM_THREADS", "1"),
        ),
        command=(PYTHON,),
    )


def _places(name: str) -> Iterator[tuple[str, Path]]:
    """Where a package is seen under the folder of packages, and where it is on this machine."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise NoCageError(f"the runtime python needs the package {name}, which is not installed")
    folder = next(Path(location) for location in spec.submodule_search_locations if Path(location).is_dir())
    yield name.replace(".", "/"), folder
    if (init := folder.parent / "__init__.py").is_file() and "." in name:
        yield f"{name.split('.')[0]}/__init__.py", init
    if (libraries := folder.parent / f"{name}.libs").is_dir():
        yield f"{name}.libs", libraries


def _linked_with(
    executable: Path, extensions: Mapping[Path, Iterable[Path]], present: Iterable[Path]
) -> tuple[Path, tuple[Path, ...]]:
    """Return a program's loader, and the shared libraries that it and its extension modules, by folder, need.

    Libraries in the `present` folders are left out. Raises NoCageError.
    """
    loader, libraries = None, {}
    for folder, modules in extensions.items():
        # The loader lists, as for ldd, what it would load, of all modules at once. It splits their names at spaces.
        names = " ".join(f"./{module.relative_to(folder)}" for module in modules)
        output = subprocess.run(  # noqa: S603
            [executable, "-c", ""],
            cwd=folder,
            env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1", "LD_PRELOAD": names},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for linked in _LINKED.finditer(output):
            path = Path(linked["path"])
            if not linked["name"]:
                loader = path
            elif not any(path.is_relative_to(folder) for folder in present):
                libraries[linked["name"]] = path
    if loader is None:
        raise NoCageError(f"the loader does not say what {executable} is linked with")
    return loader, tuple(libraries.values())
