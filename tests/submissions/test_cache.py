"""A node's unpacked versions: checked, bounded, and not taken away while they are used."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.packs.errors import SubmissionError
from arena.packs.packing import Pack, pack
from arena.scratch import BLOCK_BYTES
from arena.store import Store
from arena.store.errors import UnknownPackError
from arena.submissions.cache import PackCache

MANIFEST = '[bot]\nname = "{}"\ncommand = ["python", "bot.py"]\n'


def packed(folder: Path, name: str) -> Pack:
    """A bot of two small files in a folder."""
    folder = folder / f"source-{name}"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST.format(name))
    (folder / "bot.py").write_text("#" * 1_000)
    return pack(folder)


async def test_a_version_is_unpacked_once_and_again_when_it_was_changed(tmp_path: Path) -> None:
    ann = packed(tmp_path, "ann")
    async with await Store.open(tmp_path / "data") as store:
        await store.packs.put(ann.version, ann.data)
        async with PackCache(store, tmp_path / "cache").use(ann.version) as (folder, manifest):
            assert manifest == ann.manifest
            made = (folder / "bot.py").stat().st_ino
        async with PackCache(store, tmp_path / "cache").use(ann.version) as (folder, _):
            assert (folder / "bot.py").stat().st_ino == made
            (folder / "bot.py").write_text("print('changed')")
        async with PackCache(store, tmp_path / "cache").use(ann.version) as (folder, _):
            assert (folder / "bot.py").read_text() == "#" * 1_000
        assert [path.name for path in (tmp_path / "cache").iterdir()] == [ann.version]


async def test_what_was_not_used_for_longest_makes_room_but_never_while_it_is_used(tmp_path: Path) -> None:
    ann, bo, cleo = (packed(tmp_path, name) for name in ("ann", "bo", "cleo"))
    async with await Store.open(tmp_path / "data") as store:
        for one in (ann, bo, cleo):
            await store.packs.put(one.version, one.data)
        cache = PackCache(store, tmp_path / "cache", limit=2 * 3 * BLOCK_BYTES)

        def there() -> set[str]:
            return {path.name for path in (tmp_path / "cache").iterdir()}

        async with cache.use(ann.version):
            async with cache.use(bo.version):
                pass
            async with cache.use(cleo.version):
                assert there() == {ann.version, cleo.version}
            async with cache.use(bo.version):
                assert there() == {ann.version, bo.version}
        again = PackCache(store, tmp_path / "cache", limit=2 * 3 * BLOCK_BYTES)
        async with again.use(cleo.version):
            assert len(there()) == 2
            assert cleo.version in there()


async def test_a_pack_that_is_not_what_its_digest_says_is_never_played(tmp_path: Path) -> None:
    ann, bo = packed(tmp_path, "ann"), packed(tmp_path, "bo")
    async with await Store.open(tmp_path / "data") as store:
        await store.packs.put(bo.version, ann.data)
        cache = PackCache(store, tmp_path / "cache")
        with pytest.raises(SubmissionError, match=f"its digest is {ann.version}"):
            async with cache.use(bo.version):
                pass
        with pytest.raises(UnknownPackError):
            async with cache.use(ann.version):
                pass
        assert list((tmp_path / "cache").iterdir()) == []
