"""Plays matches in this process: one after another, without clocks, seats or an event loop."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Self

import msgspec

from arena.match.model import MatchSpec
from arena.match.question import Answer
from arena.match.referee import Referee
from arena.sdk import Bot
from arena.seats.in_process import LocalDecision, match_of
from core_ext import State, parse_seed


class SimulationError(ValueError):
    """A bot failed, or answered something that is not legal."""


class ChoiceError(Exception):
    """What a bot raised at a decision, or that its answer was not legal: `cause`."""

    def __init__(self, decision: LocalDecision, cause: Exception) -> None:
        super().__init__(str(cause))
        self.seat = decision.seat
        self.number = decision.number
        self.decision = str(decision)
        self.cause = cause


class Simulation(msgspec.Struct, frozen=True):
    """What came of some matches; all tuples are by seat.

    `totals` adds up the results, in the variant's unit. `wins` counts the matches in which the seat alone was best,
    `draws` those in which nobody was. `margins` is the mean of a seat's result less the mean of the others'.
    """

    variant: str
    matches: int
    decisions: int
    totals: tuple[int, ...]
    wins: tuple[int, ...]
    draws: int
    margins: tuple[float, ...]


def simulate(
    variant: str,
    matches: int,
    seed: str,
    bots: Sequence[Bot],
    options: Mapping[str, object] | None = None,
    transcript_path: Path | None = None,
    legal: bool = False,
) -> Simulation:
    """Plays `matches` matches with a bot in every seat; a single match has the seed text `seed`, of several match i
    (from 1) has `seed/i`. The bots' own dice are those of the referee, so that a match goes as it would there.

    With `transcript_path` the file gets one transcript a line, with every legal list on demand.

    Raises SimulationError, CoreError where the core refuses variant, options, seed or the number of seats, and OSError.
    """
    names = tuple(type(bot).__name__ for bot in bots)
    with Tally(variant, len(bots), transcript_path, legal=legal) as tally:
        for spec, text in specs(variant, matches, seed, names, options or {}):
            tally.add(*_play(spec, text, bots))
        return tally.simulation()


def specs(
    variant: str, matches: int, seed: str, names: tuple[str, ...], options: Mapping[str, object]
) -> Iterator[tuple[MatchSpec, str]]:
    """The matches of a simulation, each with the text of its seed. Raises CoreError where the seed cannot be used."""
    parse_seed(seed)
    for number in range(1, matches + 1):
        text = seed if matches == 1 else f"{seed}/{number}"
        yield MatchSpec(f"simulated-{number}", variant, parse_seed(text), names, options), text


class Tally:
    """Adds up matches, and writes their transcripts to a file, if there is to be one. Raises OSError."""

    def __init__(self, variant: str, seats: int, transcript_path: Path | None, *, legal: bool) -> None:
        self._variant = variant
        self._path = transcript_path
        self._legal = legal
        self._file: BinaryIO | None = None
        self._matches = self._decisions = self._draws = 0
        self._totals, self._wins = [0] * seats, [0] * seats

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, state: State, decisions: int) -> None:
        """Add a match, by the state at its end."""
        if self._path is not None:
            # opened once there is a line to write, so that wrong options leave no file and destroy none
            self._file = self._file or self._path.open("wb")
            self._file.write(msgspec.json.encode(state.transcript(self._legal)) + b"\n")
        results = state.returns()
        self._matches += 1
        self._decisions += decisions
        best = max(results)
        if results.count(best) == 1:
            self._wins[results.index(best)] += 1
        else:
            self._draws += 1
        for seat, result in enumerate(results):
            self._totals[seat] += result

    def simulation(self) -> Simulation:
        """What came of the matches."""
        totals, wins = tuple(self._totals), tuple(self._wins)
        margins = _margins(totals, self._matches)
        return Simulation(self._variant, self._matches, self._decisions, totals, wins, self._draws, margins)


def _margins(totals: Sequence[int], matches: int) -> tuple[float, ...]:
    others = max(1, len(totals) - 1)
    return tuple((total - (sum(totals) - total) / others) / max(1, matches) for total in totals)


def _play(spec: MatchSpec, seed: str, bots: Sequence[Bot]) -> tuple[State, int]:
    """The state at the end of a match, and how many decisions it took."""
    try:
        referee = play_out(spec, bots)
    except ChoiceError as error:
        where = f"decision {error.number} of seat {error.seat} in the match of seed {seed!r}"
        raise SimulationError(f"{where}: {type(error.cause).__name__}: {error.cause}") from error.cause
    return referee.state, len(referee.choices)


def play_out(spec: MatchSpec, bots: Sequence[Bot]) -> Referee:
    """Play a match to its end with a bot in every seat, and return its referee.

    Raises CoreError where the core refuses the match, and ChoiceError.
    """
    referee = Referee(spec)
    matches = [match_of(spec, seat) for seat in range(len(bots))]
    for match, bot in zip(matches, bots, strict=True):
        bot.started(match)
    while referee.turn >= 0:
        question = referee.ask()
        seat = question.seat
        decision = LocalDecision(question, matches[seat])
        try:
            code = decision.code_of(bots[seat].choose(decision))
        except Exception as error:
            raise ChoiceError(decision, error) from error
        referee.answer(Answer(code, 0.0))
    return referee
