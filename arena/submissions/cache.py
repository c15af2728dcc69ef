"""A node's folder of unpacked versions, from which it plays them."""

import asyncio
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path

from arena.packs.errors import SubmissionError
from arena.packs.manifest import Manifest
from arena.packs.packing import Pack, pack, unpack
from arena.scratch import lock_folder, space_taken
from arena.store import Store

LIMIT = 1 << 30
"""Bytes of its disk that a cache keeps."""


class PackCache:
    """Unpacks versions where they are missing, and removes those that were not used for longest.

    One process uses a folder. What is there when it starts is checked by its digest before its first use: a version
    that is not whole, or was changed, is unpacked again.
    """

    def __init__(self, store: Store, folder: Path, limit: int = LIMIT) -> None:
        self._store = store
        self._folder = folder
        self._limit = limit
        folder.mkdir(parents=True, exist_ok=True)
        self._sizes = {path.name: space_taken(path) for path in folder.iterdir()}
        """The folders that are there, the longest unused first."""
        self._manifests: dict[str, Manifest] = {}
        """Of the folders that were checked."""
        self._uses: Counter[str] = Counter()
        self._unpacking = asyncio.Lock()

    @asynccontextmanager
    async def use(self, version: str) -> AsyncIterator[tuple[Path, Manifest]]:
        """The folder of a version, which stays while the body runs, and its manifest.

        Raises UnknownPackError, SubmissionError.
        """
        self._uses[version] += 1
        try:
            async with self._unpacking:
                manifest = await self._get(version)
            yield self._folder / version, manifest
        finally:
            self._uses[version] -= 1

    async def _get(self, version: str) -> Manifest:
        folder = self._folder / version
        if version not in self._manifests:
            content = await asyncio.to_thread(_check, folder, version)
            if content is None:
                await self._store.packs.keep(version)
                data = await self._store.packs.get(version)
                content = await asyncio.to_thread(_unpack, data, folder, version)
            self._manifests[version], self._sizes[version] = content.manifest, content.unpacked
        self._sizes[version] = self._sizes.pop(version)  # the last to be removed
        for name in list(self._sizes):
            if sum(self._sizes.values()) <= self._limit:
                break
            if not self._uses[name]:
                await asyncio.to_thread(_remove, self._folder / name)
                del self._sizes[name]
                self._manifests.pop(name, None)
        return self._manifests[version]


@contextmanager
def own_folder(place: Path) -> Iterator[Path]:
    """A folder below `place` for a cache, locked while the body runs. A later process finds what was left in it."""
    for number in count():
        folder = place / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        if (lock := lock_folder(folder)) is not None:
            try:
                yield folder
                return
            finally:
                os.close(lock)


def _check(folder: Path, version: str) -> Pack | None:
    """What is in a folder, if it is what was packed."""
    try:
        content = pack(folder)
    except SubmissionError:
        return None
    return content if content.version == version else None


def _unpack(data: bytes, folder: Path, version: str) -> Pack:
    with tempfile.TemporaryDirectory(prefix=".unpack-", dir=folder.parent) as scratch:
        content = unpack(data, Path(scratch) / "bot")
        if content.version != version:
            raise SubmissionError(f"the store holds another pack than {version}: its digest is {content.version}")
        _remove(folder)
        (Path(scratch) / "bot").rename(folder)
    return content


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
