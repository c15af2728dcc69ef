"""Send mutated messages to every method of a node, and fail where it does: `fuzz_rpcs.py [MESSAGES] [SEED]`.

A node over a real store is started in this process. Messages are well-formed ones of each method's request, filled by
chance, of which most are then mutated: bytes changed, removed, doubled, inserted. They come without a token, with a
false one, with those of a bot and of an owner, and with the key of the arena's nodes. A node that answers UNKNOWN or
INTERNAL has failed, as has one that writes a traceback, or ends.
"""

import asyncio
import importlib
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

import grpc
import psutil
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc._cython.cygrpc import ExecuteBatchError
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from service_node import Node, node_on

import hanafuda.arena.v1
from arena.logs import RateLimit
from arena.node.node import Cluster
from arena.rpc import call_rates
from hanafuda.arena.v1 import play_pb2

AT_ONCE = 32
STREAM_MESSAGES = 40
"""How many messages a stream is sent at most."""
DEADLINE_S = 20.0
PROGRESS = 50_000
NODE_KEY = "k" * 44
BAD = (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL)
TEXTS = (
    "",
    "crane",
    "deer",
    "ann",
    "spring",
    "koikoi",
    "house:greedy",
    "house:nobody",
    "\0",
    "../x",
    "é" * 300,
    "1" * 70,
)
HELLO = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1, max_matches=4)).SerializeToString()
_KEYS = ("0", "1", "-1", "x", "crane", "18446744073709551616", "{", "*")


class Method(NamedTuple):
    """A method, by its path, and its requests."""

    path: str
    request: type[Message]
    descriptor: MethodDescriptor


class Outcome(NamedTuple):
    """What came of a run: messages sent, answers by status, and what is a failure of the node."""

    messages: int
    codes: Counter[str]
    failures: list[str]


def methods() -> Iterator[Method]:
    """Every method of the arena, and of gRPC's own services that it offers."""
    modules = [
        importlib.import_module(f"hanafuda.arena.v1.{module.name}")
        for module in iter_modules(hanafuda.arena.v1.__path__)
        if module.name.endswith("_pb2")
    ]
    for file in (*modules, health_pb2, reflection_pb2):
        for service in file.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield Method(f"/{service.full_name}/{method.name}", GetMessageClass(method.input_type), method)


def filled(rng: random.Random, kind: type[Message], depth: int = 0) -> Message:
    """A message with some of its fields set."""
    message = kind()
    for field in kind.DESCRIPTOR.fields:
        if rng.random() < 0.4 or depth > 4:
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            continue
        values = [_value(rng, field, depth) for _ in range(rng.choice((1, 1, 2, 5)) if field.is_repeated else 1)]
        if field.message_type is not None:
            if field.is_repeated:
                getattr(message, field.name).extend(values)
            else:
                getattr(message, field.name).CopyFrom(values[0])
        elif field.is_repeated:
            getattr(message, field.name).extend(values)
        else:
            setattr(message, field.name, values[0])
    return message


def _value(rng: random.Random, field: FieldDescriptor, depth: int) -> Any:
    if field.message_type is not None:
        return filled(rng, GetMessageClass(field.message_type), depth + 1)
    match field.cpp_type:
        case field.CPPTYPE_STRING if field.type == field.TYPE_BYTES:
            return rng.randbytes(rng.choice((0, 1, 32, 500)))
        case field.CPPTYPE_STRING:
            return rng.choice(TEXTS + _KEYS)
        case field.CPPTYPE_BOOL:
            return rng.random() < 0.5
        case field.CPPTYPE_ENUM:
            return rng.choice([value.number for value in field.enum_type.values])
        case field.CPPTYPE_DOUBLE | field.CPPTYPE_FLOAT:
            return rng.choice((0.0, -1.0, 1e300, float("nan"), float("inf")))
        case field.CPPTYPE_INT32 | field.CPPTYPE_INT64:
            return rng.choice((0, 1, -1, 2**31 - 1, -(2**31)))
        case _:
            return rng.choice((0, 1, 7, 100, 2**32 - 1))


def mutated(rng: random.Random, data: bytes) -> bytes:
    """The bytes, in three of four cases with some of them changed."""
    changed = bytearray(data)
    for _ in range(rng.choice((0, 1, 1, 2, 4, 16))):
        at = rng.randrange(len(changed) + 1)
        match rng.randrange(5):
            case 0 if at < len(changed):
                changed[at] ^= 1 << rng.randrange(8)
            case 1:
                changed[at:at] = rng.randbytes(rng.choice((1, 2, 8)))
            case 2:
                del changed[at : at + rng.choice((1, 2, 8, 64))]
            case 3:
                changed += changed[at : at + 64]
            case 4 if at < len(changed):
                changed[at] = rng.choice((0, 0x7F, 0x80, 0xFF))
    return bytes(changed)


