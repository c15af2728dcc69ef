"""What is said of a choice that an analysis has judged."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.analysis import Judgement


def line_of(judgement: "Judgement") -> str:
    """A judgement for people."""
    return (
        f"{judgement.number:>4}  month {judgement.month:>2}: {judgement.action}, better {judgement.best}: "
        f"{judgement.verdict}, "
        f"-{judgement.loss:.1f} ± {1.96 * judgement.loss_error:.1f}, {-100 * judgement.chance_loss:+.1f} % to win"
    )


def judgement_document(judgement: "Judgement") -> dict[str, Any]:
    """What a document says of a judgement."""
    import msgspec

    values = {text: value._asdict() for text, value in judgement.values.items()}
    return {**msgspec.structs.asdict(judgement), "verdict": judgement.verdict.value, "values": values}
