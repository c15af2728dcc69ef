"""The log says who holds a node's connections."""

import logging
import socket
from contextlib import ExitStack

import pytest

from arena.node.connections import holders, report


@pytest.mark.parametrize(
    ("family", "listens", "calls", "shown"),
    [
        (socket.AF_INET, "127.0.0.1", "127.0.0.1", {"127.0.0.9": 3, "127.0.0.1": 1}),
        (socket.AF_INET6, "::", "127.0.0.1", {"127.0.0.9": 3, "127.0.0.1": 1}),
    ],
)
def test_who_holds_most_connections_is_in_the_log_once_more_than_half_are_taken(
    family: socket.AddressFamily, listens: str, calls: str, shown: dict[str, int], caplog: pytest.LogCaptureFixture
) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(
            socket.create_server((listens, 0), family=family, dualstack_ipv6=family is socket.AF_INET6)
        )
        port = server.getsockname()[1]
        for address, count in shown.items():
            for _ in range(count):
                stack.enter_context(socket.create_connection((calls, port), source_address=(address, 0)))
        assert holders({port}) == shown
        report({port}, 8)
        assert not caplog.records, "half of them are free"
        report({port}, 7)
        assert caplog.messages == ["4 of 7 connections are taken; most by 127.0.0.9 3, 127.0.0.1 1"]
        assert caplog.records[0].levelno == logging.WARNING
    assert holders({port}) == {}
