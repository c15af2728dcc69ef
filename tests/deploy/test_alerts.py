"""The alert rules, each tried by Prometheus's own tool against the metrics of an arena that has the fault.

`promtool` evaluates the rules over series made of two answers of `/metrics`: of an arena that is well, and of one with
the fault. Faults that would take minutes to bring about are written into the answer of the arena that is well.
"""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from arena_command import children, running
from operators_port import asked, stopped
from prerequisites import not_run
from prometheus_client.parser import text_string_to_metric_families
from store_servers import tcp_server, tell

RULES = Path(__file__).parents[2] / "deploy" / "prometheus" / "arena.rules.yml"

Answer = dict[tuple[str, tuple[tuple[str, str], ...]], float]
"""The samples of an answer by name and labels."""


def read(text: str) -> Answer:
    """The samples of an answer, as Prometheus stores them."""
    families = text_string_to_metric_families(text)
    samples = [sample for family in families for sample in family.samples]
    scraped = {(sample.name, tuple(sorted(sample.labels.items()))): sample.value for sample in samples}
    return {("up", ()): 1.0, **scraped}


@pytest.fixture(scope="module")
def promtool() -> str:
    """The tool."""
    found = shutil.which("promtool")
    if found is None:
        not_run("promtool (the Debian package prometheus) is not installed: the alert rules cannot be tried")
    return found


class Answers(NamedTuple):
    """What arenas answered: one that is well, one whose store hangs, one whose store may lose everything."""

    well: Answer
    hangs: Answer
    lossy: Answer


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answers]:
    """Answers of real nodes."""
    folder = tmp_path_factory.mktemp("nodes")
    options = ("--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
    with ExitStack() as stack:
        run = stack.enter_context(running("serve", *options, "--data", folder / "data", cwd=folder))
        url = run.wait_for(r"metrics at (\S+)")[1]
        well = read(asked(url)[1])
        [store] = children(run, "valkey-server")
        with stopped(store):
            hangs = read(asked(url)[1])
        settings = ("--appendonly", "no", "--maxmemory", "16mb", "--maxmemory-policy", "volatile-lru")
        server = stack.enter_context(tcp_server(folder, *settings))
        lossy = stack.enter_context(running("serve", *options, "--redis", server.url, cwd=folder))
        url = lossy.wait_for(r"metrics at (\S+)")[1]
        tell(server.url, "SETRANGE filler 13000000 x")
        yield Answers(well, hangs, read(asked(url)[1]))


def changed(**samples: float) -> Callable[[Answers], Answer]:
    """The answer of an arena that is well, with these values: names may have a label behind two underscores."""

    def answer(answers: Answers) -> Answer:
        found: Answer = {}
        for name, value in samples.items():
            metric, _, labels = name.partition("__")
            pairs = [tuple(pair.split("_is_")) for pair in labels.split("__")] if labels else []
            found[metric, tuple(sorted((label, held) for label, held in pairs))] = value
        return {**answers.well, **found}

    return answer


FAULTS: dict[str, Callable[[Answers], Answer]] = {
    "ArenaDown": lambda answers: {("up", ()): 0.0},
    "ArenaStoreDown": lambda answers: answers.hangs,
    "ArenaStoreNotDurable": lambda answers: answers.lossy,
    "ArenaStoreMayEvict": lambda answers: answers.lossy,
    "ArenaStoreMemory": lambda answers: answers.lossy,
    "ArenaStoreCannotWrite": changed(arena_store_writes=0),
    "ArenaStoreSlow": changed(arena_store_exchange_seconds_sum=1e6, arena_store_exchange_seconds_count=1e6),
    "ArenaClocksApart": changed(arena_store_clock_offset_seconds=-3),
    "ArenaLeasesLost": changed(arena_leases_lost_total=1),
    "ArenaJobsParked": changed(arena_jobs__state_is_parked=1),
    "ArenaNothingPlays": changed(arena_jobs__state_is_ready=5, arena_playing=0),
    "ArenaNoNodeForDivision": changed(arena_divisions_without_node=1),
    "ArenaErrors": changed(arena_refused_calls_total__reason_is_INTERNAL=3),
    "ArenaBotsKilled": changed(arena_cage_ends_total__reason_is_no_hello=50),
    "ArenaDescriptors": changed(process_open_fds=1e6),
}


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


def test_every_rule_fires_at_its_fault(promtool: str, tmp_path: Path, answers: Answers) -> None:
    tests = [
        alerts(answers.well, fault(answers), f'ALERTS{{alertname="{name}",alertstate="firing"}}', 1)
        for name, fault in FAULTS.items()
    ]
    assert evaluated(promtool, tmp_path, tests) == ""


def test_no_rule_fires_at_an_arena_that_is_well(promtool: str, tmp_path: Path, answers: Answers) -> None:
    silent = alerts(answers.well, answers.well, 'ALERTS{alertstate="firing"}', 0)
    assert evaluated(promtool, tmp_path, [silent]) == ""


def test_every_rule_is_tried_and_says_what_to_do(promtool: str) -> None:
    named = [line.split(": ")[1] for line in RULES.read_text().splitlines() if "- alert: " in line]
    assert sorted(named) == sorted(FAULTS)
    text = RULES.read_text()
    assert text.count("summary: ") == text.count("cure: ") == len(named)
    checked = subprocess.run([promtool, "check", "rules", RULES], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_dashboard_shows_metrics_that_there_are(answers: Answers) -> None:
    from arena.metrics import meters

    known = {name for name, _ in (*answers.well, *answers.lossy)}
    for instrument in meters.ALL:
        known |= {f"{instrument.name}{end}" for end in ("_total", "_bucket", "_sum", "_count")}
    file = RULES.parents[1] / "grafana" / "arena.json"
    dashboard = json.loads(file.read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    assert len(expressions) > 10
    for expression in [*expressions, *(line for line in RULES.read_text().splitlines() if "expr: " in line)]:
        words = set("".join(c if c.isalnum() or c == "_" else " " for c in expression).split())
        unknown = {word for word in words if word.startswith(("arena_", "process_"))} - known
        assert not unknown, expression
