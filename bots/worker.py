"""Answers for every house bot, over standard input and output: `python -m bots.worker`.

Each message is a length of four bytes, big-endian, and so many bytes of MessagePack: a `Request` comes in, a `Response`
goes out. House bots remember nothing, so any worker may answer any decision of any match.
"""

import os
import sys
from functools import cache
from typing import BinaryIO

import msgspec

from arena.sdk import Action, Decision
from bots import house
from hanafuda.arena.v1 import play_pb2

LENGTH_BYTES = 4


class Request(msgspec.Struct, array_like=True):
    """A decision for a house bot, as the serialised `play_pb2.PlayResponse` that asks for it.

    Without a decision the bot is only made, so that its first decision does not pay for that.
    """

    bot: str
    decision: bytes = b""


class Response(msgspec.Struct, array_like=True):
    """The code of the action, or why there is none."""

    code: int = 0
    error: str = ""


_requests = msgspec.msgpack.Decoder(Request)
_bot = cache(house)


def framed(message: msgspec.Struct) -> bytes:
    """The message after its length."""
    packed = msgspec.msgpack.encode(message)
    return len(packed).to_bytes(LENGTH_BYTES, "big") + packed


def respond(request: Request) -> Response:
    """What the bot answers."""
    try:
        bot = _bot(request.bot)
        if not request.decision:
            return Response()
        decision = Decision(play_pb2.PlayResponse.FromString(request.decision).decision)
        action = bot.choose(decision)
        assert isinstance(action, Action)
        return Response(action.code)
    except Exception as error:  # noqa: BLE001 - whatever the bot raises, its match ends by it and no other
        return Response(error=f"{type(error).__name__}: {error}")


def serve(requests: BinaryIO, responses: BinaryIO) -> None:
    """Answer until no more requests come."""
    while length := requests.read(LENGTH_BYTES):
        request = _requests.decode(requests.read(int.from_bytes(length, "big")))
        responses.write(framed(respond(request)))
        responses.flush()


if __name__ == "__main__":
    # What a bot prints goes to the log, not among the responses.
    responses = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, responses)
