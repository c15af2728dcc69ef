"""The documents do what they say: their commands and their code run as written, and their links lead somewhere."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from arena_command import until
from preloaded import ORDERS, orders
from prerequisites import not_run
from store_servers import free_port

from arena import replays
from arena.web.viewer.document import document
from arena.web.viewer.picture import picture
from arena.web.viewer.scene import scene
from core_ext import shuffle

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "arena").rglob("*.md")])
DEADLINE_S = 240.0
FORKED = ROOT / "tests" / "system" / "forked"
"""Its `arena` starts the same program as the installed one, from a process that has loaded it."""
PATH = os.pathsep.join([str(FORKED), str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin"])

# What sets the project up is done already, or would do it again.
SET_UP = re.compile(r"^(make |\. \.venv/bin/activate)")


def blocks(document: str, language: str) -> list[str]:
    """The fenced blocks of a document in one language."""
    text = (ROOT / document).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run(commands: str, folder: Path) -> str:
    """Run lines of a shell as a reader would, with the arena on the path; stops at the first that fails."""
    lines = [line for line in commands.splitlines() if not SET_UP.match(line)]
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(lines)],
        cwd=folder,
        env={**os.environ, "PATH": PATH, "COLUMNS": "120", ORDERS: str(orders().fileno())},
        pass_fds=(orders().fileno(),),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@contextmanager
def staying(command: str, folder: Path) -> Iterator[None]:
    """A command that stays and says what nobody reads; it is told to end afterwards."""
    words, env = ["bash", "-c", f"exec {command}"], {**os.environ, "PATH": PATH}
    with (
        (folder / "said").open("a") as said,
        subprocess.Popen(words, cwd=folder, env=env, stdout=said, stderr=said) as process,
    ):
        try:
            yield
        finally:
            process.terminate()


def fetched(url: str) -> str:
    """What a server answers; nothing while it is not there."""
    with suppress(OSError), urllib.request.urlopen(url, timeout=DEADLINE_S) as answer:
        return str(answer.read().decode())
    return ""


def is_open(port: str) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


@contextmanager
def running(command: str, folder: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A command that stays, and the first line it says; it is told to end afterwards."""
    with subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder,
        env={**os.environ, "PATH": PATH, ORDERS: str(orders().fileno())},
        pass_fds=(orders().fileno(),),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.terminate()
            process.communicate(timeout=DEADLINE_S)


def test_the_readmes_bot_plays_and_its_commands_run_as_written(tmp_path: Path) -> None:
    (program,) = blocks("README.md", "python")
    assert len([line for line in program.splitlines() if line.strip()]) <= 10
    (tmp_path / "my_bot.py").write_text(program)
    set_up, play = blocks("README.md", "sh")
    assert all(SET_UP.match(line) for line in set_up.splitlines())
    said = run(play, tmp_path)
    assert "The match was played to its end." in said
    assert "./my_bot.py keeps the protocol" in said


def test_the_readme_shows_a_table_and_a_replay_as_they_are(tmp_path: Path) -> None:
    table, replay = blocks("README.md", "text")
    (tmp_path / "tiny.toml").write_text(
        'name = "tiny"\nrounds = 2\nboards = 4\noptions = { months = 1 }\nentries = ["house:greedy", "house:random"]\n'
    )
    columns = table.splitlines()[0].split()
    assert columns in [line.split() for line in run("arena league run tiny.toml", tmp_path).splitlines()]
    run("arena match play house:greedy house:random --seed 7", tmp_path)
    shown = run("arena replay show arena-data/replays/*.hreplay", tmp_path)
    drawn = re.sub(r"  \d+ ms$", "", shown, flags=re.MULTILINE).splitlines()
    assert [line for line in replay.splitlines() if line not in drawn] == []
    (file,) = (tmp_path / "arena-data" / "replays").iterdir()
    told = document(replays.decode(file.read_bytes()))
    assert (ROOT / "docs" / "table.svg").read_text("utf-8") == picture(told, scene(told, 24, 0))


