"""What submitted bots wrote is kept by bot, version and match, and not without bound."""

import pytest

from arena.store import Store
from arena.store.errors import InvalidCursorError
from arena.store.outputs import MAX_OUTPUTS, Output, OutputPart


def output(match: str, version: str = "aa", text: bytes = b"hello") -> Output:
    return Output(version, match, 7, (OutputPart(5, text),), 3)


async def test_outputs_are_listed_from_the_latest_by_version_and_match_and_in_pages(store: Store) -> None:
    for number in range(5):
        await store.outputs.add("ann", output(f"m{number}", "ab"[number % 2] * 64))
    await store.outputs.add("bob", output("other"))
    page = await store.outputs.page("ann", limit=2)
    assert [item.match for item in page.items] == ["m4", "m3"]
    page = await store.outputs.page("ann", limit=3, after=page.next)
    assert [item.match for item in page.items] == ["m2", "m1", "m0"]
    assert page.next == ""
    assert [item.match for item in (await store.outputs.page("ann", version="bb")).items] == ["m3", "m1"]
    assert (await store.outputs.page("ann", match="m2")).items == (output("m2", "a" * 64),)
    assert (await store.outputs.page("nobody")).items == ()
    with pytest.raises(InvalidCursorError):
        await store.outputs.page("ann", after="x")


async def test_the_oldest_outputs_go_when_there_are_too_many(store: Store) -> None:
    for number in range(MAX_OUTPUTS + 3):
        await store.outputs.add("ann", output(f"m{number}"))
    matches = [item.match for item in (await store.outputs.page("ann", limit=1_000)).items]
    assert matches == [f"m{number}" for number in range(MAX_OUTPUTS + 2, 2, -1)]


async def test_old_outputs_are_counted_and_removed(store: Store) -> None:
    await store.outputs.add("ann", output("m", text=b"x" * 1_000))
    assert await store.outputs.older("ann", 3_600) == 0
    assert await store.outputs.older("ann", -3_600) > 1_000
    await store.outputs.drop_older("ann", 3_600)
    assert len((await store.outputs.page("ann")).items) == 1
    await store.outputs.drop_older("ann", -3_600)
    assert (await store.outputs.page("ann")).items == ()
