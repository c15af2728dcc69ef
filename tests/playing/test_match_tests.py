"""`arena.match_test`: is one bot better than another, in this process."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from arena_command import document

import arena
from arena.league.errors import StatisticsError
from arena.sdk import Bot
from arena.sprt.sequential import Verdict

SHORT = {"months": 1}


class First(Bot):
    def choose(self, decision):
        return decision.legal[0]


def test_a_better_bot_is_found_and_the_test_says_how_it_came_to_that() -> None:
    test = arena.match_test("house:greedy", First, elo=(0, 100), seed=7, options=SHORT, progress=False)
    assert test.verdict is Verdict.BETTER
    assert len(test.llr) == test.summary.reading.board_sets
    assert test.llr[-1] == test.summary.reading.llr
    assert str(test).startswith("greedy is better than First; better by ")
    again = arena.match_test("house:greedy", First(), elo=(0, 100), seed=7, options=SHORT, progress=False)
    assert again.summary == test.summary


def test_it_comes_to_what_the_command_comes_to(tmp_path: Path) -> None:
    asked = ("--option", "months=1", "--seed", "7", "--elo1", "150", "--boards-max", "6")
    told = document("match", "test", "house:greedy", "house:random", *asked, cwd=tmp_path)
    test = arena.match_test(
        "greedy", "house:random", elo=(0, 150), boards=6, seed=7, options={"months": 1}, progress=False
    )
    assert test.summary.reading.llr == pytest.approx(told["reading"]["llr"])
    assert list(test.summary.results or ()) == told["results"]


@pytest.mark.parametrize(("variant", "seats"), [("hachihachi", 3), ("sangohana", 4)])
def test_more_than_two_seats_are_tested_by_their_margins(variant: str, seats: int) -> None:
    test = arena.match_test("greedy", "random", variant=variant, margin=(0, 10), boards=1, seed=7, progress=False)
    assert test.summary.games == 6
    assert test.verdict is Verdict.OPEN
    with pytest.raises(StatisticsError, match="a trial tests margins"):
        arena.match_test("greedy", "random", variant=variant, seats=seats, progress=False)


def test_of_a_class_a_new_bot_is_made_for_each_match() -> None:
    class Fresh(First):
        made = 0

        def __init__(self) -> None:
            type(self).made += 1

    arena.match_test("random", Fresh, boards=3, options=SHORT, progress=False)
    assert Fresh.made == 6


def test_an_interrupt_returns_what_was_played() -> None:
    class Interrupted(First):
        def choose(self, decision):
            if decision.number == 1:
                self.matches = getattr(self, "matches", 0) + 1
            if self.matches == 6:
                raise KeyboardInterrupt
            return decision.legal[0]

    test = arena.match_test(Interrupted(), "random", seed=7, options=SHORT, progress=False)
    assert 1 <= test.summary.reading.board_sets < 6
    assert "stopped after" in str(test)


def test_what_a_bot_raises_is_raised_with_the_seed_that_plays_it_again() -> None:
    class Broken(First):
        def choose(self, decision):
            return decision.legal[99]

    with pytest.raises(IndexError) as raised:
        arena.match_test("greedy", Broken, seed=7, options=SHORT, progress=False)
    [note] = raised.value.__notes__
    seed = note.partition("with seed ")[2].partition(":")[0]
    with pytest.raises(IndexError):
        arena.play("greedy", Broken, seed=seed, options=SHORT)


def test_what_cannot_be_tested_is_refused() -> None:
    with pytest.raises(StatisticsError, match="of Elo or of the margin"):
        arena.match_test("greedy", "random", elo=(0, 5), margin=(0, 5))
    with pytest.raises(StatisticsError, match="the model is normalized or logistic, not 'bayes'"):
        arena.match_test("greedy", "random", model="bayes")


def test_a_test_draws_its_course() -> None:
    test = arena.match_test("greedy", "random", boards=5, options=SHORT, progress=False)
    drawing = ElementTree.fromstring(test.course())
    assert drawing.tag.endswith("svg")
    line = next(one for one in drawing if one.tag.endswith("polyline"))
    assert len(line.attrib["points"].split()) == 1 + 5
    assert test.course() in test._repr_html_()


def test_progress_is_shown_unless_it_is_not_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    arena.match_test("greedy", "random", boards=2, options=SHORT, progress=False)
    assert capsys.readouterr().err == ""
    arena.match_test("greedy", "random", boards=2, options=SHORT)
    assert "board sets" in capsys.readouterr().err
