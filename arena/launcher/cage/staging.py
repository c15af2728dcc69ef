"""Files where the user of a cage can reach them."""

import errno
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from operator import attrgetter
from pathlib import Path

from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.users import readers
from arena.scratch import lock_folder, locked_folder, space_taken

LIMIT = 1 << 30
"""Bytes of the disk for copies that are kept for later."""

_FOR_ALL = 0o755
_TO_PASS = 0o710
"""The users of cages, whose group it has, reach a copy by its name. That is no secret: all users see command lines."""
_EMPTY = "empty"
_SCRATCH = "scratch-"
_OTHERS_READ = stat.S_IROTH
_OTHERS_SEARCH = stat.S_IXOTH

_Entry = tuple[str, os.stat_result]
"""A path, and what lstat says of it."""


class Stage:
    """Finds for each file or folder a path at which another user can read all of it: its own, or that of a copy.

    Only root needs copies, of what lies in folders that others cannot search. They are kept in `folder`, by what was
    copied, for all processes that use the same one. Whoever uses a copy holds a lock on it, which the kernel frees with
    the process; of those that nobody uses, the longest unused are removed until there are no more than `limit` bytes.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self._folder = folder
        self._limit = limit
        self._permanent: dict[Path, Path] = {}
        self._keys: dict[Path, str | None] = {}
        """The names of copies by what is copied; None where none is needed."""
        self._stack = ExitStack()
        self.empty = folder / _EMPTY
        self.empty.mkdir(exist_ok=True)
        self.empty.chmod(_FOR_ALL)
        for abandoned in folder.glob(f"{_SCRATCH}*"):  # by killed processes
            _remove_unused(abandoned)

    def close(self) -> None:
        """Leave the copies to others."""
        self._stack.close()

    def permanent(self, source: Path, without: Sequence[str] = ()) -> Path:
        """Return a path for files that do not change while this process lives; folders `without` need not be there.

        Raises OSError.
        """
        if source not in self._permanent:
            self._permanent[source] = self._stack.enter_context(self.used(source, without))
        return self._permanent[source]

    @contextmanager
    def used(self, source: Path, without: Sequence[str] = ()) -> Iterator[Path]:
        """The same for as long as the body runs. OSError."""
        if source not in self._keys:
            self._keys[source] = None if _is_open(source, without) else _digest(_files(source, without))
        key = self._keys[source]
        if key is None:
            yield source
        else:
            with self._made(key, [source], without) as folder:
                yield folder / source.name

    def is_ready(self, source: Path) -> bool:
        """Whether `used` has nothing to copy, as far as is known."""
        key = self._keys.get(source, "")
        return key is None or (key != "" and (self._folder / key).exists())

    def gathered(self, sources: Iterable[Path]) -> Path:
        """Return a folder with copies of files under their names, while this process lives. OSError."""
        sources = sorted(sources)
        return self._stack.enter_context(
            self._made(_digest((str(source), source.lstat()) for source in sources), sources)
        )

    @contextmanager
    def lent(self, source: Path) -> Iterator[Path]:
        """A path for files that may change, for as long as the body runs. OSError."""
        if _is_open(source):
            yield source
            return
        with self._scratch() as folder:
            _copy(source, folder / source.name)
            yield folder / source.name

    @contextmanager
    def _made(self, key: str, sources: Iterable[Path], without: Sequence[str] = ()) -> Iterator[Path]:
        """The folder of this key, with copies unless another process did that before."""
        folder = self._folder / key
        is_new = False
        while (lock := lock_folder(folder, fcntl.LOCK_SH)) is None:
            with self._scratch() as scratch:
                made = scratch / key
                made.mkdir()
                made.chmod(_FOR_ALL)
                for source in sources:
                    _copy(source, made / source.name, without)
                try:
                    made.rename(folder)
                except OSError as error:
                    if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):  # another process was first
                        raise
            is_new = True
        try:
            os.utime(folder)
            if is_new:
                self._clean()
            yield folder
        finally:
            os.close(lock)

    @contextmanager
    def _scratch(self) -> Iterator[Path]:
        """A folder for the time that the body runs."""
        folder, lock = locked_folder(_SCRATCH, self._folder, fcntl.LOCK_SH)
        try:
            folder.chmod(_FOR_ALL)
            yield folder
        finally:
            shutil.rmtree(folder)
            os.close(lock)

    def _clean(self) -> None:
        """Remove the copies beyond the limit that nobody uses."""
        total = 0
        for folder in sorted(self._folder.iterdir(), key=_used_at, reverse=True):
            total += space_taken(folder)
            if total > self._limit and folder != self.empty:
                _remove_unused(folder)


def _used_at(folder: Path) -> float:
    """When a folder was last used; 0 when another process has removed it."""
    try:
        return folder.lstat().st_mtime
    except FileNotFoundError:
        return 0.0


def _remove_unused(folder: Path) -> None:
    """Remove a folder that no process holds."""
    lock = lock_folder(folder)
    if lock is not None:
        shutil.rmtree(folder)
        os.close(lock)


def stage_folder() -> Path:
    """This user's folder for copies, which all its processes share. NoCageError when it is somebody else's."""
    folder = Path(tempfile.gettempdir()) / f"hanafuda-arena-cages-{os.geteuid()}"
    folder.mkdir(mode=_TO_PASS, exist_ok=True)
    stats = folder.lstat()
    if not stat.S_ISDIR(stats.st_mode) or stats.st_uid != os.geteuid():
        raise NoCageError(
            f"{folder} is not this user's own folder, and copies of bots go there: remove it, or set TMPDIR to a "
            "folder that is your own"
        )
    folder.chmod(_TO_PASS)
    if not os.geteuid():
        os.chown(folder, -1, readers())
    return folder


def _copy(source: Path, target: Path, without: Sequence[str] = ()) -> None:
    """Copy a file or folder so that everybody can read it."""
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(*without))
    else:
        shutil.copy2(source, target)
    for path in (target, *target.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)


def _digest(files: Iterable[_Entry]) -> str:
    """Return what tells other files, or these when they have changed."""
    lines = ((path, stats.st_size, stats.st_mtime_ns) for path, stats in files)
    return sha256("".join(map(str, lines)).encode()).hexdigest()[:32]


def _files(source: Path, without: Sequence[str] = ()) -> Iterator[_Entry]:
    """Return the files and links of `_within`: a folder changes with whatever is compiled in it."""
    return (entry for entry in _within(source, without) if not stat.S_ISDIR(entry[1].st_mode))


def _within(source: Path, without: Sequence[str] = ()) -> Iterator[_Entry]:
    """Yield a file, or a folder and everything in it but folders of these names, always in the same order."""
    stats = source.lstat()
    yield str(source), stats
    if stat.S_ISDIR(stats.st_mode):
        yield from _inside(str(source), without)


def _inside(folder: str, without: Sequence[str]) -> Iterator[_Entry]:
    # A Python's library has thousands of files, so each is asked for once, and none is made a Path.
    with os.scandir(folder) as scan:
        entries = sorted(scan, key=attrgetter("name"))
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            yield entry.path, entry.stat(follow_symlinks=False)
        elif entry.name not in without:
            yield entry.path, entry.stat(follow_symlinks=False)
            yield from _inside(entry.path, without)


def _is_open(source: Path, without: Sequence[str] = ()) -> bool:
    """Whether any user can read the file, or everything in the folder but folders of these names."""
    if os.geteuid():
        return True
    real = source.resolve()
    if not all(parent.stat().st_mode & _OTHERS_SEARCH for parent in real.parents):
        return False
    return all(_others_may(stats.st_mode) for _, stats in _within(real, without))


def _others_may(mode: int) -> bool:
    if stat.S_ISLNK(mode):
        return True
    needed = _OTHERS_READ | _OTHERS_SEARCH if stat.S_ISDIR(mode) else _OTHERS_READ
    return mode & needed == needed
