"""Folders and files that only their owner may read: data folders, keys, passwords."""

import logging
import stat
from pathlib import Path
from shlex import quote

_OTHERS = stat.S_IRWXG | stat.S_IRWXO

_log = logging.getLogger(__name__)


class PrivateFileError(Exception):
    """A file or folder that has to be private cannot be read or made so, or holds too little; the text names it."""


def private_folder(path: Path) -> Path:
    """Make a folder that only its owner may use, and return its real path.

    Permissions that others have on a folder that exists are taken away, which is logged. Raises PrivateFileError.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = path.resolve(strict=True)
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & _OTHERS:
            path.chmod(mode & ~_OTHERS)
            _log.warning("folder %s was open to other users (mode %04o); now it is not", path, mode)
    except OSError as error:
        reason = "it is no folder" if isinstance(error, FileExistsError) else error.strerror
        raise PrivateFileError(f"folder {path}: {reason}") from error
    return path


def check_private(path: Path) -> None:
    """Check that only its owner can read a file; PrivateFileError."""
    try:
        kind = path.stat().st_mode
    except OSError as error:
        raise PrivateFileError(f"{path} cannot be read: {error.strerror}") from error
    if not (stat.S_ISREG(kind) or stat.S_ISFIFO(kind)):
        raise PrivateFileError(f"{path} is a folder or a device, not a file")
    if (mode := stat.S_IMODE(kind)) & _OTHERS:
        raise PrivateFileError(f"{path} is open to other users (mode {mode:04o}): run chmod 600 {quote(str(path))}")


def read_secret(path: Path, *, least: int = 1) -> str:
    """Return the text of a file without the blanks around it, at least `least` characters.

    Raises PrivateFileError, also where others can read the file.
    """
    check_private(path)
    try:
        secret = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise PrivateFileError(f"{path} cannot be read: {error}") from error
    if len(secret) < least:
        what = f"holds {len(secret)} characters, and at least {least} are needed" if secret else "is empty"
        raise PrivateFileError(f"{path} {what}")
    return secret