class Fuzzer:
    """Sends messages by chance, by a seed, to one node."""

    def __init__(self, channel: grpc.aio.Channel, tokens: list[str], seed: int) -> None:
        self.codes: Counter[str] = Counter()
        self.failures: list[str] = []
        self.sent = 0
        self._channel = channel
        self._metadata = [(), *((("authorization", f"Bearer {token}"),) for token in ("hfb_" + "0" * 43, *tokens))]
        self._rng = random.Random(seed)
        # A token that is drawn anew would end the others.
        self._methods = [method for method in methods() if not method.descriptor.name.startswith("Rotate")]

    async def run(self, messages: int) -> Outcome:
        """Send at least so many messages."""

        async def work() -> None:
            while self.sent < messages:
                await self._call(self._rng.choice(self._methods))

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        return Outcome(self.sent, self.codes, self.failures)

    async def _call(self, method: Method) -> None:
        rng, descriptor = self._rng, method.descriptor
        streams = descriptor.client_streaming
        count = rng.randrange(1, STREAM_MESSAGES) if streams else 1
        requests = [mutated(rng, filled(rng, method.request).SerializePartialToString()) for _ in range(count)]
        if method.path.endswith("/Play") and rng.random() < 0.5:
            requests[0] = HELLO  # what follows is read by a session
        if (self.sent + count) // PROGRESS > self.sent // PROGRESS:
            print(f"{self.sent + count} messages, {len(self.failures)} failures", file=sys.stderr, flush=True)
        self.sent += count
        kind = f"{'stream' if streams else 'unary'}_{'stream' if descriptor.server_streaming else 'unary'}"
        made = getattr(self._channel, kind)(method.path)
        metadata = rng.choice(self._metadata)
        first = () if streams else requests
        call = made(*first, metadata=metadata, timeout=DEADLINE_S)
        try:
            if streams:
                async with asyncio.timeout(DEADLINE_S):
                    await self._write(call, requests)
            if descriptor.server_streaming:
                await self._read(call)
            else:
                await call
            self.codes["OK"] += 1
        except grpc.aio.AioRpcError as error:
            self.codes[error.code().name] += 1
            # What gRPC's client says by itself of a stream that ended while it wrote is none of the node's answers.
            if error.code() in BAD and error.details() != "Internal error from Core":
                token = self._metadata.index(metadata)
                sent = requests[-1][:200].hex()
                self.failures.append(f"{method.path} with token {token}: {error.code().name} {error.details()}: {sent}")
        except TimeoutError:
            self.codes["STUCK"] += 1  # what it sends is not read any more
        finally:
            call.cancel()

    async def _write(self, call: Any, requests: list[bytes]) -> None:
        """Write a stream, as far as the node takes it."""
        try:
            for request in requests:
                await call.write(request)
            await call.done_writing()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError, ExecuteBatchError):
            self.codes["ENDED"] += 1  # which status it ended with, the reading says

    async def _read(self, call: Any) -> None:
        """A few answers: what goes on for ever is left."""
        try:
            async with asyncio.timeout(0.2):
                for _ in range(3):
                    if await call.read() is grpc.aio.EOF:
                        return
        except TimeoutError:
            self.codes["LEFT"] += 1


class Errors(logging.Handler):
    """Keeps what is logged with a traceback, and counts the bytes of everything."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.tracebacks: list[str] = []
        self.bytes = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Look at a record."""
        self.bytes += len(record.getMessage()) + 80
        if record.exc_info:
            self.tracebacks.append(self.format(record))


async def tokens_of(node: Node) -> list[str]:
    """Those of a bot and of its owner."""
    owner = (await node.store.owners.create("ann"))[1]
    bot = (await node.store.bots.create("crane", owner="ann"))[1]
    return [bot, owner]


async def fuzz(folder: Path, sockets: Path, messages: int, seed: int) -> tuple[Outcome, Errors]:
    """Send so many messages to a node of its own; raises where it does not answer any more at the end."""
    errors = Errors()
    errors.addFilter(RateLimit(burst=sys.maxsize))  # as a node's log, which has nothing of callers that are gone
    logging.getLogger().addHandler(errors)
    try:
        cluster = Cluster(NODE_KEY, lambda addresses: addresses[0])
        async with node_on(folder, sockets, cluster=cluster) as node:
            fuzzer = Fuzzer(node.channel, [*await tokens_of(node), NODE_KEY], seed)
            outcome = await fuzzer.run(messages)
            check = node.channel.unary_unary("/grpc.health.v1.Health/Check")
            assert (
                await check(b"", timeout=DEADLINE_S)
                == health_pb2.HealthCheckResponse(status="SERVING").SerializeToString()
            )
    finally:
        logging.getLogger().removeHandler(errors)
    return outcome, errors


def main(messages: int = 1_000_000, seed: int = 1) -> None:
    """Fuzz, and say what came of it; exit status 1 where the node failed."""
    call_rates.CALLS_AT_ONCE, call_rates.CALLS_PER_S = 10**9, 10**9  # what is wanted here is many calls
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory(dir="/tmp") as sockets:
        outcome, errors = asyncio.run(fuzz(Path(folder), Path(sockets), messages, seed))
    seconds = time.monotonic() - began
    memory = psutil.Process().memory_info().rss >> 20
    print(f"seed {seed}: {outcome.messages} messages in {seconds:.0f} s; this process has {memory} MiB")
    print("answers: " + ", ".join(f"{code} {count}" for code, count in outcome.codes.most_common()))
    print(f"log: {errors.bytes / 1e6:.2f} MB, {len(errors.tracebacks)} tracebacks; {len(outcome.failures)} failures")
    for line in (*outcome.failures[:20], *errors.tracebacks[:5]):
        print(line)
    sys.exit(bool(outcome.failures or errors.tracebacks))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
