"""Readers who take nothing off their connections hold up neither a league nor other readers."""

import http.client
import json
import socket
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from arena_command import DEADLINE_S, done, league_file, pages_port, running, until

SLOW = 200
ASKED_AT_ONCE = 40
"""How many large answers a slow reader asks for: more than the buffers between it and the server hold."""


def ask(port: int, path: str) -> Any:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 200
        return json.loads(answer.read())


def slow_reader(port: int, path: str, times: int) -> socket.socket:
    """Somebody who asks and never reads."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    made.connect(("127.0.0.1", port))
    made.sendall(f"GET {path} HTTP/1.1\r\nhost: slow\r\n\r\n".encode() * times)
    return made


def test_two_hundred_readers_who_read_nothing_change_nothing(tmp_path: Path) -> None:
    done("league", "open", league_file(tmp_path, ["house:random"] * 2, rounds=2, boards=1), cwd=tmp_path)
    with (
        running("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", cwd=tmp_path) as node,
        ExitStack() as stack,
    ):
        port = pages_port(node)
        node.wait_for("listening on")
        for number in range(SLOW):
            path, times = ("/leagues/spring/events", 1) if number % 2 else ("/cards.svg", ASKED_AT_ONCE)
            stack.enter_context(slow_reader(port, path, times))
        done("league", "start", "spring", cwd=tmp_path)
        until(lambda: ask(port, "/api/v1/leagues/spring")["league"]["state"] == "finished", "the league is over")
        assert ask(port, "/api/v1/leagues/spring")["league"]["divisions"][0]["played"] == 4
        [table] = ask(port, "/api/v1/leagues/spring/table")["tables"]
        assert [row["played"] for row in table["rows"]] == [4, 4]
