"""Packs: uploaded in chunks that may be sent again, kept once, whole or not at all."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from store_servers import Interleaved, tell

from arena.store import Store
from arena.store.errors import InvalidNameError, UnknownPackError, UploadError
from arena.store.packs import CHUNK, FORGOTTEN_MS, Packs

VERSION = "0f" * 32
UPLOAD = "an upload"


async def test_a_pack_comes_back_as_it_was_sent_and_is_kept_once(store: Store) -> None:
    data = os.urandom(3 * CHUNK + 17)
    for _ in range(2):
        await store.packs.put(VERSION, data)
    assert await store.packs.get(VERSION) == data
    assert await store.packs.go_on(VERSION, UPLOAD, len(data)) is None


async def test_an_upload_goes_on_where_it_was_and_a_chunk_that_comes_twice_is_kept_once(store: Store) -> None:
    assert await store.packs.go_on(VERSION, UPLOAD, 9) == 0
    assert await store.packs.append(VERSION, UPLOAD, 0, b"abc") == 3
    assert await store.packs.append(VERSION, UPLOAD, 0, b"abc") == 3
    assert await store.packs.append(VERSION, UPLOAD, 6, b"ghi") == 3, "a gap is not filled"
    assert await store.packs.append(VERSION, UPLOAD, 3, b"defghij") == 3, "more than was announced is not taken"
    with pytest.raises(UploadError, match="a part of it is missing"):
        await store.packs.commit(VERSION, UPLOAD)
    with pytest.raises(UnknownPackError):
        await store.packs.get(VERSION)
    assert await store.packs.append(VERSION, UPLOAD, 3, b"defghi") == 9
    assert await store.packs.uploaded(VERSION, UPLOAD) == b"abcdefghi"
    for _ in range(2):
        await store.packs.commit(VERSION, UPLOAD)
    assert await store.packs.get(VERSION) == b"abcdefghi"


async def test_of_two_uploads_of_one_pack_the_second_leaves_nothing_behind(store: Store) -> None:
    uploads = [UPLOAD, "another"]
    for upload in uploads:
        assert await store.packs.go_on(VERSION, upload, 3) == 0
        await store.packs.append(VERSION, upload, 0, b"abc")
    for upload in uploads:
        await store.packs.commit(VERSION, upload)
    assert sorted(await store._client.call("KEYS", "hfa:{pack:*")) == [
        f"hfa:{{pack:{VERSION}}}".encode(),
        f"hfa:{{pack:{VERSION}}}:chunks".encode(),
    ]
    with pytest.raises(UploadError, match="it is finished, or has expired"):
        await store.packs.append(VERSION, uploads[1], 3, b"")


async def test_an_upload_that_nobody_goes_on_with_is_forgotten(tcp_url: str) -> None:
    tell(tcp_url, "FLUSHALL")
    async with await Store.open(redis=tcp_url) as store:
        assert await store.packs.go_on(VERSION, UPLOAD, 3) == 0
        await store.packs.append(VERSION, UPLOAD, 0, b"ab")
        for key in await store._client.call("KEYS", "hfa:{pack:*"):
            assert 0 < await store._client.call("PTTL", key) <= 3_600_000
            await store._client.call("PEXPIRE", key, 0)
        with pytest.raises(UploadError, match="it is finished, or has expired"):
            await store.packs.append(VERSION, UPLOAD, 2, b"c")


async def test_a_server_killed_in_the_middle_of_an_upload_has_what_it_acknowledged(tmp_path: Path) -> None:
    async with await Store.open(tmp_path, patience_s=60) as store:
        data = os.urandom(4 * CHUNK)
        assert await store.packs.go_on(VERSION, UPLOAD, len(data)) == 0
        for start in range(0, len(data), CHUNK):
            os.kill(store.embedded.pid, signal.SIGKILL)
            received = await store.packs.append(VERSION, UPLOAD, start, data[start : start + CHUNK])
            assert received == start + CHUNK
        os.kill(store.embedded.pid, signal.SIGKILL)
        await store.packs.commit(VERSION, UPLOAD)
        os.kill(store.embedded.pid, signal.SIGKILL)
        assert await store.packs.get(VERSION) == data


async def test_a_digest_that_could_not_stand_in_a_key_is_refused(store: Store) -> None:
    with pytest.raises(InvalidNameError):
        await store.packs.go_on("}{", UPLOAD, 3)


async def test_a_pack_of_which_no_version_is_made_is_forgotten_as_an_upload_is(store: Store) -> None:
    keys = [f"hfa:{{pack:{VERSION}}}", f"hfa:{{pack:{VERSION}}}:chunks"]
    await store.packs.put(VERSION, b"abc")
    for key in keys:
        assert 0 < await store._client.call("PTTL", key) <= FORGOTTEN_MS
        await store._client.call("PEXPIRE", key, FORGOTTEN_MS // 2)
    await store.packs.put(VERSION, b"abc")
    assert min([await store._client.call("PTTL", key) for key in keys]) > FORGOTTEN_MS // 2, "it came again"
    await store.packs.keep(VERSION)
    await store.packs.put(VERSION, b"abc")
    assert [await store._client.call("PTTL", key) for key in keys] == [-1, -1]
    assert await store.packs.get(VERSION) == b"abc"


async def test_a_pack_whose_node_dies_while_it_keeps_it_can_be_sent_again(store: Store) -> None:
    async def die() -> None:
        raise ConnectionAbortedError

    await store.packs.put(VERSION, b"abc")
    dying = Interleaved(store._client, "PERSIST", 1, die)
    with pytest.raises(ConnectionAbortedError):
        await Packs(dying).keep(VERSION)  # type: ignore[arg-type]
    # Whatever is not kept for good expires.
    for key in await store._client.call("KEYS", "hfa:{pack:*"):
        if await store._client.call("PTTL", key) > 0:
            await store._client.call("DEL", key)
    await store.packs.put(VERSION, b"abc")
    await store.packs.keep(VERSION)
    assert await store.packs.get(VERSION) == b"abc"
