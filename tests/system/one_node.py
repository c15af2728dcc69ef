"""A node as its operator starts it, and what bots and their owners do there."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from arena_command import DEADLINE_S, Running, done, running, until
from bots_in_tests import FIRST, write_bot
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from hanafuda.arena.v1 import bot_pb2, bot_pb2_grpc, match_pb2, match_pb2_grpc

TLS = Path(__file__).parents[1] / "node" / "tls"
"""A certificate of localhost that nobody trusts but these tests."""


@contextmanager
def node(folder: Path, *more: str | Path) -> Iterator[tuple[Running, str]]:
    """A node on a free port, and its address."""
    with running("serve", "--listen", "127.0.0.1:0", *more, cwd=folder) as run:
        yield run, run.wait_for(r"listening on (127\.0\.0\.1:\d+)")[1]


@contextmanager
def connected_bot(
    folder: Path, address: str, token: str, *, program: str = FIRST, **more: str
) -> Iterator["subprocess.Popen[str]"]:
    """A bot's process as its owner starts it."""
    env = {**os.environ, "ARENA_ADDRESS": address, "ARENA_TOKEN": token, **more}
    file = write_bot(folder, f"bot-{hashlib.sha256(program.encode()).hexdigest()[:8]}", program)
    bot = subprocess.Popen([sys.executable, file], env=env, stderr=subprocess.PIPE, text=True)
    try:
        yield bot
    finally:
        bot.kill()
        bot.communicate()


def create(folder: Path, name: str) -> str:
    """Register a bot that anyone may challenge; its token."""
    return done("bot", "create", name, "--challenges", "anyone", cwd=folder).strip()


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a call with this token."""
    return (("authorization", f"Bearer {token}"),)


def wait_until_connected(channel: grpc.Channel, token: str, *names: str) -> None:
    """Until the node knows that all these bots are connected, there or elsewhere."""
    bots = bot_pb2_grpc.BotServiceStub(channel)

    def there() -> bool:
        listed = bots.ListBots(bot_pb2.ListBotsRequest(), metadata=bearer(token), timeout=DEADLINE_S).bots
        return {bot.name for bot in listed if bot.connected} >= set(names)

    until(there, f"{names} are connected")


def challenge(channel: grpc.Channel, token: str, *names: str) -> match_pb2.Match:
    """A whole match between connected bots, watched to its end, as it stands afterwards."""
    matches = match_pb2_grpc.MatchServiceStub(channel)
    wanted = match_pb2.CreateMatchRequest(variant="koikoi", options={"months": "12"}, bots=names)
    match = matches.CreateMatch(wanted, metadata=bearer(token), timeout=DEADLINE_S).match
    watching = matches.WatchMatch(
        match_pb2.WatchMatchRequest(match_id=match.match_id), metadata=bearer(token), timeout=DEADLINE_S
    )
    seen = [message.WhichOneof("message") for message in watching]
    assert seen[-1] == "match_end"
    assert seen.count("event") > 10
    return matches.GetMatch(match_pb2.GetMatchRequest(match_id=match.match_id), metadata=bearer(token)).match


def refusal(call: Callable[..., object], *arguments: str) -> tuple[grpc.StatusCode, str, str]:
    """Status, reason and text of a call that has to be refused."""
    with pytest.raises(grpc.RpcError) as caught:
        call(*arguments)
    for detail in rpc_status.from_call(caught.value).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return caught.value.code(), info.reason, str(caught.value.details())
    raise AssertionError("the error tells no reason")
