"""What a store says of its server's settings, of whatever kind that is."""

from arena.store import Store


async def test_every_kind_of_store_tells_when_it_brings_writes_to_the_disk(store: Store) -> None:
    assert await store.append_fsync() in ("always", "everysec")
    assert (await store.survey.server()).appendfsync == await store.append_fsync()
