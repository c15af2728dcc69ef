"""The bots that are connected to this node."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

import core_ext
from arena.rpc.errors import ApiError, Reason, invalid
from arena.rpc.identity import BotIdentity
from arena.seats.errors import NoPlaceError, NotConnectedError
from arena.seats.outbox import Outbox
from arena.seats.stream import StreamSeat
from arena.stream.pipe import Inputs
from arena.stream.session import S, Session
from arena.stream.transport import Connection
from hanafuda.arena.v1 import play_pb2

PROTOCOL_VERSION = 1
_RECONNECT_AFTER_MS = 1_000
"""When bots of a node that goes down are to try to connect again."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What one bot may ask of the node. Times in milliseconds, sizes in bytes."""

    max_matches: int = 256
    reconnect_ms: int = 10_000
    hello_ms: int = 10_000
    goodbye_ms: int = 2_000
    strays: int = 100
    queue_bytes: int = 1 << 20
    queue_bytes_per_match: int = 8 << 10
    message_bytes: int = 64 << 10


class ConnectedBot(Struct, frozen=True):
    """How many matches at once a bot takes, how many more now, and the variants it plays (none: all)."""

    max_matches: int = 0
    places: int = 0
    variants: tuple[str, ...] = ()

    def plays(self, variant: str) -> bool:
        """Tell whether the bot plays the variant."""
        return not self.variants or variant in self.variants


class BotLocator(Protocol):
    """Which bots can be given matches."""

    def find(self, name: str) -> ConnectedBot | None:
        """Return the bot, if it is connected."""


Listener = Callable[[BotIdentity, bool], None]


