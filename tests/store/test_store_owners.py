"""Owners of bots: their tokens, and what all of their bots together may keep and send."""

import asyncio
import hashlib

import pytest
from store_servers import tell

from arena.store import OwnerLimits, OwnerUsage, Store, Submission
from arena.store.errors import (
    InvalidNameError,
    NameTakenError,
    OwnerEndedError,
    OwnerExistsError,
    OwnerLimitError,
    UnknownOwnerError,
    UnknownTokenError,
)
from arena.store.keys import owner_reservations, owner_submissions
from arena.store.tokens import OWNER, new_token


async def test_an_owner_is_known_by_its_token(store: Store) -> None:
    ann, token = await store.owners.create("ann")
    assert (ann.name, ann.limits, ann.ended_us) == ("ann", OwnerLimits(), 0)
    assert await store.owners.authenticate(token) == await store.owners.get("ann") == ann
    with pytest.raises(UnknownTokenError):
        await store.owners.authenticate(new_token(OWNER))


async def test_a_name_is_given_to_one_owner_only_even_when_it_has_ended(store: Store) -> None:
    _, token = await store.owners.create("ann")
    with pytest.raises(OwnerExistsError, match="ann"):
        await store.owners.create("ann")
    assert (await store.owners.authenticate(token)).name == "ann"
    await store.owners.end("ann")
    with pytest.raises(OwnerEndedError):
        await store.owners.create("ann")
    with pytest.raises(OwnerExistsError, match="differs by case alone"):
        await store.owners.create("Ann")
    with pytest.raises(InvalidNameError):
        await store.owners.create("ann and bob")


async def test_a_rotated_token_of_an_owner_replaces_the_old_one_at_once(store: Store) -> None:
    _, old = await store.owners.create("ann")
    new = await store.owners.rotate("ann")
    assert (await store.owners.authenticate(new)).name == "ann"
    with pytest.raises(UnknownTokenError):
        await store.owners.authenticate(old)


async def test_limits_are_kept_per_owner(store: Store) -> None:
    await store.owners.create("ann", OwnerLimits(bots=3))
    await store.owners.create("bob")
    await store.owners.limit("bob", OwnerLimits(submissions=1))
    found = (await store.owners.list()).items
    assert [(owner.name, owner.limits) for owner in found] == [
        ("ann", OwnerLimits(bots=3)),
        ("bob", OwnerLimits(submissions=1)),
    ]


async def test_the_end_of_an_owner_takes_its_token_and_those_of_its_bots_for_good(store: Store) -> None:
    _, anns = await store.owners.create("ann")
    _, bobs = await store.owners.create("bob")
    _, cranes = await store.bots.create("crane", owner="ann")
    _, deers = await store.bots.create("deer", owner="bob")
    await store.owners.end("ann")
    ended = (await store.owners.get("ann")).ended_us
    await store.owners.end("ann")
    assert (await store.owners.get("ann")).ended_us == ended > 0
    with pytest.raises(UnknownTokenError):
        await store.owners.authenticate(anns)
    with pytest.raises(UnknownTokenError):
        await store.bots.authenticate(cranes)
    with pytest.raises(OwnerEndedError):
        await store.owners.rotate("ann")
    with pytest.raises(OwnerEndedError):
        await store.bots.rotate("crane")
    with pytest.raises(OwnerEndedError):
        await store.bots.create("swan", owner="ann")
    assert [one.name for one in (await store.bots.list(owner="ann")).items] == ["crane"]
    await store.owners.limit("ann", OwnerLimits())
    assert (await store.owners.get("ann")).ended_us == ended
    assert (await store.owners.authenticate(bobs)).name == "bob"
    assert (await store.bots.authenticate(deers)).name == "deer"


async def test_an_unknown_owner_is_said_to_be_unknown(store: Store) -> None:
    for call in (store.owners.get, store.owners.rotate, store.owners.end):
        with pytest.raises(UnknownOwnerError, match="'nobody'"):
            await call("nobody")
    with pytest.raises(UnknownOwnerError):
        await store.owners.limit("nobody", OwnerLimits())


async def test_no_token_of_an_owner_is_stored(tcp_url: str) -> None:
    tell(tcp_url, "FLUSHALL")
    async with await Store.open(redis=tcp_url) as store:
        _, token = await store.owners.create("ann")
    for key in ("tokens", "hashes", "records"):
        kept = tell(tcp_url, f"HGETALL hfa:{{bots}}:owners:{key}")
        assert b"ann" in kept
        assert token[4:20].encode() not in kept
    assert hashlib.sha256(token.encode()).hexdigest().encode() in tell(tcp_url, "HGETALL hfa:{bots}:owners:tokens")


