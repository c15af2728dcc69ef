"""The pages of a node are served by a process of their own, which yields to the node's and ends with it."""

import http.client
import os
import signal
import socket
from pathlib import Path

from arena_command import DEADLINE_S, Running, done, league_file, running


def pages_of(node: Running) -> int:
    """The process of a node's pages."""
    children = Path(f"/proc/{node.process.pid}/task/{node.process.pid}/children").read_text().split()
    [found] = [int(one) for one in children if b"\0web\0" in Path(f"/proc/{one}/cmdline").read_bytes()]
    return found


def status_of(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_node_s_pages_yield_to_it_and_are_there_again_when_their_process_died(tmp_path: Path) -> None:
    done("league", "open", league_file(tmp_path, ["house:random"] * 2), cwd=tmp_path)
    with running("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", cwd=tmp_path) as node:
        port = int(node.wait_for(r"pages at http://127\.0\.0\.1:(\d+)/")[1])
        assert status_of(port, "/leagues/spring") == 200
        first = pages_of(node)
        own = os.getpriority(os.PRIO_PROCESS, node.process.pid)
        assert {os.getpriority(os.PRIO_PROCESS, int(one.name)) for one in Path(f"/proc/{first}/task").iterdir()} == {
            min(own + 10, 19)
        }
        os.kill(first, signal.SIGKILL)
        node.wait_for("the process of the pages was killed by signal 9 .*; it is started again in 1 s")
        assert status_of(port, "/leagues/spring") == 200  # who comes in between waits
        second = pages_of(node)
        assert second != first
        node.process.terminate()
        assert node.end() == 0
        assert not Path(f"/proc/{second}").exists()


def test_a_node_that_is_killed_takes_its_pages_with_it(tmp_path: Path) -> None:
    with running("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", cwd=tmp_path) as node:
        port = int(node.wait_for(r"pages at http://127\.0\.0\.1:(\d+)/")[1])
        node.wait_for("listening on")
        node.process.kill()
        node.end()
        while True:  # pytest's timeout is the deadline
            try:
                socket.create_connection(("127.0.0.1", port)).close()
            except ConnectionRefusedError:
                break
