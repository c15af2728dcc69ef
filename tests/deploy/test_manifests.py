"""The files for containers, Kubernetes and systemd: they are what their tools take, and start what there is."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from arena_command import done
from prerequisites import not_run

DEPLOY = Path(__file__).parents[2] / "deploy"
KUBERNETES = DEPLOY / "kubernetes" / "arena.yml"
COMPOSE = DEPLOY / "container" / "compose.yml"
CONTAINERFILE = DEPLOY / "container" / "Containerfile"
UNITS = sorted([*(DEPLOY / "systemd").glob("*.service"), *(DEPLOY / "systemd").glob("*.timer")])


def options_of(command: str) -> set[str]:
    """The options that a command has, by its help."""
    return set(re.findall(r"--[a-z-]+", done(*command.split(), "--help")))


def pods() -> list[tuple[str, dict[str, Any]]]:
    """The pods of the manifests; those of jobs among them."""
    specs = [(one["metadata"]["name"], one.get("spec", {})) for one in yaml.safe_load_all(KUBERNETES.read_text())]
    specs = [(name, spec.get("jobTemplate", {}).get("spec", spec)) for name, spec in specs]
    return [(name, spec["template"]["spec"]) for name, spec in specs if "template" in spec]


def commands() -> Iterator[tuple[str, list[str]]]:
    """The arena's commands in all files: where, and the words."""
    for _, pod in pods():
        for container in pod["containers"]:
            if container.get("command", ())[:1] == ["/bin/sh"]:
                lines = re.findall(r"^arena (.*)$", container["args"][0], re.MULTILINE)
                yield from ((KUBERNETES.name, shlex.split(line)) for line in lines)
            elif container["image"] == "hanafuda-arena":
                yield KUBERNETES.name, container["args"]
    for service in yaml.safe_load(COMPOSE.read_text())["services"].values():
        if service.get("image") == "hanafuda-arena":
            yield COMPOSE.name, service["command"]
    for unit in UNITS:
        for line in re.findall(r"bin/arena (.*?)'?$", unit.read_text(), re.MULTILINE):
            yield unit.name, shlex.split(line.replace("$(date -u +%%Y-%%m-%%dT%%H%%M%%SZ)", "now"))


def test_every_command_and_option_in_them_is_one_of_the_arenas() -> None:
    found = list(commands())
    assert len(found) >= 7
    for where, words in found:
        command = " ".join(words[:2]) if words[0] == "bot" else words[0]
        unknown = {word for word in words if word.startswith("--")} - options_of(command)
        assert not unknown, f"{where}: {command} has no {unknown}"


def test_every_variable_in_them_is_a_setting() -> None:
    text = "".join(path.read_text() for path in (KUBERNETES, COMPOSE, CONTAINERFILE, *UNITS))
    variables = set(re.findall(r"\bARENA_[A-Z_]+", text))
    assert len(variables) >= 4
    for variable in variables:
        if variable == "ARENA_SERVER":
            assert "--server" in options_of("bot run")
            continue
        _, first, *rest = variable.lower().split("_")
        option = "--" + ("-".join(rest) if rest else first)
        assert option in options_of(first if rest else "serve"), variable


def test_the_manifests_are_what_kubernetes_takes() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "kubernetes_validate", "--strict", KUBERNETES],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    said = checked.stdout + checked.stderr
    assert said.count(" passed for resource ") == len(list(yaml.safe_load_all(KUBERNETES.read_text())))


def test_the_settings_in_the_manifests_are_taken(tmp_path: Path) -> None:
    [settings] = [one["data"] for one in yaml.safe_load_all(KUBERNETES.read_text()) if one["kind"] == "ConfigMap"]
    file = tmp_path / "arena.toml"
    file.write_text(settings["arena.toml"])
    for command in ("serve", "web"):
        assert "arena.toml, line" in done("config", "show", command, "--config", file)


@pytest.mark.parametrize(("name", "pod"), pods(), ids=[name for name, _ in pods()])
def test_no_pod_runs_as_root_or_writes_its_own_files(name: str, pod: dict[str, Any]) -> None:
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    for container in pod["containers"]:
        rights = container["securityContext"]
        assert rights["readOnlyRootFilesystem"] is True
        assert rights["allowPrivilegeEscalation"] is False
        assert rights["capabilities"]["drop"] == ["ALL"]
        assert pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
        assert container["resources"]["limits"]["memory"]
        if pod.get("restartPolicy") == "Never":  # of a job, which nobody calls
            continue
        assert "readinessProbe" in container
        ports = {port["name"] for port in container["ports"]}
        for probe in ("livenessProbe", "readinessProbe"):
            assert container.get(probe, {}).get("httpGet", {"port": "redis"})["port"] in {*ports, "redis"}


def test_only_pods_of_the_arena_reach_the_store_and_every_other_port_is_named() -> None:
    documents = list(yaml.safe_load_all(KUBERNETES.read_text()))
    policies = {
        document["metadata"]["name"]: document["spec"] for document in documents if document["kind"] == "NetworkPolicy"
    }
    assert policies["nobody-else"] == {"podSelector": {}, "policyTypes": ["Ingress"]}
    [rule] = policies["arena-store"]["ingress"]
    [source] = rule["from"]
    [admitted] = source["podSelector"]["matchExpressions"]
    assert set(admitted["values"]) == {name for name, _ in pods()} - {"arena-store"}
    opened = [port["port"] for rule in policies["arena-open"]["ingress"] for port in rule["ports"]]
    used = {port["containerPort"] for _, pod in pods() for one in pod["containers"] for port in one.get("ports", ())}
    assert {*opened, rule["ports"][0]["port"]} == used


def test_every_file_that_the_composition_names_is_there() -> None:
    composition = yaml.safe_load(COMPOSE.read_text())
    named = {volume for service in composition["services"].values() for volume in service.get("volumes", ())}
    for volume in named:
        source = volume.partition(":")[0]
        if source.startswith("."):
            assert (COMPOSE.parent / source).is_dir(), volume
        else:
            assert source in composition["volumes"], volume
    for service in composition["services"].values():
        if "build" in service:
            assert (COMPOSE.parent / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]


def test_the_image_is_not_root_and_checks_its_health() -> None:
    lines = CONTAINERFILE.read_text().splitlines()
    stages = [number for number, line in enumerate(lines) if line.startswith("FROM ")]
    assert len(stages) == 2
    last = lines[stages[1] :]
    assert any(line.startswith("USER ") and line != "USER root" for line in last)
    assert any("/readyz" in line for line in last)
    assert not any("gcc" in line for line in last)


def test_the_units_are_what_systemd_takes(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        not_run("systemd-analyze is not installed: the units cannot be checked")
    here = []
    for unit in UNITS:
        # The program is where it will be installed; here, something that can be executed stands for it.
        text = unit.read_text().replace("/opt/arena/bin/arena", sys.executable)
        here.append(tmp_path / unit.name)
        here[-1].write_text(text)
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *here], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    assert not [line for line in checked.stderr.splitlines() if str(tmp_path) in line], checked.stderr
