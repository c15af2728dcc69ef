"""A node's process with many matches under way: `python -m arena.bench.node_memory MATCHES` prints its memory in MiB.

Bots in another process take their first question and keep it. Every match is a whole one: seats, clock, state, stream.
"""

import asyncio
import json
import sys
import tempfile

import grpc
import psutil
import uvloop

from arena.match.model import MatchSpec, TimeControl
from arena.match.play import play
from arena.node.server import Listen, Server
from arena.rpc.identity import BotIdentity, MemoryTokens
from arena.services import leagues, watching  # noqa: F401 - a node has all of this loaded
from arena.stream.hub import Hub
from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

BOTS = 8
_HOUR_MS = 3_600_000
_MEBIBYTE = 1 << 20


async def _measure(matches: int) -> float:
    hub, tokens = Hub(), MemoryTokens()
    server = Server(hub, tokens)
    names = [f"bot{n}" for n in range(BOTS)]
    with tempfile.TemporaryDirectory(prefix="memory-") as folder:
        address = f"unix:{folder}/s"
        await server.start(Listen((address,)))
        bots = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "arena.bench.node_memory", "--bots", address),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert bots.stdin is not None
        assert bots.stdout is not None
        orders = {"tokens": [tokens.issue(BotIdentity(name)) for name in names], "matches": matches}
        bots.stdin.write(json.dumps(orders).encode() + b"\n")
        await hub.wait_until(lambda: len(hub.names()) == BOTS)
        tables = [
            asyncio.create_task(
                play(
                    MatchSpec(
                        f"m{number}",
                        "koikoi",
                        number.to_bytes(32, "big"),
                        (names[number % BOTS], names[(number + 1) % BOTS]),
                        time=TimeControl(_HOUR_MS, _HOUR_MS),
                    ),
                    [hub.seat(names[number % BOTS]), hub.seat(names[(number + 1) % BOTS])],
                )
            )
            for number in range(matches)
        ]
        # One line: every match has an open question.
        await bots.stdout.readline()
        memory = psutil.Process().memory_info().rss / _MEBIBYTE
        bots.kill()
        await bots.wait()
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
        await server.stop()
    return memory


async def _keep_questions(address: str) -> None:
    """The bots: they tell when every match has asked, and never answer."""
    orders = json.loads(sys.stdin.readline())
    asked = 0

    async def bot(token: str) -> None:
        nonlocal asked
        async with grpc.aio.insecure_channel(address) as channel:
            stream = play_pb2_grpc.PlayServiceStub(channel).Play(metadata=(("authorization", f"Bearer {token}"),))
            await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1, max_matches=256)))
            async for response in stream:
                asked += response.HasField("decision")
                if asked == orders["matches"]:
                    print("asked", flush=True)

    await asyncio.gather(*(bot(token) for token in orders["tokens"]))


if __name__ == "__main__":
    if sys.argv[1] == "--bots":
        uvloop.run(_keep_questions(sys.argv[2]))
    else:
        print(uvloop.run(_measure(int(sys.argv[1]))))
