"""What the store keeps of a version besides its pack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from arena.submissions.manifest import Manifest  # noqa: TC001 - msgspec reads annotations at run time

if TYPE_CHECKING:
    from arena.store import BotVersion


class VersionRecord(msgspec.Struct, frozen=True):
    """What is kept of a version besides its pack."""

    manifest: Manifest
    files: int
    unpacked: int
    """Bytes of its files together."""


def read_record(version: BotVersion) -> VersionRecord:
    """Return what is kept of a version."""
    return msgspec.json.decode(version.record, type=VersionRecord)
