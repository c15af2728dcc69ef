"""What is said of a trial that decided nothing."""

from arena.sprt.sequential import LEAST_MARGINS, Hypotheses, Model
from arena.sprt.trial import Measure, Trial
from arena.sprt.wording import verdict_text


def test_too_few_board_sets_for_a_verdict_on_margins_are_said_to_be_too_few() -> None:
    asked = Hypotheses(0, 3, Model.POINTS)
    said = verdict_text(("new", "old"), asked, Trial(2, Measure.MARGINS, asked).summary())
    assert (
        said == f"no verdict after 0 board sets (0 games): on margins there is none before {LEAST_MARGINS} board sets"
    )
    asked = Hypotheses(0, 5)
    assert "lies between" in verdict_text(("new", "old"), asked, Trial(2, Measure.RESULTS, asked).summary())
