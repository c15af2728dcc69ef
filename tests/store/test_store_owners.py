import hashlib

import pytest
from store_servers import tell

from arena.store import OwnerLimits, Store
from arena.store.errors import (
    InvalidNameError,
    OwnerEndedError,
    OwnerExistsError,
    UnknownOwnerError,
    UnknownTokenError,
)
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
    with pytest.raises(OwnerExistsError):
        await store.owners.create("ann")
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
