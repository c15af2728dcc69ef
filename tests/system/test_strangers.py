"""Strangers who hold open what they can stop neither a league nor a page."""

import os
import signal
import socket
import time
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from threading import Thread

import psutil
import pytest
from arena_command import DEADLINE_S, Running, done, league_file, league_is_over, process_output, until
from one_node import node
from preloaded import ARENA
from siege_frames import floods
from windowless_calls import call_without_a_window

FILES = 400
"""How many files the node may open."""
FLOOD_S = 3.0
MAX_MEMORY = 512 << 20


def few_files(folder: Path) -> AbstractContextManager[Running]:
    """A node with pages, under a low limit on open files."""
    serve = f"exec {ARENA} serve --listen 127.0.0.1:0 --web 127.0.0.1:0"
    limited = f"ulimit -Sn {FILES // 2}; ulimit -Hn {FILES}; {serve}"
    return process_output(["bash", "-c", limited], cwd=folder, env={**os.environ, "COLUMNS": "120"})


@pytest.mark.parametrize("server", ["pages at http://", "listening on "])
def test_connections_that_say_nothing_stop_no_match(tmp_path: Path, server: str) -> None:
    done("league", "open", league_file(tmp_path, ["house:random"] * 2, rounds=2, boards=1), cwd=tmp_path)
    with few_files(tmp_path) as node:
        node.wait_for("pages at")
        port = int(node.wait_for(rf"{server}127\.0\.0\.1:(\d+)")[1])
        node.wait_for("listening on")
        with ExitStack() as held:
            for _ in range(2 * FILES):
                held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=DEADLINE_S))
            done("league", "start", "spring", cwd=tmp_path)
            until(lambda: league_is_over(tmp_path), "the league is over")
        assert not [line for line in node.lines if "ERROR" in line or "Too many open files" in line]


def test_floods_of_frames_that_ask_for_nothing_stop_no_match_and_leave_nothing_in_the_log(tmp_path: Path) -> None:
    done("league", "open", league_file(tmp_path, ["house:random"] * 2, rounds=2, boards=1), cwd=tmp_path)
    with node(tmp_path) as (run, address):
        host, _, port = address.partition(":")
        before = len(run.lines)
        flood = Thread(target=floods, args=((host, int(port)), time.monotonic() + FLOOD_S))
        flood.start()
        done("league", "start", "spring", cwd=tmp_path)
        until(lambda: league_is_over(tmp_path), "the league is over")
        flood.join()
        assert psutil.Process(run.process.pid).memory_info().rss < MAX_MEMORY
        run.process.send_signal(signal.SIGTERM)
        assert run.end() == 0
        assert [line for line in run.lines[before:] if "ERROR" in line or "Traceback" in line] == []
        assert len(run.lines) - before < 100


def test_callers_who_take_no_answer_leave_nothing_in_the_log(tmp_path: Path) -> None:
    with node(tmp_path) as (run, address):
        host, _, port = address.partition(":")
        before = len(run.lines)
        for method in (b"/hanafuda.arena.v1.ArenaService/GetArena", b"/grpc.health.v1.Health/List"):
            for _ in range(20):
                with socket.create_connection((host, int(port)), timeout=DEADLINE_S) as caller:
                    caller.sendall(call_without_a_window(method, b""))
                    answer = b""
                    while b"application/grpc" not in answer:
                        answer += caller.recv(4_096)
        run.process.send_signal(signal.SIGTERM)
        assert run.end() == 0
        assert [line for line in run.lines[before:] if "ERROR" in line or "Traceback" in line] == []
