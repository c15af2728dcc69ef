"""What is said of a choice that an analysis has judged."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.analysis import Judgement


def line_of(one: "Judgement") -> str:
    """A judgement for people."""
    return (
        f"{one.number:>4}  month {one.month:>2}: {one.action}, better {one.best}: {one.verdict}, "
        f"-{one.loss:.1f} ± {1.96 * one.loss_error:.1f}, {-100 * one.chance_loss:+.1f} % to win"
    )


def judgement_document(one: "Judgement") -> dict[str, Any]:
    """What a document says of a judgement."""
    import msgspec

    values = {text: value._asdict() for text, value in one.values.items()}
    return {**msgspec.structs.asdict(one), "verdict": one.verdict.value, "values": values}
