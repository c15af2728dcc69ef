"""The image, built from its file, and the composition, started by Podman: `python tests/deploy/start_containers.py`.

As root, with buildah, podman, podman-compose, runc, debootstrap and the plugin by which Podman's containers have names
(Debian's golang-github-containernetworking-plugin-dnsname). No registry is asked: images that come from one have
stand-ins made of Debian's packages and its own Python; Grafana, which Debian lacks, is left out. Takes minutes. What
follows `--` goes to `buildah build`: how pip reaches its index here, as `--volume FILE:FILE:ro`.

The image is started as the composition has it: not root, nothing writable but its volume, no capabilities. It has to be
healthy, play a league, and end with status 0. Then the composition: two nodes and pages share a store, a league is
played, the pages answer, and Prometheus sees all three processes up.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "deploy" / "container" / "compose.yml"
BASE = "localhost/hanafuda-arena-python"
IMAGE = PROJECT = "hanafuda-arena"
DEBIAN = "bookworm"
DEADLINE_S = 120.0
# Podman would raise the limits beyond what root has here.
_MAX_FILES = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
_RUNTIME = ("--runtime", "/usr/sbin/runc", "--cgroup-manager", "cgroupfs")
_LIMITS = (f"--ulimit=nofile={_MAX_FILES}:{_MAX_FILES}", "--ulimit=nproc=8192:8192")
_INSTALL = "RUN apt-get update && apt-get install -y --no-install-recommends"
_STAND_INS = {
    "docker.io/valkey/valkey:8-bookworm": f"{_INSTALL} redis-tools\n"
    "RUN ln -s $(find /opt/arena -name valkey-server) /usr/bin/valkey-server && ln -s redis-cli /usr/bin/valkey-cli\n"
    "ENTRYPOINT []\nWORKDIR /data\n",
    "docker.io/prom/prometheus:v2.55.1": f"{_INSTALL} prometheus\n"
    'RUN install -d -m 0777 /prometheus\nENTRYPOINT ["/usr/bin/prometheus"]\nHEALTHCHECK NONE\n',
}
_SERVICES = ("store", "node-1", "node-2", "web", "prometheus")
LEAGUE = """\
name = "spring"
variant = "koikoi"
rounds = 1
boards = 2
entries = ["house:random", "house:greedy"]
"""


def run(*command: str | Path, given: str | None = None) -> str:
    """What a program prints; it ends with status 0, or this program does not."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def podman(*arguments: str | Path, given: str | None = None) -> str:
    """The same of Podman."""
    return run("podman", *_RUNTIME, *arguments, given=given)


def until(condition: Callable[[], object], what: str) -> None:
    """Ask until a condition holds."""
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"waited in vain until {what}")
        time.sleep(0.5)
    print("  ", what, flush=True)


def make_base() -> None:
    """Debian with its Python, where an image of Python is wanted."""
    if BASE in run("podman", "images", "--format", "{{.Repository}}"):
        return
    with tempfile.TemporaryDirectory() as made:
        packages = "python3,python3-venv,python3-dev,ca-certificates"
        run("debootstrap", "--variant=minbase", f"--include={packages}", DEBIAN, made)
        Path(made, "usr/bin/python").symlink_to("python3")
        run("sh", "-c", f"tar -C {made} -c . | podman import - {BASE}")


def build(image: str, file: Path, *options: str) -> None:
    """Build an image of the checkout."""
    command = ("buildah", "build", "--format=docker", "--isolation=chroot", "--network=host", *options)
    run(*command, "-t", image, "-f", file, ".")
    print(f"{image} is built", flush=True)


def check_image() -> None:
    """Start the image by itself."""
    hardened = ("--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--tmpfs=/tmp")
    podman("run", "-d", "--name=arena-check", *hardened, *_LIMITS, f"localhost/{IMAGE}", "serve", "--insecure")
    try:
        until(lambda: healthy("arena-check"), "the node is healthy")
        assert podman("exec", "arena-check", "id", "-u").strip() == "10001"
        writable = podman("exec", "arena-check", "sh", "-c", "touch /opt/arena/x /etc/x 2>&1 || true")
        assert writable.count("Read-only file system") == 2, writable
        podman("exec", "-i", "arena-check", "sh", "-c", "cat >/data/spring.toml", given=LEAGUE)
        play("arena-check")
        podman("stop", "-t", "30", "arena-check")
        assert podman("inspect", "arena-check", "--format", "{{.State.ExitCode}}").strip() == "0"
    finally:
        podman("rm", "-f", "arena-check")


def healthy(container: str) -> bool:
    """Whether a container's own check finds nothing wrong."""
    return subprocess.run(("podman", *_RUNTIME, "healthcheck", "run", container), capture_output=True).returncode == 0


def play(container: str, *where: str) -> None:
    """Play the league by the nodes, and wait for its end."""
    arena = ("exec", container, "arena", "league")
    podman(*arena, "open", "/data/spring.toml", *where)
    podman(*arena, "start", "spring", *where)
    until(
        lambda: json.loads(podman(*arena, "show", "spring", "--json", *where))["state"] == "finished",
        "the league is played",
    )


def check_composition() -> None:
    """Start all of the composition but Grafana."""
    for image, lines in _STAND_INS.items():
        with tempfile.NamedTemporaryFile("w", suffix=".Containerfile") as file:
            file.write(f"FROM localhost/{IMAGE}\nUSER root\n{lines}")
            file.flush()
            build(image, Path(file.name))
    arguments = (f"--podman-args={' '.join(_RUNTIME)}", f"--podman-run-args={' '.join(_LIMITS)}")
    compose = ("podman-compose", "-p", PROJECT, *arguments, "-f", str(COMPOSE))
    run(*compose, "up", "-d", "--no-build", *_SERVICES)
    try:
        name = f"{PROJECT}_node-1_1"
        store = ("--redis", "redis://store:6379/0")
        until(lambda: healthy(name), "a node is healthy")
        podman("exec", "-i", name, "sh", "-c", "cat >/data/spring.toml", given=LEAGUE)
        play(name, *store)
        told = json.loads(podman("exec", name, "arena", "status", "--json", *store))
        assert len(told["nodes"]) == 2, told["nodes"]
        until(lambda: "hanafuda" in _page("http://127.0.0.1:8080/"), "the pages answer")
        address = podman(
            "inspect",
            f"{PROJECT}_prometheus_1",
            "--format",
            "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}",
        )
        until(
            lambda: _page(f"http://{address.strip()}:9090/api/v1/query?query=up").count(',"1"]') == 3,
            "Prometheus sees all",
        )
    finally:
        run(*compose, "down", "-v")


def _page(url: str) -> str:
    with suppress(OSError), urllib.request.urlopen(url, timeout=10) as answer:
        return str(answer.read().decode().lower())
    return ""


def main(options: Sequence[str]) -> None:
    """Build, and start."""
    os.environ.setdefault("STORAGE_DRIVER", "vfs")
    make_base()
    build(IMAGE, ROOT / "deploy" / "container" / "Containerfile", f"--build-arg=PYTHON={BASE}", *options)
    check_image()
    check_composition()


if __name__ == "__main__":
    main(sys.argv[2:] if sys.argv[1:2] == ["--"] else [])
