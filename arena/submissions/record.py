"""What the store keeps of a version besides its pack."""

import msgspec

from arena.packs.manifest import Manifest
from arena.store import BotVersion

PLAYS, ANSWERS = "plays {variant}", "answers a dealt hand of {variant}"
"""The names of a qualification's steps."""
START = "start"
"""How a step failed whose bot did not start."""


class VersionRecord(msgspec.Struct, frozen=True):
    """What is kept of a version besides its pack."""

    manifest: Manifest
    files: int
    unpacked: int
    """Bytes that its files and folders take on a disk."""


def read_record(version: BotVersion) -> VersionRecord:
    """Return what is kept of a version."""
    return msgspec.json.decode(version.record, type=VersionRecord)


class _Step(msgspec.Struct, frozen=True):
    name: str
    fault: str = ""
    how: str = ""


class _Report(msgspec.Struct, frozen=True):
    """The parts of a qualification's report that are shown wherever a version is named."""

    steps: tuple[_Step, ...] = ()
    reproducible: bool | None = None


def is_reproducible(version: BotVersion) -> bool:
    """Whether the version played the same when a match of its qualification was run again."""
    return bool(version.report and msgspec.json.decode(version.report, type=_Report).reproducible)


def failed_step(version: BotVersion) -> tuple[str, str]:
    """Return the step of its qualification at which the version failed, and how; both are "" of one that did not.

    How is what `Step.how` says. The fault itself may have what the bot wrote, which is for its owner alone.
    """
    steps = msgspec.json.decode(version.report, type=_Report).steps if version.report else ()
    return next(((step.name, step.how) for step in steps if step.fault), ("", ""))
