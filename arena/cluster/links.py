"""Calls to other nodes: a stream to each with the seats of bots there, hand-over of jobs, matches to watch."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import grpc

from arena.match.model import MatchSpec
from arena.seats.errors import LinkError
from arena.seats.peer import PeerSeat
from hanafuda.arena.v1 import match_pb2, node_pb2, node_pb2_grpc

log = logging.getLogger(__name__)

_OPTIONS = (
    ("grpc.max_receive_message_length", 16 << 20),
    ("grpc.use_local_subchannel_pool", 1),
    # Keepalive notices a node that has gone without closing its connections.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
)
_LINK_S = 5.0
"""How long another node may take to open a seat."""


class Links:
    """This node's streams to others. `tls_ca` holds the certificates to trust where they serve TLS."""

    def __init__(self, key: str, tls_ca: Path | None = None) -> None:
        self._metadata = (("authorization", f"Bearer {key}"),)
        self._tls_ca = tls_ca
        self._links: dict[str, Link] = {}
        self._channels: dict[str, grpc.aio.Channel] = {}
        self._faults: dict[str, str] = {}
        """Why the last stream to a node was lost, where no seat was opened there since."""

    async def seat(self, address: str, bot: str, spec: MatchSpec, *, tls: bool) -> "PeerSeat":
        """Return a place of a bot of that node. Raises LinkError, NotConnectedError, NoPlaceError."""
        link = self._links.get(address)
        if link is None or link.lost:
            stream = self._stub(address, tls).Link(metadata=self._metadata)
            link = self._links[address] = Link(stream, address, partial(self._on_loss, address))
        seat = await link.open(bot, spec)
        self._faults.pop(address, None)
        return seat

    async def hand_over(self, address: str, job: bytes, *, tls: bool) -> None:
        """Give a job to that node. Raises LinkError."""
        request = node_pb2.HandOverRequest(job=job)
        try:
            await self._stub(address, tls).HandOver(request, metadata=self._metadata, timeout=_LINK_S)
        except grpc.aio.AioRpcError as error:
            raise LinkError(f"node at {address}: {error.details()}") from error

    async def watch(
        self, address: str, match_id: str, seen: int, *, tls: bool
    ) -> AsyncGenerator[match_pb2.WatchMatchResponse, None]:
        """Yield a match that node plays, from after so many events on; nothing where it does not. Raises LinkError.

        To be closed when it is left before its end.
        """
        request = node_pb2.WatchRequest(match_id=match_id, seen=seen)
        call = self._stub(address, tls).Watch(request, metadata=self._metadata)
        try:
            async for response in call:
                yield response.shown
        except grpc.aio.AioRpcError as error:
            raise LinkError(f"node at {address}: {error.details()}") from error
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            raise LinkError(f"node at {address}: the channel was closed") from None
        finally:
            call.cancel()

    async def drop(self, address: str) -> None:
        """Close the connection to a node that is gone."""
        link = self._links.pop(address, None)
        if link is not None:
            await link.close()
        channel = self._channels.pop(address, None)
        if channel is not None:
            await channel.close()

    async def close(self) -> None:
        """End all streams."""
        for address in list(self._channels):
            await self.drop(address)

    def _on_loss(self, address: str, seats: int, reason: str) -> None:
        """Log a loss once, however often the connection is tried again."""
        if seats and self._faults.get(address) != reason:
            log.warning("the link to the node at %s is lost with %d seats: %s", address, seats, reason)
            self._faults[address] = reason

    def _stub(self, address: str, tls: bool) -> Any:
        channel = self._channels.get(address)
        if channel is None:
            channel = self._channels[address] = self._channel(address, tls)
        return node_pb2_grpc.NodeServiceStub(channel)

    def _channel(self, address: str, tls: bool) -> grpc.aio.Channel:
        if not tls:
            return grpc.aio.insecure_channel(address, options=_OPTIONS)
        roots = self._tls_ca.read_bytes() if self._tls_ca else None
        return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(roots), options=_OPTIONS)


class Link:
    """One stream to one node."""

    def __init__(self, stream: Any, address: str, on_loss: Callable[[int, str], None]) -> None:
        self.lost = False
        self._on_loss = on_loss
        self._stream = stream
        self._address = address
        self._seats: dict[int, PeerSeat] = {}
        self._numbers = 0
        self._requests: asyncio.Queue[node_pb2.LinkRequest] = asyncio.Queue()
        self._reader = asyncio.create_task(self._read())
        self._writer = asyncio.create_task(self._write())

    async def open(self, bot: str, spec: MatchSpec) -> "PeerSeat":
        """Return a place of a bot. Raises LinkError, NotConnectedError, NoPlaceError."""
        self._numbers += 1
        seat = self._seats[self._numbers] = PeerSeat(self, self._numbers, bot, spec.match_id)
        wanted = node_pb2.SeatOpen(bot=bot, match_id=spec.match_id, reconnect_ms=spec.reconnect_ms)
        self.send(seat.number, open=wanted)
        try:
            async with asyncio.timeout(_LINK_S):
                await seat.opened
        except TimeoutError:
            seat.release()
            raise LinkError(f"node at {self._address} does not answer") from None
        except BaseException:
            seat.release()
            raise
        return seat

    def send(self, seat: int, **message: Any) -> None:
        """Queue a message about a seat."""
        if not self.lost:
            self._requests.put_nowait(node_pb2.LinkRequest(seat=seat, **message))

    def forget(self, seat: int) -> None:
        """Free a seat."""
        if self._seats.pop(seat, None) is not None:
            self.send(seat, close=node_pb2.SeatClose())

    async def close(self) -> None:
        """End the stream."""
        self._lose("the stream was closed")
        self._reader.cancel()
        await asyncio.gather(self._reader, self._writer, return_exceptions=True)

    async def _read(self) -> None:
        reason = "the stream has ended"
        try:
            while isinstance(response := await self._stream.read(), node_pb2.LinkResponse):
                seat = self._seats.get(response.seat)
                if seat is not None:
                    seat.receive(response)
        except grpc.aio.AioRpcError as error:
            reason = f"{error.code().name}: {error.details()}"
        finally:
            self._lose(reason)
            self._stream.cancel()

    async def _write(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await self._stream.write(await self._requests.get())

    def _lose(self, reason: str) -> None:
        if self.lost:
            return
        self.lost = True
        self._writer.cancel()
        self._on_loss(len(self._seats), reason)
        for seat in list(self._seats.values()):
            seat.lose(LinkError(f"node at {self._address}: {reason}"))
