"""What an operator sees of a node, and does to it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
from arena_command import DEADLINE_S, Running, children, document, done, league_file, refused, running, until
from grpc_health.v1 import health_pb2, health_pb2_grpc
from operators_port import asked, metrics, stopped


@contextmanager
def watched_node(folder: Path) -> Iterator[tuple[Running, str, str]]:
    """A node with a port for operators; its address, and that port's URL."""
    options = ("--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--data", folder / "data")
    with running("serve", *options, cwd=folder) as run:
        url = run.wait_for(r"metrics at (\S+)/metrics")[1]
        yield run, run.wait_for(r"listening on (127\.0\.0\.1:\d+)")[1], url


def test_the_metrics_tell_of_the_matches_of_a_league(tmp_path: Path) -> None:
    file = league_file(
        tmp_path, ("house:random", "house:greedy"), rounds=1, boards=1, more="options = { months = 1 }\n"
    )
    with watched_node(tmp_path) as (_, _, url):
        done("league", "open", file, "--data", tmp_path / "data")
        done("league", "start", "spring", "--data", tmp_path / "data")
        match = "arena_matches_total end=completed kind=league variant=koikoi"
        until(lambda: metrics(url).get(match) == 2, "both matches are counted")
        told = metrics(url)
    decisions = {
        share: told[f"arena_decision_seconds_count share={share} variant=koikoi"] for share in ("bot", "arena")
    }
    assert decisions["bot"] == decisions["arena"] > 10
    assert told["arena_store_up"] == told["arena_store_append_only"] == 1
    assert told["arena_store_exchange_seconds_count"] > 10
    assert told["process_open_fds"] > 5


def test_readiness_and_health_tell_that_the_store_hangs_and_that_it_is_back(tmp_path: Path) -> None:
    with watched_node(tmp_path) as (run, address, url), grpc.insecure_channel(address) as channel:
        health = health_pb2_grpc.HealthStub(channel)

        def serves() -> bool:
            answer = health.Check(health_pb2.HealthCheckRequest(), timeout=DEADLINE_S)
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

        until(lambda: asked(f"{url}/readyz") == (200, "ok\n"), "the node is ready")
        [store] = children(run, "valkey-server")
        with stopped(store):
            assert asked(f"{url}/readyz") == (503, "the store does not answer\n")
            assert asked(f"{url}/healthz") == (200, "ok\n")
            assert metrics(url)["arena_store_up"] == 0
            until(lambda: not serves(), "gRPC's health check says that the node serves nobody")
        until(lambda: asked(f"{url}/readyz")[0] == 200, "the node is ready again")
        until(serves, "gRPC's health check says that the node serves again")


def test_status_shows_the_node_and_drain_ends_it_from_afar(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with watched_node(tmp_path) as (run, address, _):
        until(lambda: document("status", "--data", data)["nodes"], "the node has said how it is")
        [node] = document("status", "--data", data)["nodes"]
        assert node["pid"] == run.process.pid
        assert node["addresses"] == [address]
        shown = done("status", "--data", data)
        assert shown.startswith("all is well\n")
        assert node["id"] in shown
        assert "those that run: " + node["id"] in refused("node", "drain", "elsewhere", "--data", data)
        assert document("node", "drain", node["id"][:-1], "--data", data) == {"node": node["id"]}
        assert run.end() == 0
        assert any("was asked to drain" in line for line in run.lines)
    assert document("status", "--data", data)["nodes"] == []
    assert "WARNING  no node runs: nothing is played" in done("status", "--data", data)


def test_status_of_nothing_leaves_nothing_behind(tmp_path: Path) -> None:
    assert "there is no store" in refused("status", "--data", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_an_address_that_is_taken_is_named(tmp_path: Path) -> None:
    with watched_node(tmp_path) as (_, _, url):
        taken = url.removeprefix("http://")
        said = refused("web", "--listen", "127.0.0.1:0", "--metrics", taken, "--data", tmp_path / "data")
    assert f"metrics cannot be served at {taken}" in said


def test_the_pages_have_metrics_of_their_own(tmp_path: Path) -> None:
    options = ("--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--data", tmp_path / "data")
    with running("web", *options, cwd=tmp_path) as run:
        url = run.wait_for(r"metrics at (\S+)/metrics")[1]
        pages = run.wait_for(r"pages at (\S+)/")[1]
        assert asked(f"{pages}/")[0] == 200
        assert asked(f"{pages}/a-path/that-nobody-has")[0] == 404
        told = metrics(url)
        assert told["arena_page_seconds_count route=/ status=200"] == 1
        assert told["arena_page_seconds_count route=none status=404"] == 1
        assert not any("that-nobody-has" in name for name in told)
        assert asked(f"{url}/readyz") == (200, "ok\n")


def test_status_is_shown_again_and_again_until_ctrl_c(tmp_path: Path) -> None:
    done("bot", "create", "ann", "--data", tmp_path / "data")
    with running("status", "--watch", "0.2", "--data", tmp_path / "data") as run:
        until(lambda: sum("no node runs" in line for line in run.lines) >= 3, "the screen was drawn three times")
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 130
    assert not any("Traceback" in line for line in run.lines)
    assert "--watch is for people" in refused("status", "--watch", "1", "--json", "--data", tmp_path / "data")
