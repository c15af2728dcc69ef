"""The file of a backup: a zip of the store's snapshots and the replays of a data folder, with a manifest."""

import os
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.store.dump import snapshots
from arena.store.errors import BackupError

if TYPE_CHECKING:
    from arena.store.client import Client

MANIFEST = "manifest.json"
_SNAPSHOT = "store/{}.rdb"
_REPLAYS = "replays/"
_CHUNK = 1 << 20


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds, and of which arena. `database` is the store's, of those that a server has."""

    format: int
    schema: int
    arena: str
    server: str
    made_at: str
    snapshots: int
    replays: int
    database: int = 0


FORMAT = 1


async def write(client: "Client", file: Path, schema: int, replays: Path | None = None) -> Manifest:
    """Write a backup of the store of a client, and of the replays in a folder; return what it holds.

    The file appears when it is whole, for its owner alone: it holds the secrets of the arena. `schema` is the store's.
    Raises BackupError, OSError.
    """
    manifest = Manifest(
        format=FORMAT,
        schema=schema,
        arena=version("hanafuda-arena"),
        server=f"{client.info.name} {client.info.version}",
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        snapshots=0,
        replays=0,
        database=client.database,
    )
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with _private(unfinished) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            count = await _write_snapshots(archive, snapshots(client))
            files = _write_replays(archive, replays)
            manifest = msgspec.structs.replace(manifest, snapshots=count, replays=files)
            archive.writestr(MANIFEST, msgspec.json.encode(manifest))
        os.link(unfinished, file)
    except FileExistsError as error:
        raise BackupError(f"{file} exists already; name another file") from error
    finally:
        unfinished.unlink(missing_ok=True)
    _sync(file.parent)
    return manifest


async def _write_snapshots(archive: zipfile.ZipFile, dumps: AsyncIterator[AsyncIterator[bytes]]) -> int:
    count = 0
    async for snapshot in dumps:
        count += 1
        with archive.open(_SNAPSHOT.format(count), "w", force_zip64=True) as member:
            async for chunk in snapshot:
                member.write(chunk)
    return count


def _write_replays(archive: zipfile.ZipFile, folder: Path | None) -> int:
    paths = [] if folder is None else sorted(folder.glob("*.hreplay"))
    for path in paths:
        archive.write(path, _REPLAYS + path.name)
    return len(paths)


@contextmanager
def _private(path: Path) -> Iterator["os.PathLike[str]"]:
    """The path of a new file that only its owner can read, brought to the disk at the end."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    yield path
    with path.open("rb") as written:
        os.fsync(written.fileno())


def _sync(folder: Path) -> None:
    """Bring the name of a new file to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(file: Path) -> Manifest:
    """Read what a backup holds, all of which is checked. Raises BackupError, OSError."""
    with _opened(file) as archive:
        damaged = archive.testzip()
        if damaged is not None:
            raise BackupError(f"{file} is damaged: {damaged} is not as it was written")
        try:
            manifest = msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
        except (KeyError, msgspec.MsgspecError) as error:
            raise BackupError(f"{file} is no backup of an arena: {error}") from error
    if manifest.format > FORMAT:
        raise BackupError(f"{file} was written by a newer arena ({manifest.arena}); this one does not read it")
    return manifest


def unpack_snapshots(file: Path, manifest: Manifest, folder: Path) -> list[Path]:
    """Write the snapshots of a backup into a folder; their paths. Raises BackupError, OSError."""
    paths = []
    with _opened(file) as archive:
        for number in range(1, manifest.snapshots + 1):
            paths.append(folder / f"{number}.rdb")
            _copy(archive, _SNAPSHOT.format(number), paths[-1])
    return paths


def unpack_replays(file: Path, folder: Path) -> None:
    """Write the replays of a backup into a folder. Raises BackupError, OSError."""
    with _opened(file) as archive:
        for name in archive.namelist():
            if name.startswith(_REPLAYS):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                _copy(archive, name, folder / Path(name).name)


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except zipfile.BadZipFile as error:
        raise BackupError(f"{file} is damaged or no backup: {error}") from error


def _copy(archive: zipfile.ZipFile, name: str, path: Path) -> None:
    with archive.open(name) as source, open(path, "wb", opener=_private_opener) as target:
        while chunk := source.read(_CHUNK):
            target.write(chunk)


def _private_opener(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
