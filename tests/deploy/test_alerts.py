"""The alert rules, each tried by Prometheus's own tool against the metrics of an arena that has the fault.

`promtool` evaluates the rules over series made of two answers of `/metrics`: of an arena that is well, and of one with
the fault, which is a real one (`arenas_at_fault.py`).
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from arenas_at_fault import Answer, Changes, arenas_at_fault
from chaos_faults import FAKETIME
from prerequisites import not_run

RULES = Path(__file__).parents[2] / "deploy" / "prometheus" / "arena.rules.yml"


@pytest.fixture(scope="module")
def promtool() -> str:
    """The tool."""
    found = shutil.which("promtool")
    if found is None:
        not_run("promtool (the Debian package prometheus) is not installed: the alert rules cannot be tried")
    return found


@pytest.fixture(scope="module")
def arenas(bubblewrap: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Answer, Changes]:
    """An arena that is well, and arenas at fault."""
    if not FAKETIME.exists():
        not_run("the Debian package faketime is not installed: no node's clock can be apart")
    return arenas_at_fault(tmp_path_factory.mktemp("arenas"))


def series(before: Answer, after: Answer) -> list[dict[str, str]]:
    """Ten minutes of one answer, then ten of another."""
    written = []
    for name, labels in sorted({*before, *after}):
        pairs = {**dict(labels), "job": "arena", "instance": "node"}
        shown = ",".join(f"{label}={json.dumps(value)}" for label, value in sorted(pairs.items()))
        values = [answer.get((name, labels)) for answer in (before, after)]
        # A counter that begins later begins at nothing.
        first = 0.0 if values[0] is None and name.endswith("_total") else values[0]
        rise = name.endswith(("_total", "_sum", "_count")) and None not in (first, values[1])
        if rise and first is not None and values[1] is not None and values[1] > first:
            late = f"{first}+{(values[1] - first) / 10}x10"
        else:
            late = "_x10" if values[1] is None else f"{values[1]}x10"
        early = "_x9" if first is None else f"{first}x9"
        written.append({"series": f"{name}{{{shown}}}", "values": f"{early} {late}"})
    return written


def evaluated(promtool: str, folder: Path, tests: list[dict[str, Any]]) -> str:
    """What promtool says of tests of the rules; an empty text where all hold."""
    file = folder / "tests.yml"  # JSON is YAML
    file.write_text(json.dumps({"rule_files": [str(RULES)], "evaluation_interval": "15s", "tests": tests}))
    done = subprocess.run([promtool, "test", "rules", file], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def alerts(before: Answer, after: Answer, expression: str, count: int) -> dict[str, Any]:
    """A test that so many alerts fire at the end."""
    samples = [{"labels": "{}", "value": count}] if count else []
    expected = {"expr": f"count({expression})", "eval_time": "19m", "exp_samples": samples}
    return {"interval": "1m", "input_series": series(before, after), "promql_expr_test": [expected]}


def test_every_rule_fires_at_its_fault(promtool: str, tmp_path: Path, arenas: tuple[Answer, Changes]) -> None:
    tests = [
        alerts(change.before, change.after, f'ALERTS{{alertname="{name}",alertstate="firing"}}', 1)
        for name, change in arenas[1].items()
    ]
    assert evaluated(promtool, tmp_path, tests) == ""


def test_no_rule_fires_at_an_arena_that_is_well(promtool: str, tmp_path: Path, arenas: tuple[Answer, Changes]) -> None:
    well, _ = arenas
    silent = alerts(well, well, 'ALERTS{alertstate="firing"}', 0)
    assert evaluated(promtool, tmp_path, [silent]) == ""


def test_every_rule_is_tried_and_says_what_to_do(promtool: str, arenas: tuple[Answer, Changes]) -> None:
    text = RULES.read_text()
    named = [line.split(": ")[1] for line in text.splitlines() if "- alert: " in line]
    assert sorted(named) == sorted(arenas[1])
    assert text.count("summary: ") == text.count("cure: ") == len(named)
    checked = subprocess.run([promtool, "check", "rules", RULES], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_dashboard_shows_metrics_that_there_are(arenas: tuple[Answer, Changes]) -> None:
    from arena.metrics import meters

    well, changes = arenas
    known = {name for answer in (well, *(change.after for change in changes.values())) for name, _ in answer}
    for instrument in meters.INSTRUMENTS:
        known |= {f"{instrument.name}{end}" for end in ("_total", "_bucket", "_sum", "_count")}
    file = RULES.parents[1] / "grafana" / "arena.json"
    dashboard = json.loads(file.read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    assert len(expressions) > 10
    for expression in [*expressions, *(line for line in RULES.read_text().splitlines() if "expr: " in line)]:
        words = set("".join(c if c.isalnum() or c == "_" else " " for c in expression).split())
        unknown = {word for word in words if word.startswith(("arena_", "process_"))} - known
        assert not unknown, expression
