"""The line that a bot prints at the end of a match."""

import pytest

from arena.sdk.decision import Match
from arena.sdk.scores import Scores
from hanafuda.arena.v1 import match_pb2


def end(
    results: list[int], placing: list[int], reason: str = "COMPLETED", offender: int = -1, text: str = ""
) -> match_pb2.MatchEnd:
    return match_pb2.MatchEnd(
        match_id="m1",
        reason=match_pb2.MatchEndReason.Value(f"MATCH_END_REASON_{reason}"),
        offender=offender,
        results=results,
        placing=placing,
        text=text,
    )


TWO = Match("m1", "koikoi", 1, ("greedy", "mine"))
THREE = Match("m1", "sangohana", 0, ("mine", "greedy", "random"))


@pytest.mark.parametrize(
    ("match", "ended", "line"),
    [
        (TWO, end([12, 31], [2, 1]), "koikoi against greedy: won 31:12; so far 1 won, 0 drawn, 0 lost"),
        (TWO, end([9, 9], [1, 1]), "koikoi against greedy: drawn 9:9; so far 0 won, 1 drawn, 0 lost"),
        (
            TWO,
            end([0, 3], [1, 2], "TIMEOUT", 1),
            "koikoi against greedy: lost 3:0 (this bot forfeited: timeout); so far 0 won, 0 drawn, 1 lost",
        ),
        (
            TWO,
            end([5, 3], [2, 1], "BOT_ERROR", 0),
            "koikoi against greedy: won 3:5 (greedy forfeited: bot error); so far 1 won, 0 drawn, 0 lost",
        ),
        (
            THREE,
            end([4, 4, -8], [1, 1, 3]),
            "sangohana against greedy, random: place 1.5 of 3, 4:4:-8; so far 1 played, mean place 1.50",
        ),
        (
            TWO,
            end([0, 0], [1, 1], "ABANDONED", text="greedy declined the match"),
            "koikoi against greedy: abandoned, not counted: greedy declined the match",
        ),
        (Match("m1"), end([1, 2], [2, 1]), "match m1 is over"),
    ],
)
def test_a_match_is_a_line(match: Match, ended: match_pb2.MatchEnd, line: str) -> None:
    assert Scores().line(match, ended) == line


def test_scores_run_by_variant_and_number_of_seats() -> None:
    scores = Scores()
    scores.line(TWO, end([12, 31], [2, 1]))
    scores.line(THREE, end([1, 2, 3], [3, 2, 1]))
    assert scores.line(TWO, end([31, 12], [1, 2])).endswith("so far 1 won, 0 drawn, 1 lost")
    assert scores.line(THREE, end([3, 2, 1], [1, 2, 3])).endswith("so far 2 played, mean place 2.00")
