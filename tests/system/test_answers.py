"""What a command prints of an answer, which may come from somebody else's arena."""

import pytest

from arena.cli.output import print_answer


def test_an_answer_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_answer(False, {}, ["crane\x1b]0;owned\x07", "deer"])
    assert capsys.readouterr().out == "crane\\x1b]0;owned\\x07\ndeer\n"
