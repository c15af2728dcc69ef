"""Whether bots play a match again as it was played."""

from collections.abc import Sequence

from msgspec import Struct

from arena.match.journal import Entry, Forfeit
from arena.match.model import End, MatchResult, MatchSpec
from arena.match.play import conduct
from arena.match.referee import Referee
from arena.match.seat import Seat


class Difference(Struct, frozen=True):
    """The first decision that came out otherwise: in the text of its actions, what was played then and now.

    `decision` counts the decisions of the match from 1. `end` says how `seat` forfeited, and `now` why, where it did
    not play at all; `legal` is empty where that was not its turn.
    """

    decision: int
    seat: int
    legal: tuple[str, ...]
    then: str
    now: str
    end: End | None = None

    def __str__(self) -> str:
        now = self.now if self.end is None else f"forfeit ({self.end}): {self.now}"
        legal = f"\n  legal: {', '.join(self.legal)}" if self.legal else ""
        return f"decision {self.decision}, seat {self.seat}: then {self.then}, now {now}{legal}"


async def play_again(spec: MatchSpec, seats: Sequence[Seat], choices: bytes) -> Difference | None:
    """Have a match played again; the first difference from its `choices` (indexes into the legal list), or None.

    The match ends there, or with the last choice: where it was forfeited then, that is not asked again. Raises what
    `play` raises.
    """
    referee = Referee(spec, [seat.tally for seat in seats])
    try:
        await conduct(referee, seats, journal=_Comparison(referee, choices))
    except _StoppedError as stopped:
        return stopped.difference
    return None


async def play_otherwise(
    spec: MatchSpec, seats: Sequence[Seat], choices: bytes, end: str
) -> tuple[Difference | None, MatchResult]:
    """Have a match played again to its end, by other bots perhaps; the first difference, or None, and the result.

    `end` says how the match was forfeited after its `choices`, where it was: a decision that is made there now is a
    difference.
    """
    referee = Referee(spec, [seat.tally for seat in seats])
    comparison = _Comparison(referee, choices, end, stops=False)
    result = await conduct(referee, seats, journal=comparison)
    return comparison.difference, result


class _StoppedError(Exception):
    """The comparison is over before the match is."""

    def __init__(self, difference: Difference | None) -> None:
        super().__init__(difference)
        self.difference = difference


class _Comparison:
    """A journal that compares what is written with what was played before."""

    def __init__(self, referee: Referee, choices: bytes, end: str = "", *, stops: bool = True) -> None:
        self._referee = referee
        self._choices = choices
        self._end = end
        self._stops = stops
        self._number = 0
        self.difference: Difference | None = None

    def write(self, entry: Entry) -> None:
        """As of every journal. With `stops` it raises _StoppedError where the comparison is over."""
        if self._stops and self._number == len(self._choices):
            raise _StoppedError(None)
        if self.difference is None:
            self.difference = self._differs(entry)
        self._number += 1
        if self._stops and (self.difference is not None or self._number == len(self._choices)):
            raise _StoppedError(self.difference)

    def _differs(self, entry: Entry) -> Difference | None:
        number = self._number
        over = number >= len(self._choices)
        if isinstance(entry, Forfeit):
            if over:
                return None
            state = self._referee.state
            texts = tuple(state.legal_texts())
            legal = texts if entry.offender == state.current_player else ()
            then = texts[self._choices[number]]
            return Difference(number + 1, entry.offender, legal, then, entry.text, entry.end)
        if not over and entry.choice == self._choices[number]:
            return None
        assert self._referee.question is not None
        texts = self._referee.question.texts
        then = self._end if over else texts[self._choices[number]]
        return Difference(number + 1, entry.seat, texts, then, texts[entry.choice])