def test_an_arena_is_run_as_the_operators_page_says(tmp_path: Path) -> None:
    if missing := [program for program in ("haproxy", "prometheus", "openssl") if not shutil.which(program, path=PATH)]:
        not_run(f"{', '.join(missing)} not installed: the operators' page cannot be run")
    (tmp_path / "deploy").symlink_to(ROOT / "deploy")
    look, start, beside = blocks("docs/operations.md", "sh")
    settings, watching = blocks("docs/operations.md", "toml")[0], blocks("docs/operations.md", "yaml")[0]
    # Ports that other programs of this machine may have.
    ports = {"8080": "0", **{port: str(free_port()) for port in ("7777", "9100", "9101", "7443", "9090")}}

    def moved(text: str) -> str:
        return re.sub(rf":({'|'.join(ports)})\b", lambda found: f":{ports[found[1]]}", text)

    (tmp_path / "arena.toml").write_text(moved(settings))
    (tmp_path / "prometheus.yml").write_text(moved(watching).replace("15s", "1s"))
    said = run(look, tmp_path)
    assert "arena.toml, line 1" in said
    assert "SUCCESS: 15 rules found" in said
    serve, proxy, prometheus = moved(start).splitlines()
    with ExitStack() as stack:
        node, first = stack.enter_context(running(serve, tmp_path))
        said = [first]
        while not said[-1].startswith("listening on "):
            said.append(node.stdout.readline().strip())
        assert any(line.startswith("metrics at http://127.0.0.1:") for line in said)
        settings, _, command = proxy.rpartition(" haproxy ")
        stack.enter_context(staying(f"env {settings} haproxy {command}", tmp_path))
        stack.enter_context(staying(prometheus, tmp_path))
        until(lambda: is_open(ports["7443"]), "the proxy listens")
        told = run(moved(beside), tmp_path)
        assert "alice  0 of 10 bots" in told
        assert "all is well" in told
        assert "restored arena.backup" in told
        query = f"http://127.0.0.1:{ports['9090']}/api/v1"
        until(lambda: fetched(f"{query}/query?query=up").count(',"1"]') == 2, "Prometheus sees the node and its pages")
        assert fetched(f"{query}/rules").count('"name":"Arena') == 15
        assert fetched(f"{query}/alerts").count('"state":"firing"') == 0
    assert node.returncode == 0


def plays_nothing(folder: Path, since_us: int) -> bool:
    """Whether the only node of an arena has said since then that it plays nothing."""
    (node,) = json.loads(run("arena status --json", folder))["nodes"]
    return bool(node["time_us"] > since_us and node["playing"] == 0)


