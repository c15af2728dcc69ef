"""Temporary folders of processes that may be killed: the next start removes what such a one left behind."""

import fcntl
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "arena-scratch-"
BLOCK_BYTES = 4_096
"""What a file system takes for a file or folder at least."""

log = logging.getLogger(__name__)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for as long as the body runs, with a path that is short enough for sockets.

    A lock on the folder itself says that its process lives; the kernel frees it with the process, however that ends.
    """
    _sweep(Path(tempfile.gettempdir()))
    folder, lock = locked_folder(PREFIX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
        os.close(lock)


def _sweep(place: Path) -> None:
    """Remove this user's folders whose processes are gone."""
    with os.scandir(place) as entries:
        abandoned = [
            Path(entry)
            for entry in entries
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False) and _is_own(entry)
        ]
    for folder in abandoned:
        lock = lock_folder(folder)
        if lock is not None:
            try:
                shutil.rmtree(folder)
            except OSError as error:
                log.warning("%s was left behind, and cannot be removed: %s", folder, error)
            finally:
                os.close(lock)


def _is_own(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_uid == os.geteuid()
    except FileNotFoundError:
        return False


def space_taken(path: Path) -> int:
    """Bytes that a file, or a folder and all in it, take on the disk; 0 when another process removes it."""
    with suppress(FileNotFoundError):
        entries = [path, *path.rglob("*")]
        return sum(max(BLOCK_BYTES, 512 * entry.lstat().st_blocks) for entry in entries)
    return 0


def locked_folder(prefix: str, place: Path | None = None, kind: int = fcntl.LOCK_EX) -> tuple[Path, int]:
    """A new folder in `place`, by default that of temporary files, and the descriptor of a lock on it."""
    # Another process may come between the making of a folder and its lock, and remove it.
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
        if (lock := lock_folder(folder, kind)) is not None:
            return folder, lock


def lock_folder(folder: Path, kind: int = fcntl.LOCK_EX) -> int | None:
    """Lock a folder: the descriptor of the lock, None when other processes have locked it or it is gone.

    The kernel frees the lock with the process, however that ends.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), folder.lstat()):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None
