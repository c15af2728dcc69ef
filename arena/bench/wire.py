"""Decisions a second over gRPC, beside a bare echo of the same messages on as many streams.

Two processes: the measured server in this one, all bots in another. The client is the same in both cases; each bot has
a channel and a stream of its own. In the arena each bot plays two matches at once, in each of which one side is asked:
on average one open decision a stream, as in the echo. Both servers run in one process, tuned as a node's is and
with the same settings of gRPC. Both are measured in turn, many times; the medians count, for the ratio the median
over pairs that were measured one right after the other.
"""

import asyncio
import contextlib
import itertools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeAlias

import grpc
import uvloop

from arena import wire
from arena.bench import Result
from arena.match.journal import Journal
from arena.match.model import MatchResult, MatchSpec
from arena.match.play import play
from arena.match.question import Answer, Question
from arena.match.seat import Seat
from arena.node.process import tune_process
from arena.node.server import Listen, Server
from arena.rpc.identity import BotIdentity, MemoryTokens
from arena.stream.hub import Hub
from core_ext import Event
from hanafuda.arena.v1 import play_pb2

VARIANT = "koikoi"
_METHOD = "/hanafuda.arena.v1.PlayService/Play"
_START_SECONDS = 20.0

Context: TypeAlias = "grpc.aio.ServicerContext[play_pb2.PlayRequest, play_pb2.PlayResponse]"


def measure(streams: int = 64, rounds: int = 21, seconds: float = 0.8) -> list[Result]:
    """Measure both in turn, `rounds` times each for `seconds`, after a warm-up of half of it."""
    decisions, echo = uvloop.run(_measure(streams, rounds, seconds))
    ratio = statistics.median(mine / bare for mine, bare in zip(decisions, echo, strict=True))
    return [
        Result("wire.decisions", statistics.median(decisions), "decisions/s"),
        Result("wire.echo", statistics.median(echo), "decisions/s"),
        Result("wire.ratio", ratio, "ratio"),
    ]


async def _measure(streams: int, rounds: int, seconds: float) -> tuple[list[float], list[float]]:
    tune_process()
    sample = await sample_messages()
    rates_of: dict[Callable[..., Any], list[float]] = {arena_server: [], echo_server: []}
    for _ in range(rounds):
        for kind, rates in rates_of.items():
            with tempfile.TemporaryDirectory(prefix="wire-") as folder:
                async with kind(f"unix:{folder}/s", streams, sample) as count:
                    rates.append(await rate(count, seconds))
    return rates_of[arena_server], rates_of[echo_server]


async def rate(count: Callable[[], int], seconds: float) -> float:
    """By how much `count` rises in a second, measured for `seconds`."""
    await asyncio.sleep(seconds / 2)
    began, before = time.perf_counter(), count()
    await asyncio.sleep(seconds)
    return (count() - before) / (time.perf_counter() - began)


class Counter:
    """A journal that only counts."""

    def __init__(self) -> None:
        self.decisions = 0

    def write(self, _: object) -> None:
        """One more."""
        self.decisions += 1

    def read(self) -> int:
        """How many there have been."""
        return self.decisions


# The arena: a node with its referee in this process.


@asynccontextmanager
async def arena_server(address: str, streams: int, _: object) -> AsyncIterator[Callable[[], int]]:
    """A node with bots that are connected to it; reads how many decisions they have made."""
    async with metered_server(address, streams, lambda _, journal: journal) as count:
        yield count


@asynccontextmanager
async def metered_server(
    address: str, streams: int, metered: Callable[[str, Journal], Journal]
) -> AsyncIterator[Callable[[], int]]:
    """As `arena_server`; `metered` makes the journal of a match, around one that counts."""
    hub, tokens = Hub(), MemoryTokens()
    server = Server(hub, tokens)
    await server.start(Listen((address,)))
    names = [f"bot{n}" for n in range(streams)]
    client = _start_client(address, [tokens.issue(BotIdentity(name)) for name in names])
    answered = Counter()
    tables = []
    try:
        if not await hub.wait_until(lambda: len(hub.names()) == streams, _START_SECONDS):
            raise TimeoutError("the bots did not connect")
        serial = itertools.count()
        for n in range(streams):
            pair = (names[n], names[(n + 1) % streams])
            tables.append(asyncio.create_task(_play_on(hub, pair, serial, partial(metered, VARIANT, answered))))
        yield answered.read
    finally:
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
        client.kill()
        client.wait()
        await server.stop()