class Hub:
    """The sessions of the connected bots, and seats of them for the referee.

    Belongs to one event loop. Nothing polls: whoever waits for a bot is woken by a change.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._sessions: dict[str, Session] = {}
        self._listeners: list[Listener] = []
        self._change = asyncio.Event()
        self._closing = False
        self.outbox = Outbox()
        """What is written to the bots of this node, at the end of each turn of the event loop."""
        self.inputs = Inputs()
        """What the programs write that this node runs."""

    # For those who schedule matches.

    def connected(self, name: str) -> bool:
        """Tell whether a connection of the bot stands."""
        session = self._sessions.get(name)
        return session is not None and session.live

    def names(self) -> list[str]:
        """Return the bots that are connected, by name."""
        return sorted(name for name in self._sessions if self.connected(name))

    def places(self, name: str, match_id: str = "") -> int:
        """Return how many more matches the bot takes now; 0 when it is not connected or drains.

        A seat that the match itself has here makes room for it.
        """
        session = self._sessions.get(name)
        if session is None:
            return 0
        places = session.places + (match_id in session.seats)
        session.missed = session.missed or not places
        return places

    def find(self, name: str) -> ConnectedBot | None:
        """Return the bot, if it is connected."""
        session = self._sessions.get(name)
        if session is None or not session.live:
            return None
        return ConnectedBot(session.max_matches, session.places, session.variants)

    def seat(self, name: str, match_id: str = "") -> StreamSeat:
        """Return a seat of the bot for one match; it takes a place until the match ends or `release` is called.

        A seat left behind by an earlier play of the same match is replaced. Raises
        NotConnectedError, NoPlaceError.
        """
        return self.seat_of(StreamSeat, name, match_id)

    def seat_of(self, kind: type[S], name: str, match_id: str = "") -> S:
        """Return a seat of the given kind."""
        session = self._sessions.get(name)
        if session is None or not session.live:
            raise NotConnectedError(f"bot {name} is not connected")
        if not self.places(name, match_id):
            raise NoPlaceError(f"bot {name} takes no more matches now")
        return session.reserve(kind, match_id)

    async def changed(self, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Wait until a bot connects, is lost, drains, or a place is freed; at most `timeout` seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._change.wait()

    async def wait_until(self, holds: Callable[[], bool], timeout: float | None = None) -> bool:  # noqa: ASYNC109
        """Wait until `holds()`; False when `timeout` seconds pass before."""
        try:
            async with asyncio.timeout(timeout):
                while not holds():
                    await self.changed()
        except TimeoutError:
            return holds()
        return True

    def listen(self, listener: Listener) -> None:
        """Call `listener(identity, connected)` whenever a bot says Hello or is lost."""
        self._listeners.append(listener)

    def moved(self, name: str) -> None:
        """The bot has connected to another node: its session here ends, and its matches go on there."""
        session = self._sessions.get(name)
        if session is not None:
            session.leave()

    def wake(self) -> None:
        """Wake everybody who waits for a change."""
        self._change.set()
        self._change.clear()

    # For the play service.

    def connect(self, identity: BotIdentity, hello: play_pb2.Hello) -> tuple[Session, Connection]:
        """Return a bot's Hello. Raises ApiError when it cannot play here."""
        self._admit(identity, hello)
        limits = self.limits
        session = self._sessions.get(identity.name)
        if session is None:
            session = self._sessions[identity.name] = Session(identity, limits.strays, self._on_change)
        elif session.connection is not None and hello.resume_token not in ("", session.resume_token):
            raise ApiError(Reason.CONNECTION_TAKEN_OVER, "a newer connection of this bot took over")
        session.identity = identity
        session.max_matches = min(hello.max_matches or 1, limits.max_matches)
        session.variants = tuple(sorted(set(hello.variants)))
        session.updates = hello.updates
        session.resume_token = secrets.token_urlsafe(16)
        connection = Connection(limits.queue_bytes + limits.queue_bytes_per_match * session.max_matches)
        session.attach(
            connection,
            play_pb2.Welcome(
                protocol_version=PROTOCOL_VERSION,
                bot=identity.name,
                resume_token=session.resume_token,
                max_matches=session.max_matches,
                reconnect_ms=limits.reconnect_ms,
            ),
        )
        self._notify(identity, connected=True)
        return session, connection

    def disconnect(self, session: Session, connection: Connection) -> None:
        """The stream of the connection has ended."""
        was = session.connection is connection
        session.detach(connection)
        if was:
            self._notify(session.identity, connected=False)

    def drop(self, name: str) -> None:
        """Drop the bot's connection without a Goodbye, as a network would: for the bot check."""
        session = self._sessions.get(name)
        if session is not None and session.connection is not None:
            session.connection.abandon()

    def retire(self, name: str) -> None:
        """Send the bot Goodbye when its matches are over, as if it had asked to drain."""
        session = self._sessions.get(name)
        if session is not None:
            session.drain()

    def shut_down(self) -> None:
        """Accept no more connections and send Goodbye to all bots; their matches are not failed."""
        self._closing = True
        for session in self._sessions.values():
            if session.connection is not None:
                session.connection.close(
                    play_pb2.GOODBYE_REASON_SHUTTING_DOWN, "the node goes down", _RECONNECT_AFTER_MS
                )

    def _admit(self, identity: BotIdentity, hello: play_pb2.Hello) -> None:
        if hello.protocol_version != PROTOCOL_VERSION:
            raise ApiError(
                Reason.UNSUPPORTED_PROTOCOL,
                f"this arena speaks protocol version {PROTOCOL_VERSION}, the bot {hello.protocol_version}",
                metadata={"supported": str(PROTOCOL_VERSION)},
            )
        if hello.bot not in ("", identity.name):
            raise ApiError(Reason.BOT_MISMATCH, f"the token belongs to another bot than {hello.bot!r}")
        unknown = sorted(set(hello.variants).difference(core_ext.VARIANTS))
        if unknown:
            variants = ", ".join(core_ext.VARIANTS)
            raise invalid(variants=f"unknown variant {unknown[0]!r}; this arena plays {variants}")
        if self._closing:
            raise ApiError(Reason.SHUTTING_DOWN, "the node goes down")

    def _on_change(self, session: Session) -> None:
        session.missed = False
        if session.connection is None and not session.reserved:
            self._sessions.pop(session.identity.name, None)
        self.wake()

    def _notify(self, identity: BotIdentity, *, connected: bool) -> None:
        for listener in self._listeners:
            listener(identity, connected)
