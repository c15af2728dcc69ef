"""A node over a real store, in the test's own loop, and calls of its services: challenges, uploads."""

import hashlib
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from play_arena import RawBot, reason_of, soon

from arena.challenges import Challenges
from arena.node.node import Cluster, NodeOptions, running_node
from arena.node.server import Listen
from arena.organizer.limits import ChallengeLimits
from arena.packs.packing import Pack, pack
from arena.store import Store
from hanafuda.arena.v1 import (
    bot_pb2,
    bot_pb2_grpc,
    league_pb2,
    league_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    owner_pb2,
    owner_pb2_grpc,
    play_pb2_grpc,
    replay_pb2,
    replay_pb2_grpc,
    submission_pb2,
    submission_pb2_grpc,
)


async def refusal(call: Any) -> tuple[grpc.StatusCode, str, dict[str, str]]:
    """Status, ErrorInfo's reason and the faulty fields of a call that has to fail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await soon(call)
    status = rpc_status.from_call(caught.value)
    fields: dict[str, str] = {}
    for detail in status.details:
        bad = error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            fields = {violation.field: violation.description for violation in bad.field_violations}
    return caught.value.code(), reason_of(status), fields


class Node:
    """A node over a real store."""

    def __init__(self, store: Store, address: str, channel: grpc.aio.Channel) -> None:
        self.store, self.address, self.channel = store, address, channel

    async def register(self, name: str) -> str:
        """The token of a bot that anyone may challenge."""
        token = (await self.store.bots.create(name))[1]
        await self.store.bots.take_challenges(name, Challenges.ANYONE)
        return token

    async def connect(self, token: str, **hello: Any) -> RawBot:
        """A bot that has said Hello."""
        metadata = (("authorization", f"Bearer {token}"),)
        bot = RawBot(play_pb2_grpc.PlayServiceStub(self.channel).Play(metadata=metadata))
        await bot.hello(**hello)
        return bot

    def call(self, stub: Any, method: str, request: Any, token: str | None) -> Any:
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        return getattr(stub(self.channel), method)(request, metadata=metadata)


@asynccontextmanager
async def node_on(
    data: Path, sockets: Path, limits: ChallengeLimits | None = None, cluster: Cluster | None = None
) -> AsyncIterator[Node]:
    """A node with a store of its own."""
    address = f"unix:{sockets}/s"
    async with (
        await Store.open(data / "data") as store,
        running_node(store, data, Listen((address,)), cluster, options=NodeOptions(limits=limits or ChallengeLimits())),
        grpc.aio.insecure_channel(address) as channel,
    ):
        yield Node(store, address, channel)


SERVICES = (
    (match_pb2, match_pb2_grpc.MatchServiceStub),
    (bot_pb2, bot_pb2_grpc.BotServiceStub),
    (league_pb2, league_pb2_grpc.LeagueServiceStub),
    (owner_pb2, owner_pb2_grpc.OwnerServiceStub),
    (replay_pb2, replay_pb2_grpc.ReplayServiceStub),
    (submission_pb2, submission_pb2_grpc.SubmissionServiceStub),
)
"""The files of the services that want a token, with their stubs; that of the bots' own streams is not among them."""


def methods() -> Iterator[tuple[Any, Any, Any]]:
    """Each method of them: its stub, its descriptor, and its request's class."""
    for file, stub in SERVICES:
        for service in file.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield stub, method, getattr(file, method.input_type.name)


HOUR_MS = 3_600_000
ANYTHING = ChallengeLimits(clock_ms=HOUR_MS, open=1000, hourly=1000)


async def create(node: Node, token: str, *bots: str, **fields: Any) -> match_pb2.Match:
    """A challenge of one month of koi-koi, which the arena has taken."""
    request = match_pb2.CreateMatchRequest(**{"variant": "koikoi", "bots": bots, "options": {"months": "1"}, **fields})
    return (await soon(node.call(match_pb2_grpc.MatchServiceStub, "CreateMatch", request, token))).match


async def match(node: Node, token: str, match_id: str) -> match_pb2.Match:
    """A match as it stands."""
    request = match_pb2.GetMatchRequest(match_id=match_id)
    return (await soon(node.call(match_pb2_grpc.MatchServiceStub, "GetMatch", request, token))).match


async def ended(node: Node, token: str, match_id: str) -> match_pb2.Match:
    """The match once it is over."""
    request = match_pb2.WatchMatchRequest(match_id=match_id)
    async for _ in node.call(match_pb2_grpc.MatchServiceStub, "WatchMatch", request, token):
        pass
    return await match(node, token, match_id)


STUB = submission_pb2_grpc.SubmissionServiceStub
CHUNK = 48 << 10


class Sender:
    """The submissions service, called by one owner."""

    def __init__(self, node: Node, token: str) -> None:
        self.node, self.token = node, token

    def begin(self, bot: str, version: str, data: bytes, /, **changed: Any) -> Any:
        fields = {"bot": bot, "version": version, "size": len(data), "sha256": hashlib.sha256(data).digest()}
        request = submission_pb2.BeginUploadRequest(**{**fields, **changed})
        return self.node.call(STUB, "BeginUpload", request, self.token)

    def append(self, version: str, offset: int, data: bytes) -> Any:
        request = submission_pb2.AppendUploadRequest(version=version, offset=offset, data=data)
        return self.node.call(STUB, "AppendUpload", request, self.token)

    def finish(self, bot: str, version: str) -> Any:
        request = submission_pb2.FinishUploadRequest(bot=bot, version=version)
        return self.node.call(STUB, "FinishUpload", request, self.token)

    async def send(self, bot: str, version: str, data: bytes) -> bot_pb2.BotVersion:
        """Everything from the beginning to the version."""
        received = (await soon(self.begin(bot, version, data))).received
        while received < len(data):
            received = (await soon(self.append(version, received, data[received : received + CHUNK]))).received
        return (await soon(self.finish(bot, version))).version

    async def submit(self, packed: Pack) -> bot_pb2.BotVersion:
        return await self.send(packed.manifest.name, packed.version, packed.data)


def packed(folder: Path, name: str = "crane", *, filler: int = 0) -> Pack:
    """A bot's folder, packed; with so many bytes that cannot be compressed."""
    folder /= name
    folder.mkdir(exist_ok=True)
    manifest = f'[bot]\nname = "{name}"\ncommand = ["python", "bot.py"]\nvariants = ["koikoi"]\nabout = "A crane."\n'
    (folder / "bot.toml").write_text(manifest)
    (folder / "bot.py").write_text("print('hello')\n")
    (folder / "filler").write_bytes(random.Random(filler).randbytes(filler))
    return pack(folder)
