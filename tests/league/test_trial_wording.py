"""What is said of a trial that decided nothing."""

from arena.sprt.sequential import MIN_MARGINS, Hypotheses, Model
from arena.sprt.trial import Game, Measure, Trial
from arena.sprt.wording import verdict_text


def test_too_few_board_sets_for_a_verdict_on_margins_are_said_to_be_too_few() -> None:
    asked = Hypotheses(0, 3, Model.POINTS)
    trial = Trial(2, Measure.MARGINS, asked)
    said = verdict_text(("new", "old"), asked, trial.summary())
    need = f"on margins {MIN_MARGINS} have to differ from the most frequent one"
    assert said == f"no verdict after 0 board sets (0 games): {need}"
    for margin in [0.0] * 70 + [1.0, -2.0]:
        trial.add([Game(1, margin), Game(1, margin)])
    said = verdict_text(("new", "old"), asked, trial.summary())
    assert said == f"no verdict after 72 board sets (144 games): {need}, and 2 do"
    asked = Hypotheses(0, 5)
    assert "lies between" in verdict_text(("new", "old"), asked, Trial(2, Measure.RESULTS, asked).summary())
