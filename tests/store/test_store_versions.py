"""Versions of bots: immutable, qualified once, active one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from arena.store import versions
from arena.store.errors import LeaseLostError, UnknownVersionError, VersionsFullError, VersionStateError
from arena.store.keys import Scope

if TYPE_CHECKING:
    from arena.store import Job, JobQueue, Store

ONE, TWO = "1" * 64, "2" * 64


async def qualification(queue: JobQueue) -> Job:
    claimed = await queue.claim_version(wait_s=60)
    return claimed[0]


async def qualified(store: Store, version: str) -> None:
    queue = store.jobs()
    await store.versions.create("ann", version, version.encode())
    await queue.commit_version(await qualification(queue), b"report", qualified=True)


async def test_a_version_is_qualified_once_and_its_record_never_changes(store: Store) -> None:
    queue = store.jobs()
    for record in (b"first", b"changed"):
        version = await store.versions.create("ann", ONE, record)
        assert (version.record, version.status, version.report) == (b"first", "qualifying", b"")
    assert await queue.claim(1) == [], "whoever plays matches is not handed a qualification"
    job = await qualification(queue)
    assert not (await queue.commit_version(job, b"all is well", qualified=True)).before
    assert (await queue.commit_version(job, b"something else", qualified=False)).before
    version = await store.versions.get("ann", ONE)
    assert (version.status, version.report, version.active) == ("qualified", b"all is well", False)
    assert await queue.claim_version() is None
    assert (await store.versions.create("ann", ONE, b"")).status == "qualified"


async def test_a_version_is_qualified_by_those_who_offer_its_runtime_and_waits_until_then(store: Store) -> None:
    await store.versions.create("ann", ONE, b"", runtime="wasm")
    scope = Scope.version("ann", ONE)
    queue = store.jobs()
    assert await queue.claim_version(runtimes=("python", "native")) is None
    assert queue.passed == {scope: ("wasm",)}
    assert await store.stalled.waiting() == {scope: ("wasm",)}
    claimed = await queue.claim_version(runtimes=("python", "wasm"))
    assert claimed is not None
    job, _ = claimed
    assert (job.fence, queue.passed, await store.stalled.waiting()) == (1, {}, {}), (
        "who left it to others has not tried it"
    )


async def test_a_qualification_whose_owner_is_gone_is_done_by_another(store: Store) -> None:
    await store.versions.create("ann", ONE, b"")
    stale = await qualification(one := store.jobs())
    await one.fail(stale, "the node ended")
    job = await qualification(two := store.jobs())
    with pytest.raises(LeaseLostError):
        await one.commit_version(stale, b"", qualified=True)
    await two.commit_version(job, b"it raised", qualified=False)
    assert (await store.versions.get("ann", ONE)).status == "failed"


async def test_owners_take_turns_at_qualifications_however_many_versions_one_of_them_sends_in(store: Store) -> None:
    for owner, count in (("ann", 4), ("bob", 1), ("", 2)):
        for number in range(count):
            await store.versions.create(f"of-{owner}-{number}", ONE, b"", owner=owner)
    queue = store.jobs()
    taken = [await queue.claim_version() for _ in range(7)]
    assert [(job.scope.name, turn) for job, turn in filter(None, taken)] == [
        ("of-ann-0", "ann"),
        ("of-bob-0", "bob"),
        ("of--0", "of--0"),
        ("of--1", "of--1"),
        *((f"of-ann-{number}", "ann") for number in (1, 2, 3)),
    ]


async def test_a_version_waits_while_its_owner_has_another_one_qualified(store: Store) -> None:
    for bot, owner in (("crane", "ann"), ("deer", "ann"), ("swan", "bob")):
        await store.versions.create(bot, ONE, b"", owner=owner)
    queue = store.jobs()
    for name in ("crane", "swan"):
        claimed = await queue.claim_version(busy=("ann",) if name == "swan" else ())
        assert claimed[0].scope.name == name
    assert await queue.claim_version(busy=("ann", "bob")) is None
    claimed = await queue.claim_version(wait_s=60)
    assert claimed[0].scope.name == "deer"


async def test_a_version_knows_the_one_before_it_and_one_is_active_at_a_time(store: Store) -> None:
    for version in (ONE, TWO):
        await qualified(store, version)
    assert [(one.version, one.parent) for one in await store.versions.list("ann")] == [(ONE, ""), (TWO, ONE)]
    assert await store.versions.active("ann") is None
    for version in (ONE, TWO, ONE):
        await store.versions.activate("ann", version)
        assert [one.version for one in await store.versions.list("ann") if one.active] == [version]
    await store.versions.retire("ann", TWO)
    assert await store.versions.active("ann") == ONE
    await store.versions.retire("ann", ONE)
    assert await store.versions.active("ann") is None
    await store.versions.activate("ann", ONE)
    assert (await store.versions.get("ann", ONE)).status == "qualified"


async def test_a_version_that_is_not_qualified_or_was_taken_out_cannot_be_activated(store: Store) -> None:
    await store.versions.create("ann", ONE, b"")
    with pytest.raises(VersionStateError, match="is not qualified: qualifying"):
        await store.versions.activate("ann", ONE)
    queue = store.jobs()
    await store.versions.take_out("ann", ONE)
    await queue.commit_version(await qualification(queue), b"", qualified=True)
    for change in (store.versions.activate, store.versions.retire):
        with pytest.raises(VersionStateError, match="is not qualified: taken out"):
            await change("ann", ONE)
    with pytest.raises(UnknownVersionError):
        await store.versions.take_out("ann", TWO)


async def test_a_version_is_named_by_the_beginning_of_its_digest(store: Store) -> None:
    for version in (ONE, TWO):
        await store.versions.create("ann", version, version.encode())
    assert (await store.versions.find("ann", "11")).version == ONE
    for unknown in ("", "3"):
        with pytest.raises(UnknownVersionError):
            await store.versions.find("ann", unknown)


async def test_a_bot_has_no_more_versions_than_it_may_have(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "MAX_VERSIONS", 1)
    await store.versions.create("ann", ONE, b"")
    with pytest.raises(VersionsFullError, match="has 1 versions, and may have no more"):
        await store.versions.create("ann", TWO, b"")
    assert (await store.versions.create("ann", ONE, b"")).version == ONE


async def test_versions_that_did_not_qualify_take_no_place_among_those_that_a_bot_may_have(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MAX_VERSIONS", 1)
    queue = store.jobs()
    await store.versions.create("ann", ONE, b"")
    await queue.commit_version(await qualification(queue), b"it raised", qualified=False)
    await store.versions.create("ann", TWO, b"")
    with pytest.raises(VersionsFullError):
        await store.versions.create("ann", "3" * 64, b"")
    assert [(one.version, one.status) for one in await store.versions.list("ann")] == [
        (ONE, "failed"),
        (TWO, "qualifying"),
    ]


async def test_a_version_whose_qualification_is_given_up_has_failed_with_the_reason(store: Store) -> None:
    await store.versions.create("ann", ONE, b"")
    queue = store.jobs()
    queue.max_failures = 2
    for _ in range(2):
        await queue.fail(await qualification(queue), "no cage could be set up")
    version = await store.versions.get("ann", ONE)
    assert (version.status, version.error, version.report) == ("failed", "no cage could be set up", b"")
    assert await queue.claim_version() is None


async def test_a_version_that_was_taken_out_stays_so_when_its_qualification_is_given_up(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.versions.create("ann", ONE, b"")
    queue = store.jobs()
    queue.max_failures = 1
    job = await qualification(queue)
    await store.versions.take_out("ann", ONE)
    assert await queue.fail(job, "no cage could be set up")
    monkeypatch.setattr(versions, "GIVEN_UP_MS", 0)
    assert (await store.versions.create("ann", ONE, b"")).status == "taken_out", "however often it is sent again"
    assert await queue.claim_version() is None
