"""Lets a program that speaks over its standard input and output play at an arena, with a process for each match.

Run as `python -m arena.runner.piped HELLO COMMAND…`, with the program's Hello in hex, otherwise as a bot that connects.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from arena.processes import bound_to_parent, status_words
from arena.sdk.stdio import STDIO, frame, read_frame
from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

_MAX_MATCHES = 64
_MAX_MESSAGE_BYTES = 1 << 16
_END_S = 2.0


def hello_of(written: bytes) -> play_pb2.Hello | None:
    """The Hello with which a program's output begins, where it speaks over that."""
    with suppress(DecodeError):
        request = play_pb2.PlayRequest.FromString(read_frame(BytesIO(written)) or b"")
        return request.hello if request.HasField("hello") else None
    return None


def command_of(hello: play_pb2.Hello, command: Sequence[str]) -> list[str]:
    """The command line that plays a program in this way."""
    return [sys.executable, "-P", "-m", "arena.runner.piped", hello.SerializeToString().hex(), *command]


class _Programs:
    """A process for each match under way, between it and the stream."""

    def __init__(self, command: Sequence[str], stream: Any) -> None:
        self._command = command
        self._stream = stream
        self._writing = asyncio.Lock()
        self._welcome = b""
        self._of_match: dict[str, Process] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def hear(self, response: play_pb2.PlayResponse) -> None:
        """Pass a message on to the process of its match."""
        kind = response.WhichOneof("message")
        match_id = getattr(getattr(response, kind), "match_id", "") if kind else ""
        if kind == "welcome":
            self._welcome = frame(response.SerializeToString())
        elif kind == "match_start" and match_id not in self._of_match:
            await self._start(match_id)
        program = self._of_match.get(match_id)
        if program is not None and program.stdin is not None:
            program.stdin.write(frame(response.SerializeToString()))
            if kind == "match_end":
                del self._of_match[match_id]
                program.stdin.close()

    async def write(self, request: play_pb2.PlayRequest) -> None:
        """Write to the stream, one at a time."""
        async with self._writing:
            await self._stream.write(request)

    async def _start(self, match_id: str) -> None:
        program = await asyncio.create_subprocess_exec(
            *bound_to_parent(self._command, os.getpid()), stdin=PIPE, stdout=PIPE, env={**os.environ, STDIO: "1"}
        )
        assert program.stdin is not None
        program.stdin.write(self._welcome)
        self._of_match[match_id] = program
        task = asyncio.create_task(self._listen(match_id, program))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self, match_id: str, program: Process) -> None:
        """Pass on what the program says, and that it ended where its match has not."""
        assert program.stdout is not None
        with suppress(asyncio.IncompleteReadError, DecodeError, grpc.aio.AioRpcError):
            while True:
                request = play_pb2.PlayRequest.FromString(await program.stdout.readexactly(await _length(program)))
                if not request.HasField("hello"):
                    await self.write(request)
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_S):
                await program.wait()
        if program.returncode is None:
            program.kill()
        if self._of_match.pop(match_id, None) is not None:
            text = f"the program {status_words(await program.wait())}"
            with suppress(grpc.aio.AioRpcError):
                await self.write(play_pb2.PlayRequest(failure=play_pb2.Failure(match_id=match_id, text=text)))


async def _length(program: Process) -> int:
    """Return the length of the next message; DecodeError where it is beyond reason."""
    assert program.stdout is not None
    length = shift = 0
    while True:
        byte = (await program.stdout.readexactly(1))[0]
        length |= (byte & 0x7F) << shift
        shift += 7
        if length > _MAX_MESSAGE_BYTES:
            raise DecodeError
        if byte < 0x80:
            return length


async def play(hello: play_pb2.Hello, command: Sequence[str]) -> int:
    """Play until the arena says goodbye or the stream is lost; the exit status."""
    hello.max_matches = _MAX_MATCHES
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        token = (("authorization", f"Bearer {os.environ['ARENA_TOKEN']}"),)
        stream = play_pb2_grpc.PlayServiceStub(channel).Play(metadata=token)
        programs = _Programs(command, stream)
        try:
            await programs.write(play_pb2.PlayRequest(hello=hello))
            while isinstance(response := await stream.read(), play_pb2.PlayResponse):
                await programs.hear(response)
        except grpc.aio.AioRpcError as error:
            sys.stderr.write(f"the stream is lost: {error.details()}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(play(play_pb2.Hello.FromString(bytes.fromhex(sys.argv[1])), sys.argv[2:])))
