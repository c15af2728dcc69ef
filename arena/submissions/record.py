"""What the store keeps of a version besides its pack."""

import msgspec

from arena.packs.manifest import Manifest
from arena.store import BotVersion


class VersionRecord(msgspec.Struct, frozen=True):
    """What is kept of a version besides its pack."""

    manifest: Manifest
    files: int
    unpacked: int
    """Bytes that its files and folders take on a disk."""


def read_record(version: BotVersion) -> VersionRecord:
    """Return what is kept of a version."""
    return msgspec.json.decode(version.record, type=VersionRecord)


class _Rerun(msgspec.Struct, frozen=True):
    """The part of a qualification's report that is shown wherever a version is named."""

    reproducible: bool | None = None


def is_reproducible(version: BotVersion) -> bool:
    """Whether the version played the same when a match of its qualification was run again."""
    return bool(version.report and msgspec.json.decode(version.report, type=_Rerun).reproducible)
