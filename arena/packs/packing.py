"""A folder as a pack: a compressed tar in canonical form, the same to the byte wherever and whenever it is made.

Members are regular files alone, in the order of their paths, with mode 0644 or 0755, without owners or times. So a
reader needs no judgement: it makes each member's header again and refuses a pack with any other byte. The version of a
bot is the SHA-256 of the tar before compression.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
import tarfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from arena.packs.errors import ManifestError, PackError
from arena.packs.manifest import LARGEST_MANIFEST, MANIFEST, Manifest, read_manifest
from arena.scratch import BLOCK_BYTES

_BLOCK = 512
_END = bytes(2 * _BLOCK)
_PART = 1 << 16
_GZIP = 31
"""zlib's window bits for the gzip container, whose header holds no time then."""
_COMPONENT = re.compile(r"[A-Za-z0-9._+@=,~ -]{1,100}", re.ASCII)
_MAX_PATH_LENGTH = 200
_SKIPPED = frozenset({"__pycache__", "node_modules"})
_STATE = "arena-data"
"""Where commands that are run in the bot's folder keep their state, logs and replays."""


@dataclass(frozen=True)
class Limits:
    """What a pack may hold at most; sizes in bytes."""

    packed: int = 32 << 20
    unpacked: int = 128 << 20
    """On a disk: whole blocks, and one for each file and folder."""
    entries: int = 4_000
    """Files and folders together."""
    depth: int = 16
    """Of folders within one another."""


LIMITS = Limits()


@dataclass(frozen=True)
class Pack:
    """A packed bot."""

    version: str
    """SHA-256 of the tar in hex."""
    manifest: Manifest
    data: bytes
    files: int
    unpacked: int
    """Bytes that its files and folders take on a disk."""


@dataclass(frozen=True)
class _Member:
    path: str
    executable: bool
    size: int


