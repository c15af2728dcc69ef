"""The attackers of `siege.py`, in a process of their own: `siege_attacks.py PROXY PAGES TOKENS…`.

PROXY is HOST:PORT of the proxy in front of a node, PAGES that of its pages; the tokens are a bot's and its owner's. One
attack follows another, each for some seconds, then all go on together, and so on. After each attack, and a pause in
which the node gets over it, as much processor time is burnt in as many seconds. Of both a line is printed: the name,
when it began and ended by the machine's clock, and the processor time that it took.
"""

import asyncio
import hashlib
import http.client
import io
import itertools
import random
import socket
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import continuation_flood
import grpc
import siege_frames
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.packs.packing import pack
from core_ext import VARIANTS
from hanafuda.arena.v1 import (
    match_pb2,
    match_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    replay_pb2,
    replay_pb2_grpc,
    submission_pb2,
    submission_pb2_grpc,
)

sys.path.append(str(Path(__file__).parents[1] / "services"))
from fuzz_rpcs import Fuzzer

ALONE_S, TOGETHER_S, PAUSE_S = 4.0, 8.0, 1.0
_HEADS = (
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
    b"\x00\xff\r\n\r\n",
    b"POST /leagues HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
)


_HOSTILE_BOTS = (
    "kept = []\nwhile True:\n    kept.append(bytearray(1 << 24))",
    "import os\nwhile True:\n    os.fork()",
    "import sys\nfor _ in range(200_000): print('2026-01-01 00:00:00 ERROR node: all is lost', file=sys.stderr)",
    "for number in range(10_000): open(f'/tmp/{number}', 'wb').write(bytes(1 << 20))",
    "import os, time\nos.close(0)\nos.close(1)\ntime.sleep(3_600)",
    "import sys\nwhile True: sys.stdout.buffer.write(bytes(1 << 16))",
)
_MANIFEST = b'[bot]\nname = "tanuki"\ncommand = ["python", "bot.py"]\nvariants = ["koikoi"]\n'
_PATHS = (
    "/data/matches.csv?bot=greedy",
    "/data/decisions.jsonl?league=caged",
    "/data/deals.csv",
    "/ja/leagues/caged",
    "/ja/search?q=%25{turn}",
    "/api/v1/matches?bot=greedy&after={turn}",
    "/api/v1/leagues/caged/owners",
    "/api/v1/live?seen={turn}",
    "/compare?bot=greedy&other={turn}",
    "/leagues/caged/preview.png",
    "/leagues/connected/events?last={turn}",
    "/replays/caged.koikoi.r1.t1.b1.a",
    "/replays/caged.koikoi.r1.t1.b1.a/preview.png?at={turn}",
    "/bots/greedy/output?token={turn}",
    "/ladders",
    "/learn?deal=1&moves={turn}.0",
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
                    connection = http.client.HTTPConnection(*target.pages_place, 10, source_address=("127.0.0.6", 0))
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


def frames_of_all_kinds(target: Target) -> None:
    """Calls taken back at once, settings, pings and other frames that ask for nothing."""
    siege_frames.floods(target.proxy_place, target.until)


def hostile_bots(target: Target) -> None:
    """Bots that are sent in and do in their qualification what they should not, and packs that are bombs."""
    metadata = (("authorization", f"Bearer {target.tokens[1]}"),)
    with grpc.insecure_channel(target.proxy) as channel:
        service = submission_pb2_grpc.SubmissionServiceStub(channel)
        for source in itertools.cycle(_HOSTILE_BOTS):
            if not target.goes_on():
                return
            data, version = _packed(source) if random.random() < 0.7 else _bomb()
            about = {"bot": "tanuki", "version": version}
            try:
                begin = submission_pb2.BeginUploadRequest(size=len(data), sha256=hashlib.sha256(data).digest(), **about)
                service.BeginUpload(begin, metadata=metadata, timeout=30)
                chunk = submission_pb2.AppendUploadRequest(version=version, data=data)
                service.AppendUpload(chunk, metadata=metadata, timeout=30)
                service.FinishUpload(submission_pb2.FinishUploadRequest(**about), metadata=metadata, timeout=30)
            except grpc.RpcError:
                time.sleep(0.02)


def _packed(source: str) -> tuple[bytes, str]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "bot.toml").write_bytes(_MANIFEST)
        (folder / "bot.py").write_text(f"# {random.random()}\n{source}\n")
        made = pack(folder)
        return made.data, made.version


