"""The direction of imports: what may name what."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Each layer and the project's own packages that it may import besides itself. The longest matching name decides.
ALLOWED: dict[str, set[str]] = {
    "core_ext": set(),
    "arena.challenges": set(),
    "arena.logs": {"arena.metrics"},
    "arena.metrics": set(),
    "arena.names": set(),
    "arena.printable": set(),
    "arena.private_files": set(),
    "arena.processes": set(),
    "arena.scratch": set(),
    "arena.signatures": set(),
    "arena.league": {"core_ext", "arena.names"},
    "arena.packs": {"core_ext", "arena.names", "arena.scratch"},
    "arena.match": {"core_ext"},
    "arena.sdk": {"hanafuda"},
    "arena.wire": {"core_ext", "hanafuda", "arena.match"},
    "arena.replays": {"arena.signatures", "core_ext", "hanafuda", "arena.match", "arena.wire"},
    "arena.store": {
        "arena.challenges",
        "arena.logs",
        "arena.metrics",
        "arena.names",
        "arena.private_files",
        "arena.processes",
    },
    "arena.seats": {"core_ext", "hanafuda", "arena.match", "arena.sdk", "arena.wire"},
    "arena.remote": {"hanafuda", "arena.packs", "arena.sdk"},
    "arena.submissions": {
        "core_ext",
        "bots",
        "arena.launcher",
        "arena.match",
        "arena.packs",
        "arena.scratch",
        "arena.seats",
        "arena.store",
        "arena.stream",
    },
    "arena.envs": {"core_ext", "bots", "arena.match", "arena.sdk", "arena.seats", "arena.strength"},
    "arena.strength": {"core_ext"},
    "arena.analysis": {
        "core_ext",
        "arena.match",
        "arena.replays",
        "arena.sdk",
        "arena.seats",
        "arena.strength",
    },
    "arena.export": {"core_ext", "arena.match", "arena.replays", "arena.store"},
    "arena.export.tensor_shape": {"core_ext", "arena.sdk"},
    "arena.export.tensors": {"core_ext", "arena.export", "arena.replays", "arena.sdk"},
    "arena.export.remote": {"hanafuda", "arena.export", "arena.remote"},
    "arena.runner": {
        "core_ext",
        "hanafuda",
        "arena.printable",
        "arena.processes",
        "arena.remote",
        "arena.replays",
        "arena.sdk",
        "arena.wire",
    },
    "arena.tuning": {
        "bots",
        "core_ext",
        "arena.analysis",
        "arena.match",
        "arena.processes",
        "arena.sdk",
        "arena.simulate",
        "arena.sprt",
        "arena.strength",
    },
    "arena.simulate": {"core_ext", "arena.match", "arena.seats", "arena.sdk"},
    "arena.rpc": {"arena.logs", "arena.metrics", "arena.store"},
    "arena.playing": {
        "core_ext",
        "bots",
        "arena.league",
        "arena.match",
        "arena.replays",
        "arena.sdk",
        "arena.seats",
        "arena.simulate",
        "arena.sprt",
        "arena.web.report",
        "arena.web.viewer.alone",
        "arena.web.viewer.animation",
    },
    "arena.stream": {
        "core_ext",
        "hanafuda",
        "arena.match",
        "arena.printable",
        "arena.rpc",
        "arena.seats",
        "arena.wire",
    },
    "arena.launcher": {
        "bots",
        "arena.match",
        "arena.metrics",
        "arena.printable",
        "arena.processes",
        "arena.rpc",
        "arena.scratch",
        "arena.seats",
        "arena.stream",
        "arena.packs",
    },
    "arena.organizer": {
        "arena.analysis",
        "arena.logs",
        "arena.processes",
        "arena.replays",
        "core_ext",
        "arena.launcher",
        "arena.league",
        "arena.match",
        "arena.names",
        "arena.store",
        "arena.submissions.record",
    },
    "arena.submissions.record": {"arena.packs", "arena.store"},
    "arena.cluster": {
        "hanafuda",
        "arena.match",
        "arena.rpc",
        "arena.seats",
        "arena.store",
        "arena.stream",
        "arena.wire",
    },
    "arena.services": {
        "arena.challenges",
        "arena.names",
        "arena.signatures",
        "core_ext",
        "hanafuda",
        "arena.cluster",
        "arena.export",
        "arena.launcher",
        "arena.league",
        "arena.match",
        "arena.organizer",
        "arena.packs",
        "arena.replays",
        "arena.rpc",
        "arena.seats.errors",
        "arena.seats.watched",
        "arena.store",
        "arena.stream",
        "arena.submissions",
        "arena.wire",
    },
    "arena.node": {
        "arena.league.errors",
        "arena.logs",
        "arena.processes",
        "arena.signatures",
        "bots",
        "arena.cluster",
        "arena.launcher",
        "arena.match",
        "arena.metrics",
        "arena.organizer",
        "arena.packs",
        "arena.replays",
        "arena.rpc",
        "arena.scratch",
        "arena.sdk",
        "arena.seats",
        "arena.services",
        "arena.store",
        "arena.stream",
        "arena.submissions",
    },
    "arena.proof": {
        "arena.wire",
        "core_ext",
        "arena.league",
        "arena.organizer",
        "arena.processes",
        "arena.replays",
        "arena.signatures",
        "arena.store",
    },
    "arena.sprt": {
        "core_ext",
        "arena.analysis",
        "arena.launcher",
        "arena.league",
        "arena.match",
        "arena.node",
        "arena.replays",
        "arena.stream",
        "arena.submissions",
    },
    "arena.conformance": {
        "bots",
        "core_ext",
        "arena.launcher",
        "arena.match",
        "arena.node",
        "arena.rpc",
        "arena.scratch",
        "arena.seats",
        "arena.stream",
    },
    "arena.status": {"arena.metrics", "arena.store"},
    "arena.web": {
        "arena.analysis",
        "arena.names",
        "arena.metrics",
        "arena.printable",
        "arena.processes",
        "bots",
        "core_ext",
        "arena.export",
        "arena.launcher",
        "arena.league",
        "arena.match",
        "arena.organizer",
        "arena.replays",
        "arena.sdk",
        "arena.seats",
        "arena.signatures",
        "arena.store",
        "arena.submissions.record",
        "arena.wire",
    },
    "arena.web.lesson": {
        "arena.analysis",
        "arena.league",
        "arena.match",
        "arena.replays",
        "arena.sdk",
        "arena.seats",
        "arena.strength",
        "arena.web",
        "core_ext",
    },
    "arena.bench": {"core_ext", "hanafuda", "bots", "arena"},
    "arena.cli": {"core_ext", "hanafuda", "bots", "arena"},
    "bots": {"core_ext", "hanafuda", "arena.sdk", "arena.strength", "arena.wire"},
    "benchmarks": {"core_ext", "hanafuda", "bots", "arena"},
}
OWN = {"core_ext", "arena", "bots", "benchmarks", "hanafuda"}


def modules() -> list[tuple[str, Path]]:
    """Every module of the project with its dotted name."""
    found = []
    for top in ("core_ext", "arena", "bots", "benchmarks"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def layer_of(module: str) -> str | None:
    """The layer that a module belongs to, or None for the bare top packages."""
    return max((name for name in ALLOWED if module == name or module.startswith(name + ".")), key=len, default=None)


@cache
def named_by(path: Path) -> frozenset[str]:
    """What a file imports, wherever in the file."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


