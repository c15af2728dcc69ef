"""An analysis as the page shows it: what was found, or how far it is."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from arena.web.viewer.analysis.analyses import Stands
from arena.web.viewer.analysis.curve import ChanceCurve, chance_curve
from arena.web.viewer.analysis.findings import Findings
from arena.web.viewer.analysis.marks import Mark, Seat, marks_of, seats_of, worst_first
from arena.web.viewer.scene import Document


class Analysis(NamedTuple):
    """What there is to show; without a curve nothing is known yet, and `stands` says why."""

    stands: Stands
    marks: Mapping[int, Mark] = MappingProxyType({})
    curve: ChanceCurve | None = None
    seats: Sequence[Seat] = ()
    worst: Sequence[Mark] = ()


def analysis_of(document: Document, findings: Findings | None, stands: Stands) -> Analysis:
    """Return what is shown of findings."""
    if findings is None:
        return Analysis(stands)
    marks = marks_of(document, findings)
    return Analysis(stands, marks, chance_curve(document, marks), seats_of(findings), worst_first(marks))


def as_document(analysis: Analysis, document: Document) -> dict[str, object]:
    """Return the same for programs: `state`, and what was found, by the number of the decision."""
    stands = analysis.stands
    if analysis.curve is None:
        state = "failed" if stands.has_failed else "waits" if stands.progress is not None else "unknown"
        progress = stands.progress
        reported = (
            {} if progress is None else {"done": progress.done, "of": progress.decisions, "ahead": progress.ahead}
        )
        return {"state": state, **reported}
    texts = [text for text, _ in document["actions"]]
    return {
        "state": "known",
        "seats": [{"margin": seat.margin, "luck": seat.luck, "play": seat.play} for seat in analysis.seats],
        "decisions": [
            {
                "decision": number,
                "step": mark.step,
                "seat": mark.seat,
                "action": texts[mark.action],
                "best": texts[mark.better],
                "loss": mark.loss,
                "loss_half_interval": round(mark.loss_half, 3),
                "chance_loss": mark.chance_loss,
                "chance": mark.chance,
                "verdict": mark.verdict,
            }
            for number, mark in analysis.marks.items()
        ],
    }
