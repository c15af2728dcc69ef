"""The pages of a node are served by a process of their own, which yields to the node's and ends with it."""

import errno
import http.client
import os
import socket
from pathlib import Path

import psutil
from arena_command import DEADLINE_S, Running, done, league_file, pages_port, running, until


def pages_of(node: Running) -> psutil.Process:
    """The process of a node's pages."""
    [found] = [child for child in psutil.Process(node.process.pid).children() if "web" in child.cmdline()]
    return found


def status_of(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


def connected(port: int) -> int:
    """What connecting to a port gives: 0, or the number of its error."""
    with socket.socket() as made:
        return made.connect_ex(("127.0.0.1", port))


def test_a_node_s_pages_yield_to_it_and_are_there_again_when_their_process_died(tmp_path: Path) -> None:
    done("league", "open", league_file(tmp_path, ["house:random"] * 2), cwd=tmp_path)
    with running("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", cwd=tmp_path) as node:
        port = pages_port(node)
        assert status_of(port, "/leagues/spring") == 200
        first = pages_of(node)
        own = os.getpriority(os.PRIO_PROCESS, node.process.pid)
        threads = {os.getpriority(os.PRIO_PROCESS, thread.id) for thread in first.threads()}
        assert threads == {min(own + 10, 19)}
        first.kill()
        node.wait_for("the process of the pages was killed by signal 9 .*; it is started again in 1 s")
        assert status_of(port, "/leagues/spring") == 200  # who comes in between waits
        second = pages_of(node)
        assert second != first
        node.process.terminate()
        assert node.end() == 0
        assert not second.is_running()


def test_a_node_that_is_killed_takes_its_pages_with_it(tmp_path: Path) -> None:
    with running("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", cwd=tmp_path) as node:
        port = pages_port(node)
        assert status_of(port, "/") == 200
        node.process.kill()
        node.end()
        until(lambda: connected(port) == errno.ECONNREFUSED, "nobody serves the pages")