def imports_of(path: Path) -> set[str]:
    """The project's own modules that a file imports."""
    return {name for name in named_by(path) if name.split(".")[0] in OWN}


def package_of(module: str) -> str:
    """The package that docs/architecture.md lists, of a module or of a name in it."""
    words = module.split(".")
    return ".".join(words[:2]) if words[0] == "arena" else words[0]


def within(name: str, package: str) -> bool:
    """Whether a dotted name is the package or lies in it."""
    return name == package or name.startswith(package + ".")


def test_the_modules_of_the_project_are_found() -> None:
    assert len(modules()) > 20


@pytest.mark.parametrize(("module", "path"), modules(), ids=[name for name, _ in modules()])
def test_imports_run_one_way(module: str, path: Path) -> None:
    layer = layer_of(module)
    if layer is None:
        assert not imports_of(path), "a bare package imports nothing of the project"
        return
    for name in imports_of(path):
        allowed = ALLOWED[layer] | {layer}
        assert any(within(name, package) for package in allowed), f"{layer} may not import {name}"


def test_no_file_imports_itself_by_way_of_others() -> None:
    files = {module for module, _ in modules()}
    graph = {}
    for module, path in modules():
        named = {name if name in files else name.rpartition(".")[0] for name in imports_of(path)}
        graph[module] = named & files
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_no_package_imports_itself_by_way_of_others() -> None:
    graph: dict[str, set[str]] = {}
    for module, path in modules():
        package = package_of(module)
        graph.setdefault(package, set()).update({package_of(name) for name in imports_of(path)} - {package})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of packages: {' <- '.join(error.args[1])}")


def test_only_the_store_imports_redis() -> None:
    importers = {module for module, path in modules() if any(within(name, "redis") for name in named_by(path))}
    assert importers
    assert all(within(module, "arena.store") for module in importers), importers