def _bomb() -> tuple[bytes, str]:
    """Thousands of files, each in sixteen folders of its own."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        manifest = tarfile.TarInfo("bot.toml")
        manifest.size = len(_MANIFEST)
        archive.addfile(manifest, io.BytesIO(_MANIFEST))
        for number in range(3_846):
            archive.addfile(tarfile.TarInfo(f"c{number:04}-{random.random()}/" + "d/" * 14 + "e"))
    return out.getvalue(), hashlib.sha256(out.getvalue()).hexdigest()


def challenges(target: Target) -> None:
    """Matches that a bot asks for, whose decisions it leaves open, and leaves."""
    metadata = (("authorization", f"Bearer {target.tokens[0]}"),)
    with grpc.insecure_channel(target.proxy) as channel:
        matches = match_pb2_grpc.MatchServiceStub(channel)
        while target.goes_on():
            hello = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1, max_matches=64))
            gone = threading.Event()

            def said(
                gone: threading.Event = gone, hello: play_pb2.PlayRequest = hello
            ) -> Iterator[play_pb2.PlayRequest]:
                yield hello
                gone.wait(10)

            stream = play_pb2_grpc.PlayServiceStub(channel).Play(said(), metadata=metadata)
            for turn in range(20):
                if not target.goes_on():
                    break
                variant = VARIANTS[turn % len(VARIANTS)]
                bots = ["crane", *["house:random"] * (2 if variant == "hachihachi" else 1)]
                try:
                    matches.CreateMatch(
                        match_pb2.CreateMatchRequest(variant=variant, bots=bots), metadata=metadata, timeout=30
                    )
                except grpc.RpcError:
                    time.sleep(0.02)
            gone.set()
            stream.cancel()


def readers(target: Target) -> None:
    """Downloads, previews, live events, searches, pages in the other language and JSON, some left half read."""

    def read(number: int) -> None:
        for turn in itertools.count(random.randrange(1 << 20)):
            if not target.goes_on():
                return
            try:
                connection = http.client.HTTPConnection(*target.pages_place, timeout=2, source_address=("127.0.2.1", 0))
                connection.request("GET", _PATHS[(turn + number) % len(_PATHS)].format(turn=turn))
                answer = connection.getresponse()
                answer.read() if turn % 3 else answer.read(100)
                connection.close()
                if answer.status in (500, 502):
                    print(f"FAILED {_PATHS[(turn + number) % len(_PATHS)]}: {answer.status}", flush=True)
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)

    _at_once(read, 6)


ATTACKS: tuple[Callable[[Target], None], ...] = (
    headers_without_end,
    silent_connections,
    streams_without_token,
    long_lists,
    mutated_messages,
    pages,
    frames_of_all_kinds,
    hostile_bots,
    challenges,
    readers,
)


def _at_once(work: Callable[[int], None], count: int) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _burn(seconds: float, used_s: float) -> None:
    """Take so much processor time in so many seconds. What others did not leave is caught up with."""
    began, before = time.monotonic(), time.process_time()
    while (at := time.monotonic() - began) < seconds:
        if time.process_time() - before >= used_s * at / seconds:
            time.sleep(0.002)


def main(proxy: str, pages_address: str, *tokens: str) -> None:
    """Attack until somebody ends it."""
    target = Target(proxy, pages_address, [*tokens])

    def together(target: Target) -> None:
        _at_once(lambda number: ATTACKS[number](target), len(ATTACKS))

    while True:
        for name, attack in (*((attack.__name__, attack) for attack in ATTACKS), ("all", together)):
            started, used = time.monotonic(), time.process_time()
            target.until = started + (TOGETHER_S if name == "all" else ALONE_S)
            attack(target)
            ended, used = time.monotonic(), time.process_time() - used
            print(f"was {name} {started} {ended} {used}", flush=True)
            time.sleep(PAUSE_S)
            began, burnt = time.monotonic(), time.process_time()
            _burn(ended - started, used)
            print(f"burnt {name} {began} {time.monotonic()} {time.process_time() - burnt}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
