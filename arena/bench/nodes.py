"""What more nodes, and many idle bots, do to a league: `python -m arena.bench.nodes` measures it.

`python -m arena.bench.nodes node FOLDER MODE` is a node, which ends when its standard input does.
"""

import asyncio
import contextlib
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc
import psutil
import uvloop

from arena.bench import Result, lines
from arena.bench.house_leagues import begin, house_league, matches_per_second
from arena.node.node import NodeOptions, running_node
from arena.node.server import Listen
from arena.store import Store
from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

BOTS = 32
ROUNDS = 4
"""Of which the first is not counted: bots start in it, and programs are read."""
BOARDS = 16
IDLE = 2_000
_STREAMS_A_CHANNEL = 200
_MEBIBYTE = 1 << 20
_IN_PROCESS = "in-process"
_OVER_GRPC = "over-grpc"


def measure() -> list[Result]:
    """Matches/s of two nodes over those of one, and a node's memory with idle bots."""
    return [
        Result("league.nodes.2", _ratio(_IN_PROCESS, BOTS, BOARDS), "ratio"),
        Result("league.nodes.2.grpc", _ratio(_OVER_GRPC, 8, 8), "ratio"),
        *uvloop.run(_idle()),
    ]


def _ratio(mode: str, bots: int, boards: int) -> float:
    alone, together = (uvloop.run(_rate(nodes, mode, bots, boards)) for nodes in (1, 2))
    return together / alone


async def _rate(nodes: int, mode: str, bots: int, boards: int) -> float:
    """Whole matches a second of a league on so many nodes, each a process, from the start of round 2 to the end."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        async with await Store.open(folder / "data") as store, AsyncExitStack() as stack:
            for number in range(nodes):
                await stack.enter_async_context(_node(folder, number, mode))
            return await _played(store, folder, bots, boards)


async def _played(store: Store, folder: Path, bots: int, boards: int) -> float:
    """Matches a second of a league that the nodes of a store play."""
    await begin(store, house_league(bots, f"rounds = {ROUNDS}\nboards = {boards}"), folder)
    return await matches_per_second(store, lambda: asyncio.sleep(0.02))


@asynccontextmanager
async def _node(folder: Path, number: int, mode: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "arena.bench.nodes", "node", str(folder), str(number), mode),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        await process.stdout.readline()
        yield process
    finally:
        process.stdin.close()
        await process.wait()


async def _idle() -> list[Result]:
    """A node's memory with idle bots connected, and a league's matches/s with them over those without."""
    results = []
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        async with await Store.open(folder / "data") as store, _node(folder, 0, _OVER_GRPC) as node:
            tokens = [(await store.bots.create(f"idle-{number}"))[1] for number in range(IDLE)]
            bots = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "arena.bench.nodes", "idle", f"unix:{folder}/0.sock"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            assert bots.stdin is not None
            assert bots.stdout is not None
            bots.stdin.write(json.dumps(tokens).encode() + b"\n")
            await bots.stdout.readline()
            results.append(Result(f"node.rss.{IDLE}", psutil.Process(node.pid).memory_info().rss / _MEBIBYTE, "MiB"))
            with_them = await _played(store, folder, 8, 8)
            bots.kill()
            await bots.wait()
    without = await _rate(1, _OVER_GRPC, 8, 8)
    return [*results, Result(f"league.idle.{IDLE}", with_them / without, "ratio")]


async def _be_node(folder: Path, number: str, mode: str) -> None:
    listen = Listen((f"unix:{folder}/{number}.sock",))
    data = folder / number
    async with (
        await Store.open(folder / "data", attach=True) as store,
        running_node(store, data, listen, options=NodeOptions(house_programs=mode == _OVER_GRPC)),
    ):
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def _be_idle(address: str) -> None:
    """Bots that connect, and do nothing more."""
    tokens = json.loads(sys.stdin.readline())
    channels = [
        grpc.aio.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),))
        for _ in range(0, len(tokens), _STREAMS_A_CHANNEL)
    ]
    streams = []
    for place, token in enumerate(tokens):
        stub = play_pb2_grpc.PlayServiceStub(channels[place // _STREAMS_A_CHANNEL])
        stream = stub.Play(metadata=(("authorization", f"Bearer {token}"),))
        await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1)))
        await stream.read()
        streams.append(stream)
    print("connected", flush=True)
    await asyncio.gather(*(stream.read() for stream in streams))


if __name__ == "__main__":
    what, *arguments = sys.argv[1:] or ["measure"]
    if what == "node":
        uvloop.run(_be_node(Path(arguments[0]), *arguments[1:]))
    elif what == "idle":
        with contextlib.suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
            uvloop.run(_be_idle(*arguments))
    else:
        print(*lines(measure()), sep="\n")
