"""A page whose state changes all the time is not made all the time."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.store import Store
from arena.web.pages import KeptPage
from arena.web.site import reader as reader_module
from arena.web.site.reader import Reader


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    async with await Store.open(tmp_path) as store:
        yield Reader(store)


class Pages:
    def __init__(self) -> None:
        self.made = 0

    async def make(self) -> KeptPage:
        self.made += 1
        return KeptPage.of(str(self.made).encode())


async def test_a_page_made_lately_will_do_for_later_versions_but_not_for_another_round(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "_LATELY_S", 3_600)
    pages = Pages()
    for version in range(100):
        assert (await reader.lately("round 1", str(version), pages.make)).body == b"1"
    assert (await reader.lately("round 2", "100", pages.make)).body == b"2"
    assert pages.made == 2


async def test_a_page_that_is_no_longer_new_is_made_again_for_another_version_alone(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "_LATELY_S", 0)
    monkeypatch.setattr(reader_module, "_SHARE", 0)
    pages = Pages()
    for version, made in (("a", 1), ("a", 1), ("b", 2), ("b", 2), ("c", 3)):
        assert (await reader.lately("league", version, pages.make)).body == str(made).encode()
