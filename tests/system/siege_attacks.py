"""The attackers of `siege.py`, in a process of their own: `siege_attacks.py PROXY PAGES TOKENS…`.

PROXY is HOST:PORT of the proxy in front of a node, PAGES that of its pages; the tokens are a bot's and its owner's. One
attack follows another, each for some seconds, then all go on together, and so on. After each a line is printed: its
name, when it began and ended by the machine's clock, and the processor time that it took.
"""

import asyncio
import http.client
import itertools
import random
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import continuation_flood
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from hanafuda.arena.v1 import match_pb2, match_pb2_grpc, replay_pb2, replay_pb2_grpc

sys.path.append(str(Path(__file__).parents[1] / "services"))
from fuzz_rpcs import Fuzzer

ALONE_S, TOGETHER_S = 4.0, 8.0
_HEADS = (
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
    b"\x00\xff\r\n\r\n",
    b"POST /leagues HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
)


class Target:
    """Whom to attack, and until when."""

    def __init__(self, proxy: str, pages: str, tokens: list[str]) -> None:
        self.proxy, self.tokens = proxy, tokens
        self.proxy_place, self.pages_place = (_place(address) for address in (proxy, pages))
        self.until = 0.0

    def goes_on(self) -> bool:
        """Whether the attack under way goes on."""
        return time.monotonic() < self.until


def _place(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host, int(port)


def headers_without_end(target: Target) -> None:
    """CONTINUATION frames, from several connections."""
    continuation_flood.SECONDS = target.until - time.monotonic()
    flood = continuation_flood.Flood(*target.proxy_place)
    flood.run()
    flood.join()


def silent_connections(target: Target) -> None:
    """As many connections as are taken, to the proxy and to the pages, that say nothing."""
    held: list[socket.socket] = []
    while target.goes_on():
        for place in (target.proxy_place, target.pages_place):
            try:
                held.append(socket.create_connection(place, 1, ("127.0.0.8", 0)))
            except OSError:
                time.sleep(0.05)
        time.sleep(0.002)
    for connection in held:
        connection.close()


def streams_without_token(target: Target) -> None:
    """Watchers of the node's health that never end."""
    with grpc.insecure_channel(target.proxy) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        watchers: list[grpc.Future] = []
        while target.goes_on():
            watchers.append(stub.Watch(health_pb2.HealthCheckRequest()))
            time.sleep(0.01)
        for watcher in watchers:
            watcher.cancel()


def long_lists(target: Target) -> None:
    """Parallel pages of matches and replays, by one bot."""
    metadata = (("authorization", f"Bearer {target.tokens[0]}"),)

    def ask(number: int) -> None:
        with grpc.insecure_channel(target.proxy, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
            matches, replays = match_pb2_grpc.MatchServiceStub(channel), replay_pb2_grpc.ReplayServiceStub(channel)
            while target.goes_on():
                try:
                    if number % 2:
                        matches.ListMatches(match_pb2.ListMatchesRequest(page_size=100), metadata=metadata, timeout=30)
                    else:
                        replays.ListReplays(replay_pb2.ListReplaysRequest(page_size=100), metadata=metadata, timeout=30)
                except grpc.RpcError:
                    time.sleep(0.01)

    _at_once(ask, 16)


def mutated_messages(target: Target) -> None:
    """What `fuzz_rpcs.py` sends."""

    async def fuzz() -> None:
        async with grpc.aio.insecure_channel(target.proxy) as channel:
            fuzzer = Fuzzer(channel, target.tokens, random.randrange(2**32))
            while target.goes_on():
                await fuzzer.run(fuzzer.sent + 200)
            # What the proxy says of a node that does not answer is UNAVAILABLE: it may refuse, not fail.
            for failure in fuzzer.failures:
                print(f"FAILED {failure}", flush=True)

    asyncio.run(fuzz())


def pages(target: Target) -> None:
    """Pages under queries that nobody asked before, and heads that are none."""

    def visit(number: int) -> None:
        for turn in itertools.count(number, 4):
            if not target.goes_on():
                return
            try:
                if turn % 5:
                    connection = http.client.HTTPConnection(*target.pages_place, timeout=10)
                    connection.request("GET", f"/bots/greedy?after={turn}&{turn}={turn}")
                    connection.getresponse().read()
                    connection.close()
                else:
                    with socket.create_connection(target.pages_place, 10, ("127.0.0.7", 0)) as raw:
                        raw.sendall(_HEADS[turn // 5 % len(_HEADS)])
                        raw.recv(4_096)
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)

    _at_once(visit, 4)


ATTACKS: tuple[Callable[[Target], None], ...] = (
    headers_without_end,
    silent_connections,
    streams_without_token,
    long_lists,
    mutated_messages,
    pages,
)


def _at_once(work: Callable[[int], None], count: int) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main(proxy: str, pages_address: str, *tokens: str) -> None:
    """Attack until somebody ends it."""
    target = Target(proxy, pages_address, [*tokens])

    def together(target: Target) -> None:
        _at_once(lambda number: ATTACKS[number](target), len(ATTACKS))

    while True:
        for name, attack in (*((attack.__name__, attack) for attack in ATTACKS), ("all", together)):
            began, used = time.monotonic(), time.process_time()
            target.until = began + (TOGETHER_S if name == "all" else ALONE_S)
            attack(target)
            print(f"was {name} {began} {time.monotonic()} {time.process_time() - used}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
