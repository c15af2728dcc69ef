"""What a bot's matches came to, for the person at its terminal."""

from collections import defaultdict
from collections.abc import Sequence

from arena.sdk.decision import Match
from hanafuda.arena.v1 import match_pb2

_ABANDONED = match_pb2.MATCH_END_REASON_ABANDONED


class Scores:
    """The places that a bot took in its matches, by variant and number of seats."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, int], list[float]] = defaultdict(list)

    def line(self, match: Match, end: match_pb2.MatchEnd) -> str:
        """Count a match that is over, and describe it in a line: variant, opponents, result, running score.

        A match that began on an earlier connection of another process (its names are unknown) is not counted.
        """
        if not match.bots:
            return f"match {end.match_id} is over"
        opponents = ", ".join(name for seat, name in enumerate(match.bots) if seat != match.seat)
        head = f"{match.variant} against {opponents}: "
        if end.reason == _ABANDONED:
            return f"{head}abandoned, not counted: {end.text}"
        placing = tuple(end.placing)
        places = self._places[match.variant, len(match.bots)]
        places.append(_mean_place(placing, match.seat))
        others = ":".join(str(result) for seat, result in enumerate(end.results) if seat != match.seat)
        result = f"{_place(placing, match.seat)} {end.results[match.seat]}:{others}{_forfeit(match, end)}"
        return f"{head}{result}; so far {_total(places, len(match.bots))}"


def _mean_place(placing: tuple[int, ...], seat: int) -> float:
    """The place of a seat, the mean of the places that equal seats share."""
    return placing[seat] + (placing.count(placing[seat]) - 1) / 2


def _place(placing: tuple[int, ...], seat: int) -> str:
    if len(placing) > 2:
        return f"place {_mean_place(placing, seat):g} of {len(placing)},"
    return {1.0: "won", 1.5: "drawn", 2.0: "lost"}[_mean_place(placing, seat)]


def _forfeit(match: Match, end: match_pb2.MatchEnd) -> str:
    if end.offender < 0:
        return ""
    who = "this bot" if end.offender == match.seat else match.bots[end.offender]
    reason = match_pb2.MatchEndReason.Name(end.reason).removeprefix("MATCH_END_REASON_").lower().replace("_", " ")
    return f" ({who} forfeited: {reason})"


def _total(places: Sequence[float], seats: int) -> str:
    if seats > 2:
        return f"{len(places)} played, mean place {sum(places) / len(places):.2f}"
    return f"{places.count(1.0)} won, {places.count(1.5)} drawn, {places.count(2.0)} lost"
