"""Coroutines of a stream, run without a task."""

import asyncio

from arena.seats.outbox import Outbox
from arena.stream.transport import Connection, Driver, Writer


class Listed(Driver):
    """Runs what is in a list, and keeps what that returned."""

    def __init__(self, connection: Connection, coroutines: list) -> None:
        super().__init__(connection)
        self.coroutines = coroutines
        self.results: list[object] = []

    def next(self):
        return self.coroutines.pop(0) if self.coroutines else None

    def returned(self, value):
        self.results.append(value)


async def at_once(value: object) -> object:
    return value


async def later(event: asyncio.Event, value: object) -> object:
    await event.wait()
    return value


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_coroutines_run_one_after_the_other_and_none_before_its_time() -> None:
    first, second = asyncio.Event(), asyncio.Event()
    driver = Listed(Connection(100), [at_once(0), later(first, 1), at_once(2), later(second, 3)])
    driver.flush()
    assert driver.results == [0]
    second.set()
    driver.flush()
    assert driver.results == [0]
    first.set()
    await turns(2)
    assert driver.results == [0, 1, 2, 3]
    assert not driver.stopped


async def test_an_error_ends_the_stream_and_is_kept() -> None:
    async def fails() -> None:
        raise OSError("broken")

    connection = Connection(100)
    driver = Listed(connection, [fails(), at_once(1)])
    driver.flush()
    assert isinstance(driver.failure, OSError)
    assert driver.stopped
    assert connection.closing.done()
    assert driver.results == []
    driver.coroutines.pop().close()


async def test_an_error_in_what_is_done_with_a_result_ends_the_stream_too() -> None:
    class Fails(Listed):
        def returned(self, value):
            raise RuntimeError("a bug of the arena")

    event = asyncio.Event()
    connection = Connection(100)
    driver = Fails(connection, [later(event, 1)])
    driver.flush()
    event.set()
    await turns(3)
    assert isinstance(driver.failure, RuntimeError)
    assert driver.stopped
    assert connection.closing.done()


async def test_a_call_that_grpc_cancels_ends_the_stream_and_reaches_nobody_else() -> None:
    async def cancelled() -> None:
        raise asyncio.CancelledError

    connection = Connection(100)
    driver = Listed(connection, [cancelled()])
    driver.flush()
    assert isinstance(driver.failure, asyncio.CancelledError)
    assert connection.closing.done()


async def test_what_is_under_way_is_given_up_when_it_is_stopped() -> None:
    ended = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    driver = Listed(Connection(100), [waits(), at_once(1)])
    driver.flush()
    driver.stop()
    await turns(2)
    assert ended == [True]
    assert driver.results == []
    driver.coroutines.pop().close()


class Stream:
    """A call's context as far as a writer knows it."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.writable = asyncio.Event()

    async def write(self, message: bytes) -> None:
        self.written.append(message)
        await self.writable.wait()


async def test_all_that_is_sent_in_a_turn_is_written_at_its_end_one_message_after_the_other() -> None:
    outbox = Outbox()
    connections = [Connection(100), Connection(100)]
    streams = [Stream(), Stream()]
    for stream, connection in zip(streams, connections, strict=True):
        Writer(stream, connection, outbox)
    for message in (b"1", b"2"):
        for connection in connections:
            connection.send(message)
    assert [stream.written for stream in streams] == [[], []]
    await turns(2)
    assert [stream.written for stream in streams] == [[b"1"], [b"1"]]
    for stream in streams:
        stream.writable.set()
    await turns(3)
    assert [stream.written for stream in streams] == [[b"1", b"2"], [b"1", b"2"]]


async def test_a_connection_that_is_to_end_is_written_out_first() -> None:
    connection, stream = Connection(100), Stream()
    stream.writable.set()
    writer = Writer(stream, connection, Outbox())
    connection.send(b"1")
    connection.close(0, "bye")
    assert not writer.done.done()
    await asyncio.wait_for(writer.done, 10)
    assert stream.written[0] == b"1"
    assert len(stream.written) == 2
