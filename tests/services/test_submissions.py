"""What becomes of uploads over gRPC: of good ones, and of every bad one that could be thought of."""

import asyncio
import gzip
import hashlib
import io
import random
import tarfile
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from play_arena import soon
from service_node import CHUNK, STUB, Node, Sender, packed, refusal

from arena.packs.packing import LIMITS
from arena.store import OwnerLimits
from arena.store.errors import NameTakenError, StoreUnavailableError, UnknownBotError
from arena.submissions.submit import submit
from hanafuda.arena.v1 import (
    bot_pb2,
    bot_pb2_grpc,
    owner_pb2,
    owner_pb2_grpc,
    submission_pb2,
)


@pytest.fixture
async def ann(node: Node) -> Sender:
    return Sender(node, (await node.store.owners.create("ann"))[1])


@pytest.fixture
async def bob(node: Node) -> Sender:
    return Sender(node, (await node.store.owners.create("bob"))[1])


async def test_an_upload_becomes_a_version_of_a_bot_that_is_the_owners_now(
    node: Node, ann: Sender, tmp_path: Path
) -> None:
    one = packed(tmp_path, filler=3 * CHUNK)
    version = await ann.submit(one)
    assert (version.version, version.status) == (one.version, bot_pb2.VERSION_STATUS_QUALIFYING)
    assert (list(version.variants), version.about) == (["koikoi"], "A crane.")
    assert await node.store.packs.get(one.version) == one.data
    bot = await node.store.bots.get("crane")
    assert (bot.owner, bot.stateless) == ("ann", True)
    request = bot_pb2.ListVersionsRequest(bot="crane")
    listed = await soon(node.call(bot_pb2_grpc.BotServiceStub, "ListVersions", request, ann.token))
    assert [shown.version for shown in listed.versions] == [one.version]
    # The same again changes nothing, and is there at once.
    begun = await soon(ann.begin("crane", one.version, one.data))
    assert begun.received == len(one.data)
    assert (await soon(ann.finish("crane", one.version))).version.version == one.version
    owner = await soon(node.call(owner_pb2_grpc.OwnerServiceStub, "GetOwner", owner_pb2.GetOwnerRequest(), ann.token))
    assert (owner.owner.name, owner.owner.limits.bots) == ("ann", 10)
    assert owner.owner.usage == owner_pb2.OwnerUsage(bots=1, packed_bytes=len(one.data), submissions_last_hour=1)


async def test_chunks_out_of_order_and_twice_make_the_pack_and_nothing_else(
    node: Node, ann: Sender, tmp_path: Path
) -> None:
    one = packed(tmp_path, filler=40_000)
    await soon(ann.begin("crane", one.version, one.data))
    size = len(one.data) // 100
    rng = random.Random(7)
    received = 0
    for number in range(200):
        offset = received if number % 5 == 0 else rng.randrange(len(one.data))
        chunk = one.data[offset : offset + size] if number % 3 else rng.randbytes(size)
        if offset == received and chunk != one.data[offset : offset + size]:
            continue  # bytes that would be taken
        received = (await soon(ann.append(one.version, offset, chunk or b"x"))).received
    while received < len(one.data):
        received = (await soon(ann.append(one.version, received, one.data[received : received + CHUNK]))).received
    assert (await soon(ann.finish("crane", one.version))).version.version == one.version
    assert await node.store.packs.get(one.version) == one.data


