"""A node over a real store, in the test's own loop, and calls of its services."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from play_arena import RawBot, reason_of, soon

from arena.challenges import Challenges
from arena.node.node import running_node
from arena.node.server import Listen
from arena.organizer.limits import ChallengeLimits
from arena.store import Store
from hanafuda.arena.v1 import play_pb2_grpc


async def refusal(call: Any) -> tuple[grpc.StatusCode, str, dict[str, str]]:
    """Status, ErrorInfo's reason and the faulty fields of a call that has to fail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await soon(call)
    status = rpc_status.from_call(caught.value)
    fields: dict[str, str] = {}
    for detail in status.details:
        bad = error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            fields = {one.field: one.description for one in bad.field_violations}
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
async def node_on(data: Path, sockets: Path, limits: ChallengeLimits | None = None) -> AsyncIterator[Node]:
    """A node with a store of its own."""
    address = f"unix:{sockets}/s"
    async with (
        await Store.open(data / "data") as store,
        running_node(store, data, Listen((address,)), limits=limits or ChallengeLimits()),
        grpc.aio.insecure_channel(address) as channel,
    ):
        yield Node(store, address, channel)
