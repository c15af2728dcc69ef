"""How much better a bot does with some values than with others: mirrored boards, in this process."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from arena.analysis.luck import luck_by_seat, luck_of_actions
from arena.match.model import MatchSpec
from arena.simulate import ChoiceError, play_out
from arena.sprt.trial import names_at, trial_game, trial_luck, trial_seatings
from arena.tuning.errors import TuningError
from arena.tuning.loading import load_bot
from bots import house
from core_ext import State, parse_seed

_HOUSE = "house:"


class Contest(msgspec.Struct, frozen=True):
    """What is played: the program, and its opponent, by default itself as it starts out."""

    program: str
    opponent: str
    variant: str
    options: dict[str, object]
    seats: int
    adjusted: bool


class Boards(msgspec.Struct, frozen=True):
    """So many boards of a contest, from the one with the seed `seed/first` on."""

    seed: str
    count: int
    first: int = 1


def margins(contest: Contest, boards: Boards, values: Mapping[str, float], start: Mapping[str, float]) -> list[float]:
    """By board the mean margin of the bot with these values against the opponent, in every seating.

    TuningError where a bot fails, with its decision.
    """
    bot, _ = load_bot(Path(contest.program), values)
    if contest.opponent.startswith(_HOUSE):
        opponent = house(contest.opponent.removeprefix(_HOUSE))
    else:
        same = contest.opponent == contest.program
        opponent, _ = load_bot(Path(contest.opponent), start if same else {})
    return [
        fmean(
            _margin(contest, f"{boards.seed}/{board}", seating, (bot, opponent))
            for seating in trial_seatings(contest.seats)
        )
        for board in range(boards.first, boards.first + boards.count)
    ]


def _margin(contest: Contest, seed: str, seating: Sequence[int], bots: Sequence[object]) -> float:
    names = names_at(seating, ("tuned", "start"))  # type: ignore[arg-type]
    spec = MatchSpec("tuning", contest.variant, parse_seed(seed), names, contest.options)
    try:
        referee = play_out(spec, [bots[side] for side in seating])  # type: ignore[misc]
    except ChoiceError as error:
        who = names[error.seat]
        where = f"decision {error.number} in the match of seed {seed!r}"
        raise TuningError(f"the bot ({who}) fails at {where}: {type(error.cause).__name__}: {error.cause}") from error
    margin = trial_game(seating, referee.state.returns()).margin  # type: ignore[arg-type]
    if not contest.adjusted:
        return margin
    beginning = State.new(spec.variant, spec.options, spec.seed, len(names))
    chances = luck_of_actions(spec.variant, beginning, referee.state.actions(), spec.seed)
    return margin - trial_luck(seating, luck_by_seat(spec.variant, len(names), chances))  # type: ignore[arg-type]
