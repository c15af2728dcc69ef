"""Versions of bots as messages."""

from arena.services.moments import moment
from arena.store import BotVersion
from arena.submissions.qualification import Step
from arena.submissions.record import read_record
from arena.submissions.submit import read_report
from hanafuda.arena.v1 import bot_pb2

_STATUS = {
    "qualifying": bot_pb2.VERSION_STATUS_QUALIFYING,
    "qualified": bot_pb2.VERSION_STATUS_QUALIFIED,
    "failed": bot_pb2.VERSION_STATUS_FAILED,
    "retired": bot_pb2.VERSION_STATUS_RETIRED,
    "taken_out": bot_pb2.VERSION_STATUS_TAKEN_OUT,
}


def version_message(version: BotVersion, *, own: bool) -> bot_pb2.BotVersion:
    """A version; why it failed only where it is the caller's `own`."""
    manifest, report = read_record(version).manifest, read_report(version)
    message = bot_pb2.BotVersion(
        version=version.version,
        created_at=moment(version.created_us),
        status=_STATUS[version.status],
        active=version.active,
        reproducible=None if report is None else report.reproducible,
        parent=version.parent,
        variants=manifest.variants,
        about=manifest.about,
    )
    if own:
        message.note = version.error or ("" if report is None else report.difference)
        if report is not None and not report.qualified:
            message.failure.CopyFrom(step_message(report.steps[-1]))
    return message


def step_message(step: Step) -> bot_pb2.QualificationStep:
    """A step of a qualification."""
    return bot_pb2.QualificationStep(name=step.name, fault=step.fault, decision=step.decision)
