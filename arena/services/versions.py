"""Versions of bots as messages."""

from arena.seats.watched import Step
from arena.services.moments import moment
from arena.store import BotVersion
from arena.submissions.record import read_record
from arena.submissions.submit import read_report
from hanafuda.arena.v1 import bot_pb2


def version_message(version: BotVersion, *, is_own: bool) -> bot_pb2.BotVersion:
    """Return a version; why it failed is in it only where it `is_own`, the caller's."""
    manifest, report = read_record(version).manifest, read_report(version)
    message = bot_pb2.BotVersion(
        version=version.version,
        created_at=moment(version.created_us),
        status=bot_pb2.VersionStatus.Value(f"VERSION_STATUS_{version.status.upper()}"),
        active=version.active,
        reproducible=None if report is None else report.reproducible,
        parent=version.parent,
        variants=manifest.variants,
        about=manifest.about,
    )
    if is_own:
        message.note = version.error or ("" if report is None else report.difference)
        if report is not None and not report.qualified:
            message.failure.CopyFrom(step_message(report.steps[-1]))
    return message


def step_message(step: Step) -> bot_pb2.QualificationStep:
    """Return a step of a qualification."""
    return bot_pb2.QualificationStep(name=step.name, fault=step.fault, decision=step.decision)
