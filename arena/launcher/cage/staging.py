"""Files where the user of a cage can reach them."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from arena.launcher.cage.errors import NoCageError

_FOR_ALL = 0o755
_OTHERS_READ = stat.S_IROTH
_OTHERS_SEARCH = stat.S_IXOTH


class Stage:
    """Finds for each file or folder a path at which another user can read all of it: its own, or that of a copy.

    Only root needs copies, of what lies in folders that others cannot search. They are kept in `folder`, by what was
    copied, for all processes that use the same one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[Path, Path] = {}
        self.empty = folder / "empty"
        self.empty.mkdir(exist_ok=True)
        self.empty.chmod(_FOR_ALL)

    def kept(self, source: Path, without: Sequence[str] = ()) -> Path:
        """A path for files that do not change while this process lives; folders `without` need not be there.

        Raises OSError.
        """
        if source not in self._known:
            self._known[source] = source if _is_open(source, without) else self._copied(source, without)
        return self._known[source]

    def known(self, source: Path) -> Path | None:
        """What `kept` has found for it; None when it has not looked yet."""
        return self._known.get(source)

    def gathered(self, sources: Iterable[Path]) -> Path:
        """A folder with copies of files under their names. OSError."""
        sources = sorted(sources)
        return self._made(_digest(sources), sources)

    @contextmanager
    def lent(self, source: Path) -> Iterator[Path]:
        """A path for files that may change, for as long as the body runs. OSError."""
        if _is_open(source):
            yield source
            return
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        folder.chmod(_FOR_ALL)
        try:
            _copy(source, folder / source.name)
            yield folder / source.name
        finally:
            shutil.rmtree(folder)

    def _copied(self, source: Path, without: Sequence[str]) -> Path:
        key = _digest(_within(source, without))
        return self._made(key, [source], without) / source.name

    def _made(self, key: str, sources: Iterable[Path], without: Sequence[str] = ()) -> Path:
        """The folder of this key, with copies unless another process did that before."""
        folder = self._folder / key
        if not folder.is_dir():
            made = Path(tempfile.mkdtemp(dir=self._folder))
            made.chmod(_FOR_ALL)
            for source in sources:
                _copy(source, made / source.name, without)
            try:
                made.rename(folder)
            except OSError:
                if not folder.is_dir():
                    raise
                shutil.rmtree(made)
        return folder


def stage_folder() -> Path:
    """This user's folder for copies, which all its processes share. NoCageError when it is somebody else's."""
    folder = Path(tempfile.gettempdir()) / f"hanafuda-arena-{os.geteuid()}"
    folder.mkdir(mode=_FOR_ALL, exist_ok=True)
    stats = folder.lstat()
    if not stat.S_ISDIR(stats.st_mode) or stats.st_uid != os.geteuid():
        raise NoCageError(f"{folder} is not this user's own folder")
    folder.chmod(_FOR_ALL)
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


def _digest(paths: Iterable[Path]) -> str:
    """What tells other files, or these when they have changed."""
    lines = ((str(path), stats.st_size, stats.st_mtime_ns) for path in paths for stats in (path.lstat(),))
    return sha256("".join(map(str, lines)).encode()).hexdigest()[:32]


def _within(source: Path, without: Sequence[str] = ()) -> Iterator[Path]:
    """A file, or a folder and everything in it but folders of these names, always in the same order."""
    yield source
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(set(folders).difference(without))
        yield from (Path(folder, name) for name in (*folders, *sorted(files)))


def _is_open(source: Path, without: Sequence[str] = ()) -> bool:
    """Whether any user can read the file, or everything in the folder but folders of these names."""
    if os.geteuid():
        return True
    real = source.resolve()
    if not all(parent.stat().st_mode & _OTHERS_SEARCH for parent in real.parents):
        return False
    return all(_others_may(path) for path in _within(real, without) if not path.is_symlink())


def _others_may(path: Path) -> bool:
    mode = path.stat().st_mode
    needed = _OTHERS_READ | _OTHERS_SEARCH if stat.S_ISDIR(mode) else _OTHERS_READ
    return mode & needed == needed