async def _play_on(
    hub: Hub, names: tuple[str, str], serial: "itertools.count[int]", journal: Callable[[], Journal]
) -> None:
    """One match after another between two bots."""
    while True:
        number = next(serial)
        spec = MatchSpec(f"m{number}", VARIANT, number.to_bytes(32, "big"), names)
        await play(spec, [hub.seat(name) for name in names], journal=journal())


# The echo: the same messages with nothing behind them.


@asynccontextmanager
async def echo_server(
    address: str, streams: int, sample: list[play_pb2.PlayResponse]
) -> AsyncIterator[Callable[[], int]]:
    """What only echoes, with the same bots; reads how often they have answered."""
    answered = Counter()
    connected = asyncio.Barrier(streams + 1)
    end: object = grpc.aio.EOF

    async def echo(_: object, context: Context) -> None:
        with contextlib.suppress(asyncio.CancelledError):  # the client is killed in the middle
            await context.read()
            await connected.wait()
            for response in itertools.cycle(sample):
                await context.write(response)
                if not response.HasField("decision"):
                    continue
                if await context.read() is end:
                    return
                answered.decisions += 1

    handler = grpc.stream_stream_rpc_method_handler(
        echo,
        request_deserializer=play_pb2.PlayRequest.FromString,
        response_serializer=play_pb2.PlayResponse.SerializeToString,
    )
    server = grpc.aio.server()
    _, service, method = _METHOD.split("/")
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
    server.add_insecure_port(address)
    await server.start()
    client = _start_client(address, ["-"] * streams)
    try:
        async with asyncio.timeout(_START_SECONDS):
            await connected.wait()
        yield answered.read
    finally:
        client.kill()
        client.wait()
        await server.stop(0)


class _Scribe(Seat):
    """Plays at random and keeps what a bot would be sent."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[play_pb2.PlayResponse] = []

    async def start(self, spec: MatchSpec, seat: int) -> None:
        self.written.append(play_pb2.PlayResponse(match_start=wire.match_start(spec, seat)))

    async def decide(self, question: Question) -> Answer:
        self.written.append(play_pb2.PlayResponse.FromString(wire.decision_response_bytes(question)))
        return Answer(question.legal[question.random % len(question.legal)], 0.0)

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        self.written.append(play_pb2.PlayResponse(match_end=wire.match_end("m0", result, events)))


async def sample_messages() -> list[play_pb2.PlayResponse]:
    """What a bot is sent in a match."""
    scribe = _Scribe()
    await play(MatchSpec("m0", VARIANT, bytes(32), ("a", "b")), [scribe, scribe])
    return scribe.written


# The client: all bots in one process, as small as it can be.


def _start_client(address: str, tokens: list[str]) -> "subprocess.Popen[str]":
    child = subprocess.Popen(
        [sys.executable, "-m", "arena.bench.wire", address],
        stdin=subprocess.PIPE,
        text=True,
    )
    assert child.stdin is not None
    child.stdin.write(json.dumps(tokens))
    child.stdin.close()
    return child


async def _answer(address: str, token: str) -> None:
    async with grpc.aio.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        call: Callable[..., Any] = channel.stream_stream(
            _METHOD,
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )
        stream = call(metadata=(("authorization", f"Bearer {token}"),))
        write: Callable[[play_pb2.PlayRequest], Awaitable[None]] = stream.write
        await write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1, max_matches=2)))
        while (response := await stream.read()) is not grpc.aio.EOF:
            if response.HasField("decision"):
                decision = response.decision
                legal = decision.legal
                move = play_pb2.Move(
                    match_id=decision.match_id,
                    decision=decision.decision,
                    code=legal[decision.random % len(legal)].code,
                )
                await write(play_pb2.PlayRequest(move=move))


async def _answer_all(address: str, tokens: list[str]) -> None:
    await asyncio.gather(*(_answer(address, token) for token in tokens))


if __name__ == "__main__":
    uvloop.run(_answer_all(sys.argv[1], json.load(sys.stdin)))