def test_getting_started_runs_as_written(tmp_path: Path) -> None:
    bot, replays, options, compare, simulate, league, node, steer, schedule, owner, away = blocks(
        "docs/getting-started.md", "sh"
    )
    run(bot, tmp_path)
    (replay,) = (tmp_path / "arena-data" / "replays").iterdir()
    assert "verified" in run(replays.replace("NAME", replay.stem), tmp_path)
    run(options, tmp_path)
    assert re.search(r"^bot is (not )?better than greedy.*\nLLR .* reached ", run(compare, tmp_path), re.MULTILINE)
    run(simulate, tmp_path)
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 3
    for file in blocks("docs/getting-started.md", "toml"):
        name = file.partition('name = "')[2].partition('"')[0]
        if name == "spring":
            # One round in place of three, which would take longer and show nothing more.
            file = file.replace("rounds = 3", "rounds = 1")
        (tmp_path / f"{name}.toml").write_text(file)
    assert "mine" in run(league, tmp_path)
    serve, create, play = node.splitlines()
    # The node of the text listens on the port that every arena has; the test on one that is free.
    with running(serve.partition("#")[0] + "--listen 127.0.0.1:0", tmp_path) as (arena, listening):
        token = run(create, tmp_path).strip()
        play = play.replace("127.0.0.1:7777", listening.split()[-1]).replace("hfa_…", token)
        with running(f"env {play}", tmp_path) as (player, connected):
            assert connected.endswith("as my-bot")
            said = run(steer, tmp_path)
            for name in ("my-bot", "third"):
                assert f"{name} has entered league grand (koikoi, sangohana)" in said
            assert "daily.1" in run(schedule, tmp_path)
            # The cancelled league's matches end when their node hears of it, and a bot that plays takes no challenge.
            until(partial(plays_nothing, tmp_path, time.time_ns() // 1000), "no match is played")
            away = away.replace("127.0.0.1:7777", listening.split()[-1])
            said = run(away.replace("hfo_…", run(owner, tmp_path).strip()), tmp_path)
            assert "grand  cancelled" in said
            assert re.search(r"  koikoi  over  my-bot \S+ : house:greedy ", said)
            assert said.count("The match was played to its end.") == 1
        assert player.returncode == 0
    assert arena.returncode == 0


@pytest.mark.usefixtures("bubblewrap")
def test_an_owner_submits_a_bot_as_the_text_says(tmp_path: Path) -> None:
    operator, owner = blocks("docs/submissions.md", "sh")
    run(operator, tmp_path)
    with running("arena serve --listen 127.0.0.1:0", tmp_path) as (_, listening):
        # One variant in place of all, which would take longer and show nothing more.
        one = "sed -i 's/^variants = .*/variants = [\"koikoi\"]/' my-bot/bot.toml"
        lines = owner.replace("127.0.0.1:7777", listening.split()[-1]).splitlines()
        lines.insert(2, one)
        said = run("\n".join(lines), tmp_path)
    assert " is active\n" in said
    assert "qualified, active" in said
    assert "alice  1 of 10 bots" in said


def test_a_bot_runs_by_itself_as_written(tmp_path: Path) -> None:
    serve, *set_up = blocks("docs/running-a-bot.md", "sh")[0].splitlines()
    with running(serve.partition("#")[0] + "--listen 127.0.0.1:0", tmp_path) as (_, listening):
        run("\n".join(set_up), tmp_path)
        with (tmp_path / "my-bot" / "bot.toml").open("a") as manifest:
            manifest.write(blocks("docs/running-a-bot.md", "toml")[0])
        dry, play = (
            blocks("docs/running-a-bot.md", "sh")[1].replace("127.0.0.1:7777", listening.split()[-1]).splitlines()
        )
        assert "a challenge in koikoi every 60 s, to house:greedy, house:search in turn" in run(dry, tmp_path)
        with running(play, tmp_path) as (bot, connected):
            assert connected.endswith(" as my-bot")
            said = [connected]
            while " is over: " not in said[-1]:
                said.append(bot.stdout.readline())
        assert len(list((tmp_path / "my-logs").glob("*.log"))) >= 2
        assert bot.returncode == 0


def test_a_ladder_stands_as_written(tmp_path: Path) -> None:
    (file,) = blocks("docs/ladder.md", "toml")
    # Shorter matches and a shorter season in place of long ones, which would show nothing more.
    file = file.replace("rounds = 500", "rounds = 2\noptions = { months = 1 }")
    (tmp_path / "evening.toml").write_text(file)
    start, watch, enter, prove = blocks("docs/ladder.md", "sh")
    opens, serve = start.splitlines()
    run(opens, tmp_path)
    with running(serve.partition("#")[0] + "--listen 127.0.0.1:0", tmp_path) as (node, _):
        assert "Ladder evening: koikoi, " in run(watch, tmp_path)
        assert "guest has entered ladder evening" in run(enter, tmp_path)
        while "season 1 is over" not in node.stdout.readline():
            pass
        assert "league ladder.evening.1 holds" in run(prove, tmp_path)
    assert node.returncode == 0


def test_a_bot_is_tuned_as_written(tmp_path: Path) -> None:
    for text in (*blocks("docs/tuning.md", "python"), *blocks("docs/tuning.md", "toml")):
        file = tmp_path / text.splitlines()[0].removeprefix("# ")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    (commands,) = blocks("docs/tuning.md", "sh")
    said = run(commands, tmp_path)
    assert said.count(" boards that no trial saw: ") == 2
    assert (tmp_path / "tuning.svg").read_text().startswith("<svg ")


@pytest.mark.usefixtures("bubblewrap")
def test_an_agent_of_koikoi_ai_is_brought_as_written(tmp_path: Path) -> None:
    for text in (*blocks("docs/koikoi-ai.md", "python"), *blocks("docs/koikoi-ai.md", "toml")):
        file = tmp_path / text.splitlines()[0].removeprefix("# ")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    (commands,) = blocks("docs/koikoi-ai.md", "sh")
    said = run(commands, tmp_path)
    assert "my-agent" in said
    assert "forfeit" not in said
    assert "./my-agent keeps the protocol" in said
    agent = tmp_path / "my-agent" / "my_agent.py"
    agent.write_text(agent.read_text().replace('["legal_action"][0]', '["feature_tensor"]'))
    failed = run(f"! {commands.splitlines()[0]} 2>&1", tmp_path)
    assert "KeyError: 'feature_tensor' (decision 1, my_agent.py line 9 in custom_act" in " ".join(failed.split())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_inside_the_project_leads_somewhere(document: Path) -> None:
    text = document.read_text("utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    missing = [
        target for target in targets if "://" not in target and not (document.parent / target.rstrip("/")).exists()
    ]
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_document_holds_a_place_to_be_filled(document: Path) -> None:
    assert not re.findall(r"\b(?:TODO|TBD|FIXME|XXX)\b|\b[A-Z]+-PLACE\b", document.read_text("utf-8"))


def test_the_shuffle_that_is_written_down_deals_the_arenas_decks() -> None:
    (program,) = blocks("docs/fairness.md", "python")
    written: dict[str, Any] = {}
    exec(program, written)
    for month in range(1, 13):
        stream = shuffle.keystream("7", month, 0, 0, 4 * 256)
        words = (int.from_bytes(stream[at : at + 4], "little") for at in range(0, len(stream), 4))
        assert tuple(written["deck"](words, range(48))) == shuffle.deck("7", month, 0)


def test_the_environments_learn_as_written(tmp_path: Path) -> None:
    for number, program in enumerate(blocks("docs/environments.md", "python")):
        (tmp_path / f"block_{number}.py").write_text(program)
        run(f"python block_{number}.py", tmp_path)


def test_the_guide_to_data_runs_as_written(tmp_path: Path) -> None:
    exports, league = blocks("docs/data.md", "sh")
    run(exports, tmp_path)
    for program in blocks("docs/data.md", "python"):
        subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, timeout=DEADLINE_S)
    small = 'name = "koikoi-open"\nrounds = 1\nboards = 1\noptions = { months = 1 }\n'
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "koikoi.toml").write_text(f'{small}entries = ["house:greedy", "house:random"]\n')
    run(league, tmp_path)
    assert (tmp_path / "koikoi-data" / "SHA256SUMS").is_file()