async def test_an_upload_goes_on_with_a_new_token_and_not_with_the_old_one_or_after_its_owners_end(
    node: Node, ann: Sender, tmp_path: Path
) -> None:
    one = packed(tmp_path, filler=3 * CHUNK)
    await soon(ann.begin("crane", one.version, one.data))
    await soon(ann.append(one.version, 0, one.data[:CHUNK]))
    new = Sender(node, await node.store.owners.rotate("ann"))
    code, reason, _ = await refusal(ann.append(one.version, CHUNK, one.data[CHUNK : 2 * CHUNK]))
    assert (code, reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
    assert (await soon(new.begin("crane", one.version, one.data))).received == CHUNK
    await soon(new.append(one.version, CHUNK, one.data[CHUNK : 2 * CHUNK]))
    await node.store.owners.end("ann")
    for call in (new.append(one.version, 2 * CHUNK, one.data[2 * CHUNK :]), new.finish("crane", one.version)):
        code, reason, _ = await refusal(call)
        assert (code, reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
    with pytest.raises(UnknownBotError):
        await node.store.bots.get("crane")


async def test_of_uploads_at_once_whose_names_differ_by_case_alone_one_becomes_a_bot(
    node: Node, ann: Sender, bob: Sender, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    packs = [packed(tmp_path, "crane"), packed(tmp_path / "other", "Crane")]
    for sender, one in zip((ann, bob), packs, strict=True):
        await soon(sender.begin(one.manifest.name, one.version, one.data))
        await soon(sender.append(one.version, 0, one.data))
    calls = [sender.finish(one.manifest.name, one.version) for sender, one in zip((ann, bob), packs, strict=True)]
    ended = await asyncio.gather(*map(soon, calls), return_exceptions=True)
    assert sum(isinstance(one, grpc.aio.AioRpcError) for one in ended) == 1
    assert len((await node.store.bots.list()).items) == 1


async def test_an_upload_goes_on_where_it_was_and_begins_anew_with_other_bytes(
    node: Node, ann: Sender, tmp_path: Path
) -> None:
    one = packed(tmp_path, filler=CHUNK)
    await soon(ann.begin("crane", one.version, one.data))
    await soon(ann.append(one.version, 0, one.data[:1_000]))
    assert (await soon(ann.begin("crane", one.version, one.data))).received == 1_000
    found = await refusal(ann.finish("crane", one.version))
    assert found[:2] == (grpc.StatusCode.FAILED_PRECONDITION, "UPLOAD_INCOMPLETE")
    again = gzip.compress(gzip.decompress(one.data), 1, mtime=0)
    assert (await soon(ann.begin("crane", one.version, again))).received == 0
    assert (await ann.send("crane", one.version, again)).version == one.version, "the content is the same"


@pytest.mark.parametrize("name", ["greedy", "Random"])
async def test_nobody_takes_the_name_of_a_house_bot(node: Node, ann: Sender, tmp_path: Path, name: str) -> None:
    one = packed(tmp_path, name)
    taken = (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN")
    assert (await refusal(ann.begin(name, one.version, one.data)))[:2] == taken
    with pytest.raises(NameTakenError):
        await submit(node.store, one)


async def test_nobody_touches_an_upload_of_another_owner(node: Node, ann: Sender, bob: Sender, tmp_path: Path) -> None:
    one = packed(tmp_path)
    await soon(ann.begin("crane", one.version, one.data))
    unknown = (grpc.StatusCode.NOT_FOUND, "UNKNOWN_UPLOAD")
    assert (await refusal(bob.append(one.version, 0, one.data)))[:2] == unknown
    assert (await refusal(bob.finish("crane", one.version)))[:2] == unknown
    await soon(bob.begin("crane", one.version, b"junk"))
    await soon(bob.append(one.version, 0, b"junk"))
    assert (await refusal(bob.finish("crane", one.version)))[1] == "PACK_REFUSED"
    assert (await ann.submit(one)).version == one.version
    # The name is ann's from now on, and so is what stands under it.
    taken = (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN")
    assert (await refusal(bob.begin("crane", one.version, one.data)))[:2] == taken
    assert (await refusal(bob.finish("crane", one.version)))[:2] == taken
    for method, kind in (
        ("ActivateVersion", bot_pb2.ActivateVersionRequest),
        ("RetireVersion", bot_pb2.RetireVersionRequest),
    ):
        request = kind(bot="crane", version=one.version)
        call = node.call(bot_pb2_grpc.BotServiceStub, method, request, bob.token)
        assert (await refusal(call))[1] == "NOT_YOUR_BOT"
    watching = node.call(
        STUB, "WatchSubmission", submission_pb2.WatchSubmissionRequest(bot="crane", version=one.version), bob.token
    )
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await soon(watching.read())
    assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED


async def test_an_upload_that_has_expired_is_unknown_and_begins_anew(node: Node, ann: Sender, tmp_path: Path) -> None:
    one = packed(tmp_path)
    await soon(ann.begin("crane", one.version, one.data))
    await soon(ann.append(one.version, 0, one.data[:9]))
    for key in await node.store._client.call("KEYS", "hfa:{pack:*"):
        await node.store._client.call("PEXPIRE", key, 0)
    for call in (ann.append(one.version, 9, b"more"), ann.finish("crane", one.version)):
        assert (await refusal(call))[1] == "UNKNOWN_UPLOAD"
    assert (await ann.submit(one)).version == one.version


def tar_of(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    """A compressed tar, as anybody makes one."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for info, content in members:
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return out.getvalue()


def link(name: str, target: str) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = tarfile.SYMTYPE, target
    return info, b""


def device(name: str) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type = tarfile.CHRTYPE
    return info, b""


MANIFEST = (tarfile.TarInfo("bot.toml"), b'[bot]\nname = "crane"\ncommand = ["python", "bot.py"]\n')
HOSTILE: dict[str, Callable[[], bytes]] = {
    "no pack": lambda: b"not a pack at all",
    "nothing": lambda: gzip.compress(b"", mtime=0),
    "a bomb": lambda: gzip.compress(bytes(LIMITS.unpacked + (1 << 20)), 1, mtime=0),
    "a path out of the folder": lambda: tar_of((tarfile.TarInfo("../bot.toml"), MANIFEST[1])),
    "an absolute path": lambda: tar_of((tarfile.TarInfo("/etc/passwd"), b"root")),
    "a link": lambda: tar_of(MANIFEST, link("secret", "/etc/passwd")),
    "a device": lambda: tar_of(MANIFEST, device("null")),
    "a manifest twice": lambda: tar_of(MANIFEST, MANIFEST),
    "an odd name": lambda: tar_of(MANIFEST, (tarfile.TarInfo("a\nb\x1b[2J"), b"")),
    "no manifest": lambda: tar_of((tarfile.TarInfo("bot.py"), b"")),
}


@pytest.mark.parametrize("what", HOSTILE)
async def test_a_hostile_pack_is_refused_with_its_reason_and_leaves_nothing(node: Node, ann: Sender, what: str) -> None:
    data = HOSTILE[what]()
    version = hashlib.sha256(data).hexdigest()
    for _ in range(2):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ann.send("crane", version, data)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert len((caught.value.details() or "").splitlines()) == 1
    assert await node.store._client.call("KEYS", "hfa:{pack:*") == []
    assert (await node.store.bots.list()).items == ()
    assert (await node.store.owners.usage("ann")).packed_bytes == 0
    assert (await node.store.owners.usage("ann")).submissions == 2, "each try counts"


async def test_a_pack_of_other_bytes_content_or_name_than_was_said_is_refused(
    node: Node, ann: Sender, tmp_path: Path
) -> None:
    one = packed(tmp_path)
    wrong = one.data[:-1] + bytes([one.data[-1] ^ 1])
    await soon(ann.begin("crane", one.version, one.data))
    await soon(ann.append(one.version, 0, wrong))
    for bot, version, data in (("crane", "0" * 64, one.data), ("deer", one.version, one.data)):
        with pytest.raises(grpc.aio.AioRpcError, match="what was uploaded is"):
            await ann.send(bot, version, data)
        if version == one.version:
            continue
        with pytest.raises(grpc.aio.AioRpcError, match="what was uploaded has the SHA-256"):
            await soon(ann.finish("crane", one.version))
    assert (await node.store.bots.list()).items == ()
    assert (await ann.submit(one)).version == one.version


async def test_wrong_requests_name_their_field(node: Node, ann: Sender, tmp_path: Path) -> None:
    one = packed(tmp_path)
    good = ("crane", one.version, one.data)
    for call, field in (
        (ann.begin(*good, size=0), "size"),
        (ann.begin(*good, size=LIMITS.packed + 1), "size"),
        (ann.begin(*good, size=2**63), "size"),
        (ann.begin(*good, sha256=b"short"), "sha256"),
        (ann.begin(*good, version=one.version.upper()), "version"),
        (ann.begin(*good, version="}{*"), "version"),
        (ann.begin(*good, bot=""), "bot"),
        (ann.begin(*good, bot="../crane"), "name"),
        (ann.begin(*good, bot="crane\n"), "name"),
        (ann.begin(*good, bot="house:greedy"), "name"),
        (ann.append("", 0, b"x"), "version"),
        (ann.append(one.version, 0, b""), "data"),
        (ann.append(one.version, 0, bytes(CHUNK + 1)), "data"),
        (ann.finish("crane", ""), "version"),
    ):
        status, reason, fields = await refusal(call)
        assert (status, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"), fields
        assert fields.keys() == {field}
    assert (await refusal(ann.append(one.version, 2**63, b"x")))[1] == "UNKNOWN_UPLOAD"
    await soon(ann.begin(*good))
    assert (await soon(ann.append(one.version, 2**64 - 1, b"x"))).received == 0


async def test_limits_refuse_with_what_they_are(node: Node, tmp_path: Path) -> None:
    _, token = await node.store.owners.create("eve", OwnerLimits(bots=1, versions=1, submissions=3))
    eve = Sender(node, token)
    one = packed(tmp_path)
    await eve.submit(one)
    for bot, limit in (("crane", "versions of a bot"), ("deer", "1 bots")):
        with pytest.raises(grpc.aio.AioRpcError, match=limit) as caught:
            await soon(eve.begin(bot, "0" * 64, b"x"))
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_bots_token_sends_in_nothing(node: Node, tmp_path: Path) -> None:
    one = packed(tmp_path)
    bot = Sender(node, await node.register("crane"))
    denied = (grpc.StatusCode.PERMISSION_DENIED, "OWNER_TOKEN_REQUIRED")
    for call in (
        bot.begin("crane", one.version, one.data),
        bot.append(one.version, 0, one.data),
        bot.finish("crane", one.version),
        node.call(owner_pb2_grpc.OwnerServiceStub, "GetOwner", owner_pb2.GetOwnerRequest(), bot.token),
        node.call(owner_pb2_grpc.OwnerServiceStub, "RotateOwnerToken", owner_pb2.RotateOwnerTokenRequest(), bot.token),
    ):
        assert (await refusal(call))[:2] == denied


async def test_many_finishes_at_once_make_one_version(node: Node, ann: Sender, tmp_path: Path) -> None:
    one = packed(tmp_path)
    await soon(ann.begin("crane", one.version, one.data))
    await soon(ann.append(one.version, 0, one.data))
    finished = await soon(asyncio.gather(*(ann.finish("crane", one.version) for _ in range(8))))
    assert {answer.version.version for answer in finished} == {one.version}
    assert len(await node.store.versions.list("crane")) == 1
    assert (await node.store.owners.usage("ann")).packed_bytes == len(one.data)


@pytest.mark.usefixtures("bubblewrap")
async def test_why_a_version_failed_is_for_its_owner(node: Node, ann: Sender, bob: Sender, tmp_path: Path) -> None:
    one = packed(tmp_path)
    await ann.submit(one)
    request = submission_pb2.WatchSubmissionRequest(bot="crane", version=one.version[:8])
    async for message in node.call(STUB, "WatchSubmission", request, ann.token):
        last = message
    assert last.version.status == bot_pb2.VERSION_STATUS_FAILED
    assert last.version.failure.name == "plays koikoi"
    listing = bot_pb2.ListVersionsRequest(bot="crane")
    for sender, told in ((ann, True), (bob, False)):
        listed = await soon(node.call(bot_pb2_grpc.BotServiceStub, "ListVersions", listing, sender.token))
        [version] = listed.versions
        assert version.status == bot_pb2.VERSION_STATUS_FAILED
        assert version.HasField("failure") is told
    activate = bot_pb2.ActivateVersionRequest(bot="crane", version=one.version)
    call = node.call(bot_pb2_grpc.BotServiceStub, "ActivateVersion", activate, ann.token)
    assert (await refusal(call))[:2] == (grpc.StatusCode.FAILED_PRECONDITION, "VERSION_NOT_QUALIFIED")


HEAD = ("record", b"{}", "status", "qualifying", "parent", "", "created_us", 1)


async def test_a_few_streams_follow_a_bots_submissions_and_no_more(
    node: Node, ann: Sender, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.services.submissions._MAX_WATCHING", 1)
    await node.store.bots.create("crane", owner="ann")
    one = packed(tmp_path)
    # A version that no node qualifies, as nobody knows of its job.
    await node.store._client.call("HSET", f"hfa:{{version:crane}}:{one.version}:head", *HEAD)
    await node.store._client.call("ZADD", "hfa:{version:crane}:versions", 1, one.version)
    request = submission_pb2.WatchSubmissionRequest(bot="crane", version=one.version)
    first = node.call(STUB, "WatchSubmission", request, ann.token)
    assert (await soon(first.read())).HasField("waiting")
    watching = node.call(STUB, "WatchSubmission", request, ann.token)
    assert (await refusal(watching.read()))[:2] == (grpc.StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED")


async def test_a_finish_that_was_cut_off_after_its_version_was_made_is_made_whole(
    node: Node, ann: Sender, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut_off(name: str, submission: object) -> None:
        raise StoreUnavailableError("there", 0, "it was killed")

    one = packed(tmp_path)
    with monkeypatch.context() as killed:
        killed.setattr(node.store.owners, "keep", cut_off)
        killed.setattr(node.store.packs, "keep", cut_off)
        with pytest.raises(grpc.aio.AioRpcError):
            await ann.submit(one)
    assert (await node.store.owners.usage("ann")).packed_bytes == 0
    assert (await ann.submit(one)).version == one.version
    assert (await node.store.owners.usage("ann")).packed_bytes == len(one.data)
    assert await node.store._client.call("PTTL", f"hfa:{{pack:{one.version}}}") == -1


async def test_a_version_whose_pack_was_forgotten_before_it_was_kept_gets_it_when_it_is_sent_again(
    node: Node, ann: Sender, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut_off(*_: object) -> None:
        raise StoreUnavailableError("there", 0, "it was killed")

    one = packed(tmp_path)
    with monkeypatch.context() as killed:
        killed.setattr(node.store.packs, "keep", cut_off)
        with pytest.raises(grpc.aio.AioRpcError):
            await ann.submit(one)
    for key in await node.store._client.call("KEYS", "hfa:{pack:*"):
        await node.store._client.call("PEXPIRE", key, 0)
    assert (await ann.submit(one)).status == bot_pb2.VERSION_STATUS_QUALIFYING
    assert await node.store.packs.get(one.version) == one.data
    assert await node.store._client.call("PTTL", f"hfa:{{pack:{one.version}}}") == -1


async def test_a_version_that_nodes_could_not_qualify_is_tried_again_when_it_is_sent_again_later(
    node: Node, ann: Sender, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = packed(tmp_path)
    await ann.submit(one)
    queue = node.store.jobs()
    queue.max_failures = 1
    claimed = await queue.claim_version(wait_s=60)
    job, _ = claimed
    assert await queue.fail(job, "no space left on the device")
    assert (await ann.submit(one)).status == bot_pb2.VERSION_STATUS_FAILED, "not at once"
    monkeypatch.setattr("arena.store.versions.GIVEN_UP_MS", 0)
    assert (await ann.submit(one)).status == bot_pb2.VERSION_STATUS_QUALIFYING
    claimed = await queue.claim_version(wait_s=60)
    await queue.commit_version(claimed[0], b'{"steps":[]}', qualified=True)
    assert (await ann.submit(one)).status == bot_pb2.VERSION_STATUS_QUALIFIED
