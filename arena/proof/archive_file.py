"""The file of an archived league: a zip of its documents and replays."""

import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from hashlib import sha256
from pathlib import Path

from arena.league.errors import ArchiveError
from arena.proof.documents import is_document

MAX_MEMBERS = 2_000_000
MAX_DOCUMENT_BYTES = 256 << 20
MAX_REPLAY_BYTES = 1 << 20
MAX_BYTES = 4 << 30
"""Of all members together."""
MAX_VALUES, SMALL_VALUES = 200, 1_000_000
"""A league's documents hold some 30 values for each of its members; one that had no match holds 50 for each entrant. In
memory a value takes far more than its bytes.
"""
MAX_UNPACKED, SMALL_BYTES = 32, 16 << 20
"""How much larger documents are at most than they are packed, beyond a size that does no harm: those of a league of
hundreds of matches are five to fifteen times as large, what is made to fill a reader's memory a thousand times."""
_BEGINNING = (1980, 1, 1, 0, 0, 0)  # a date of its own would make the same league another file each time
_ENCRYPTED = 1


class ArchiveWriter(AbstractContextManager["ArchiveWriter"]):
    """Writes an archive beside its place and moves it there when it is whole; nothing is left of one that failed.

    The same documents and replays in the same order always give the same bytes. Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        self.digests: dict[str, str] = {}
        """The SHA-256 in hex of each member that was written."""
        self._path = path
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        self._temporary = Path(name)
        self._file = os.fdopen(handle, "wb")
        self._zip = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED)

    def add(self, name: str, content: bytes) -> None:
        """Write a member."""
        # A replay is too small to be made smaller.
        kind = zipfile.ZIP_DEFLATED if is_document(name) else zipfile.ZIP_STORED
        member = zipfile.ZipInfo(name, _BEGINNING)
        member.external_attr = 0o644 << 16
        self._zip.writestr(member, content, kind)
        self.digests[name] = sha256(content).hexdigest()

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._zip.close()
                self._file.flush()
                os.fsync(self._file.fileno())
                self._temporary.chmod(0o644)
                self._temporary.replace(self._path)
        finally:
            self._temporary.unlink(missing_ok=True)
            # Of one that failed both have something left that cannot be written either.
            for opened in (self._zip, self._file):
                with suppress(OSError):
                    opened.close()


class ArchiveReader(AbstractContextManager["ArchiveReader"]):
    """Reads an archive that anybody may have made: nothing is written to disk, nothing is read that is too large.

    Raises ArchiveError for another kind of file, and for one that was cut off or damaged; OSError.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        try:
            self._zip = zipfile.ZipFile(self._file)
            self._members = _listed(self._zip.infolist())
        except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, OSError) as error:
            # A broken directory can make zipfile seek to impossible places, which is an OSError.
            self._file.close()
            if isinstance(error, ArchiveError):
                raise
            raise ArchiveError(f"this is not an archive of a league, or it was cut off: {error}") from error

    @property
    def members(self) -> Iterable[str]:
        """The names of all members."""
        return self._members.keys()

    def documents(self) -> dict[str, bytes]:
        """Return every document, by name."""
        documents = {}
        remaining = SMALL_VALUES + MAX_VALUES * len(self._members)
        for name in filter(is_document, self._members):
            documents[name] = self.read(name)
            remaining -= documents[name].count(b",")
            if remaining < 0:
                raise ArchiveError(f"its documents hold far more than {len(self._members)} members can be about")
        return documents

    def digests(self) -> dict[str, str]:
        """The SHA-256 in hex of each member."""
        return {name: sha256(self.read(name)).hexdigest() for name in self._members}

    def read(self, name: str) -> bytes:
        """Return a member's bytes."""
        limit = _max_bytes(name)
        try:
            with self._zip.open(self._members[name]) as file:
                # What the directory says of the size may be a lie; a byte too many shows it.
                content = file.read(limit + 1)
                if len(content) <= limit:
                    file.read(1)  # at the end the checksum is looked at
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError, OSError) as error:
            raise ArchiveError(f"{name} cannot be read: {error}") from error
        if len(content) > limit:
            raise ArchiveError(f"{name} is larger than {limit} bytes")
        return content

    def __exit__(self, kind: object, *_: object) -> None:
        self._file.close()


def _listed(infos: list[zipfile.ZipInfo]) -> Mapping[str, zipfile.ZipInfo]:
    """Return the members by name. ArchiveError for a directory that no archive of a league has."""
    members: dict[str, zipfile.ZipInfo] = {}
    if len(infos) > MAX_MEMBERS:
        raise ArchiveError(f"the archive has {len(infos)} members, more than {MAX_MEMBERS}")
    for info in infos:
        name = info.filename
        if name in members:
            raise ArchiveError(f"the archive has two members named {name!r}")
        if info.flag_bits & _ENCRYPTED:
            raise ArchiveError(f"{name!r} is encrypted")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ArchiveError(f"{name!r} is compressed by a method that archives do not use")
        if info.file_size > _max_bytes(name):
            raise ArchiveError(f"{name!r} is larger than {_max_bytes(name)} bytes")
        members[name] = info
    if sum(info.file_size for info in infos) > MAX_BYTES:
        raise ArchiveError(f"the archive is larger than {MAX_BYTES} bytes")
    documents = [info for info in infos if is_document(info.filename)]
    packed = sum(info.compress_size for info in documents)
    unpacked = sum(info.file_size for info in documents)
    if unpacked > SMALL_BYTES + MAX_UNPACKED * packed:
        raise ArchiveError(f"its documents are {unpacked} bytes, packed in {packed}: no league's are packed so tightly")
    return members


def _max_bytes(name: str) -> int:
    return MAX_DOCUMENT_BYTES if is_document(name) else MAX_REPLAY_BYTES