SHA = "a" * 64


def submission(bot: str, number: int = 1, size: int = 10, sha256: str = SHA) -> Submission:
    return Submission(bot, f"{number:064x}", size, sha256)


async def refused(store: Store, one: Submission, owner: str = "ann") -> str:
    """The limit that a submission would exceed."""
    with pytest.raises(OwnerLimitError) as caught:
        await store.owners.admit(owner, one)
    assert str(caught.value.value) in str(caught.value).replace(",", "")
    return caught.value.limit


async def test_each_limit_is_held_with_what_is_kept_and_what_is_under_way(store: Store) -> None:
    await store.owners.create("ann", OwnerLimits(bots=2, versions=2, packed_bytes=100, submissions=10))
    kept, coming = submission("crane"), submission("crane", 2)
    await store.owners.admit("ann", kept, register=True)
    await store.owners.keep("ann", kept)
    await store.owners.admit("ann", coming)
    assert await refused(store, submission("crane", 3)) == "versions"
    assert await refused(store, submission("deer", 1, 81)) == "packed_bytes"
    await store.owners.admit("ann", submission("deer", 1, 80))
    assert await refused(store, submission("swan")) == "bots", "deer is on its way"
    await store.owners.admit("ann", submission("deer", 1, 80))
    await store.owners.refuse("ann", submission("deer", 1, 80).place)
    await store.owners.admit("ann", submission("swan"))
    assert await store.owners.usage("ann") == OwnerUsage(bots=1, packed_bytes=10, submissions=4)


async def test_a_version_that_did_not_qualify_counts_by_its_bytes_alone(store: Store) -> None:
    await store.owners.create("ann", OwnerLimits(versions=1, packed_bytes=20))
    for number in (1, 2):
        await store.owners.admit("ann", submission("crane", number), register=True)
        await store.owners.keep("ann", submission("crane", number))
        await store.owners.fail("ann", submission("crane", number))
        await store.owners.keep("ann", submission("crane", number))
    assert (await store.owners.usage("ann")).packed_bytes == 20
    assert await refused(store, submission("crane", 3)) == "packed_bytes"
    await store.owners.limit("ann", OwnerLimits(versions=1))
    await store.owners.admit("ann", submission("crane", 3))


async def test_submissions_are_counted_by_their_bytes_and_by_the_hour(store: Store) -> None:
    await store.owners.create("ann", OwnerLimits(submissions=2))
    for _ in range(3):
        await store.owners.admit("ann", submission("crane"))
    await store.owners.refuse("ann", submission("crane").place)
    await store.owners.admit("ann", submission("crane"))
    assert await refused(store, submission("crane", sha256="b" * 64)) == "submissions"
    key = owner_submissions("ann")
    for member in await store._client.call("ZRANGE", key, 0, -1):
        await store._client.call("ZINCRBY", key, -3_600_000_000, member)
    await store.owners.admit("ann", submission("crane", sha256="b" * 64))


async def test_a_reservation_that_nobody_goes_on_with_is_forgotten(store: Store) -> None:
    await store.owners.create("ann", OwnerLimits(versions=1))
    await store.owners.admit("ann", submission("crane"))
    assert await refused(store, submission("crane", 2)) == "versions"
    await store._client.call("HSET", owner_reservations("ann"), submission("crane").place, "10 1")
    await store.owners.admit("ann", submission("crane", 2))


async def test_of_many_submissions_at_once_no_more_are_admitted_than_the_limits_allow(store: Store) -> None:
    await store.owners.create("ann", OwnerLimits(bots=1_000, packed_bytes=70, submissions=1_000))
    tries = [store.owners.admit("ann", submission(f"bot{number}"), register=True) for number in range(40)]
    failed = [one for one in await asyncio.gather(*tries, return_exceptions=True) if one is not None]
    assert len(failed) == 33
    assert all(isinstance(one, OwnerLimitError) for one in failed)
    assert len((await store.bots.list(owner="ann")).items) == 7


async def test_a_name_is_the_bot_of_whoever_submits_first(store: Store) -> None:
    for name in ("ann", "bob"):
        await store.owners.create(name)
    await store.bots.create("swan")
    await store.owners.admit("ann", submission("crane"), register=True)
    await store.owners.admit("ann", submission("crane"), register=True)
    assert (await store.bots.get("crane")).owner == "ann"
    for taken in ("crane", "swan"):
        with pytest.raises(NameTakenError, match=taken):
            await store.owners.admit("bob", submission(taken))
    await store.owners.end("ann")
    with pytest.raises(OwnerEndedError):
        await store.owners.admit("ann", submission("crane"))