@dataclass
class _Tally:
    """What the members of a pack take of a file system, held against limits as they come. `whose` begins the errors."""

    limits: Limits
    whose: str
    files: int = 0
    unpacked: int = BLOCK_BYTES
    _folders: set[PurePosixPath] = field(default_factory=lambda: {PurePosixPath()})
    _sizes: Counter[str] = field(default_factory=Counter)
    """The bytes of what lies at the top, files and folders."""

    def add(self, path: str, size: int) -> None:
        """Count a file with the folders in which it is. PackError beyond a limit."""
        above = PurePosixPath(path).parents
        if len(above) - 1 > self.limits.depth:
            raise PackError(
                f"{self.whose} has folders within one another {len(above) - 1} deep, and at most {self.limits.depth} "
                f"are taken: {path!r}"
            )
        new = set(above) - self._folders
        self._folders |= new
        self.files += 1
        self._sizes[path.split("/", 1)[0]] += size
        entries = self.files + len(self._folders)
        if entries > self.limits.entries:
            raise PackError(f"{self.whose} has more than {self.limits.entries:,} files and folders")
        blocks = max(1, -(-size // BLOCK_BYTES)) + len(new)
        self.unpacked += blocks * BLOCK_BYTES
        if self.unpacked > self.limits.unpacked:
            raise PackError(
                f"{self.whose} takes more than {_mebibytes(self.limits.unpacked)} on a disk; {self.largest}"
            )

    @property
    def largest(self) -> str:
        """What takes most, in words, so that an author knows what to leave out."""
        ((name, size),) = self._sizes.most_common(1)
        return f"most of it is {name!r} with {_mebibytes(size)}"


def pack(folder: Path, limits: Limits = LIMITS) -> Pack:
    """Pack a bot's folder; ManifestError, PackError.

    Left out are files and folders whose names begin with a dot, `__pycache__` and `node_modules`, and `arena-data`
    beside the manifest. A link to a file of the folder is packed as that file.
    """
    tally = _Tally(limits, str(folder))
    files = list(_walk(folder, folder.resolve(), tally))
    manifest: Manifest | None = None
    digest = hashlib.sha256()
    deflater = zlib.compressobj(9, zlib.DEFLATED, _GZIP)
    packed: list[bytes] = []
    unread = limits.unpacked

    def put(part: bytes) -> None:
        digest.update(part)
        packed.append(deflater.compress(part))

    for path, file in sorted(files):
        try:
            stats = file.stat()
            content = file.read_bytes() if stats.st_size <= unread else b""
        except OSError as error:
            raise PackError(f"{file}: {error.strerror}") from error
        unread -= len(content)
        if unread < 0 or len(content) < stats.st_size:
            raise PackError(f"{file} changes while it is packed")
        if path == MANIFEST:
            manifest = read_manifest(content)
        put(_header(_Member(path, bool(stats.st_mode & stat.S_IXUSR), len(content))))
        put(content + bytes(-len(content) % _BLOCK))
    put(_END)
    packed.append(deflater.flush())
    data = b"".join(packed)
    if manifest is None:
        raise ManifestError(
            f"{folder} has no {MANIFEST}; `arena bot new` writes one for a bot in Python or C, and a bot in JavaScript "
            "connects by itself"
        )
    check_program(manifest, [path for path, _ in files])
    if len(data) > limits.packed:
        raise PackError(
            f"{folder} is {_mebibytes(len(data))} packed, and at most {_mebibytes(limits.packed)} is taken; "
            f"{tally.largest}"
        )
    return Pack(digest.hexdigest(), manifest, data, tally.files, tally.unpacked)


def check(data: bytes, limits: Limits = LIMITS) -> Pack:
    """Check a pack that somebody sent, and return what it holds; ManifestError, PackError."""
    return _read(data, limits, None)


def unpack(data: bytes, folder: Path, limits: Limits = LIMITS) -> Pack:
    """Check a pack and write its files into a new folder. What was written before an error stays there.

    Raises ManifestError, PackError; FileExistsError for a folder that is there, OSError.
    """
    folder.mkdir(parents=True)
    return _read(data, limits, folder)


def check_program(manifest: Manifest, paths: Sequence[str]) -> None:
    """Check that the program of a manifest is in its pack; ManifestError."""
    program = manifest.command[0]
    if manifest.runtime != "python" and program.removeprefix("./") not in paths:
        raise ManifestError(
            f"{MANIFEST}: command begins with {program!r}, which is no file of the folder; build it first if it is "
            "compiled"
        )


def _read(data: bytes, limits: Limits, folder: Path | None) -> Pack:
    if len(data) > limits.packed:
        raise PackError(f"the pack has {_mebibytes(len(data))}, and at most {_mebibytes(limits.packed)} is taken")
    source = _Inflater(data)
    paths: set[str] = set()
    last = ""
    tally = _Tally(limits, "the pack")
    manifest: Manifest | None = None
    while (member := _next(source)) is not None:
        path = member.path
        _check_path(path)
        if path <= last:
            raise PackError(f"{path!r} comes after {last!r}: a pack has each file once, in the order of their paths")
        last = path
        above = ["/".join(path.split("/")[:depth]) for depth in range(1, path.count("/") + 1)]
        if not paths.isdisjoint(above):
            raise PackError(f"{path!r} is a file and a folder at once")
        paths.add(path)
        tally.add(path, member.size)
        if path == MANIFEST:
            content = source.read(min(member.size, LARGEST_MANIFEST + 1))  # what is longer is refused
            manifest = read_manifest(content)
            parts: Iterator[bytes] = iter((content,))
        else:
            parts = source.parts(member.size)
        _write(parts, member, folder)
        if any(source.read(-member.size % _BLOCK)):
            raise PackError(f"{path!r} is followed by something else than zeros")
    source.finish()
    if manifest is None:
        raise ManifestError(f"the pack has no {MANIFEST}")
    check_program(manifest, sorted(paths))
    return Pack(source.digest.hexdigest(), manifest, data, tally.files, tally.unpacked)


def _next(source: _Inflater) -> _Member | None:
    """The next member; None at the end of the tar. PackError for a header that `_header` does not make."""
    block = source.read(_BLOCK)
    if block == _END[:_BLOCK]:
        if source.read(_BLOCK) != _END[:_BLOCK]:
            raise PackError("the pack goes on behind its end")
        return None
    try:
        info = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
    except (tarfile.HeaderError, UnicodeDecodeError) as error:
        raise PackError(f"the pack is no tar: {error}") from error
    member = _Member(info.name, info.mode == 0o755, info.size)
    if info.size < 0 or _header(member) != block:
        raise PackError(
            f"{info.name!r} is not as a pack has it: a regular file of mode 0644 or 0755, without owner and time"
        )
    return member


def _write(parts: Iterator[bytes], member: _Member, folder: Path | None) -> None:
    if folder is None:
        for _ in parts:
            pass
        return
    file = folder / member.path
    file.parent.mkdir(parents=True, exist_ok=True)
    # A new file alone: whatever else is there was not written by this call.
    fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o755 if member.executable else 0o644)
    with os.fdopen(fd, "wb") as out:
        for part in parts:
            out.write(part)


def _walk(folder: Path, root: Path, tally: _Tally, above: str = "") -> Iterator[tuple[str, Path]]:
    """The files to pack, each with its path in the pack; PackError."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise PackError(f"{folder}: {error.strerror}") from error
    for entry in entries:
        path = above + entry.name
        if _is_skipped(entry.name) or path == _STATE:
            continue
        _check_path(path)
        if entry.is_symlink():
            _check_link(entry, root)
        if entry.is_dir() and not entry.is_symlink():
            yield from _walk(entry, root, tally, f"{path}/")
        elif entry.is_file():
            tally.add(path, entry.stat().st_size)
            yield path, entry
        else:
            raise PackError(f"{entry} is no file: a pack holds files and folders alone")


def _check_link(link: Path, root: Path) -> None:
    """Check that a link leads to a file of the folder; PackError."""
    try:
        target = link.resolve()
    except RuntimeError as error:
        raise PackError(f"{link} is a link that leads to itself") from error
    if not target.is_relative_to(root):
        raise PackError(f"{link} is a link to something outside of the folder")
    if target.is_dir():
        raise PackError(f"{link} is a link to a folder: a pack holds files and folders alone")


def _is_skipped(name: str) -> bool:
    """Whether a file or folder is left out of packs."""
    return name.startswith(".") or name in _SKIPPED


def _check_path(path: str) -> None:
    """Check that a path can be written as it stands, anywhere; PackError."""
    names = path.split("/")
    if len(path) > _MAX_PATH_LENGTH or any(_is_skipped(name) or _COMPONENT.fullmatch(name) is None for name in names):
        raise PackError(
            f"the path {path!r} is not taken: at most {_MAX_PATH_LENGTH} characters, names of letters, digits, spaces "
            "and ._+@=,~- that do not begin with a dot"
        )


def _header(member: _Member) -> bytes:
    """The one tar header that a member has."""
    info = tarfile.TarInfo(member.path)
    info.size = member.size
    info.mode = 0o755 if member.executable else 0o644
    try:
        return info.tobuf(tarfile.USTAR_FORMAT, "ascii", "strict")
    except (ValueError, UnicodeEncodeError) as error:
        raise PackError(f"the path {member.path!r} is not taken: {error}") from error


class _Inflater:
    """Decompresses a pack little by little, and keeps the digest of what came out."""

    def __init__(self, data: bytes) -> None:
        self._source = io.BytesIO(data)
        self._inflater = zlib.decompressobj(_GZIP)
        self.digest = hashlib.sha256()

    def read(self, size: int) -> bytes:
        """So many bytes; PackError when there are fewer."""
        return b"".join(self.parts(size))

    def parts(self, size: int) -> Iterator[bytes]:
        """So many bytes in parts; PackError when there are fewer."""
        while size:
            part = self._inflate(min(size, _PART))
            if not part:
                raise PackError("the pack ends too early")
            size -= len(part)
            self.digest.update(part)
            yield part

    def finish(self) -> None:
        """Check that nothing follows; PackError."""
        if self._inflate(1) or not self._inflater.eof or self._inflater.unused_data or self._source.read(1):
            raise PackError("the pack goes on behind its end")

    def _inflate(self, limit: int) -> bytes:
        try:
            while not self._inflater.eof:
                compressed = self._inflater.unconsumed_tail or self._source.read(_PART)
                part = self._inflater.decompress(compressed, limit)
                if part or not compressed:
                    return part
        except zlib.error as error:
            raise PackError(f"the pack is not compressed as gzip does: {error}") from error
        return b""


def _mebibytes(size: int) -> str:
    return f"{size / (1 << 20):.3g} MiB"
