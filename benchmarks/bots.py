"""How much stronger one house bot is than another: `python -m benchmarks.bots search greedy --boards 100`.

Every board is played once for each seat, the first bot in it and the other in all others, so that it meets all cards.
The unit of the statistics is the board: 95 % intervals are 1.96 standard errors over the boards. With `--save FILE`
each board is kept as it ends, and boards that the file has are not played again: a long measurement may be stopped.

With `--adjusted` the luck of the cards is taken out as well (`arena.analysis.luck`): it prints the margin that is left,
the mean of the luck, which is 0 but for chance, and how many times more games a plain margin needs for the same error.
"""

import argparse
import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.analysis.luck import luck_by_seat, luck_of_actions, margin_of
from arena.bench import half_interval
from arena.cli.values import options_of
from arena.match.model import MatchSpec
from arena.sdk import Bot
from arena.simulate import play_out, specs
from bots import HOUSE_MODULES, house
from bots.expert import ExpertBot
from bots.search import SearchBot
from core_ext import VARIANTS, State, variant_info

_SEARCHING: dict[str, Callable[[int], Bot]] = {"search": SearchBot, "expert": ExpertBot}


class Duel(msgspec.Struct, frozen=True):
    """What is played: the better bot, with so many playouts a decision if it searches, against the worse."""

    better: str
    worse: str
    variant: str
    seats: int
    seed: str
    playouts: int | None = None
    options: Mapping[str, object] = {}
    adjusted: bool = False

    @property
    def months(self) -> int:
        """The months of a match."""
        default = next((option.default for option in variant_info(self.variant).options if option.name == "months"), 12)
        months = self.options.get("months", default)
        assert isinstance(months, int)
        return months


class Board(msgspec.Struct, frozen=True):
    """What came of a board, by the seat of the better bot, a deal each: margins, and their luck if it is taken out.

    `share` is that of the match points.
    """

    duel: Duel
    number: int
    share: float
    margins: tuple[float, ...]
    lucks: tuple[float, ...] = ()

    @property
    def margin(self) -> float:
        """The mean margin."""
        return statistics.fmean(self.margins)

    @property
    def luck(self) -> float:
        """The mean of the luck."""
        return statistics.fmean(self.lucks)


class Mean(NamedTuple):
    """A mean and half of its 95 % interval."""

    value: float
    error: float

    def __str__(self) -> str:
        """Both, with two digits."""
        return f"{self.value:+.2f} ± {self.error:.2f}"


class Adjusted(NamedTuple):
    """What is left without the luck, the luck, and how many times fewer games tell as much.

    `single` is of games on a board each, `boards` of whole boards, `together` of whole boards without the luck against
    games on a board each with it.
    """

    margin: Mean
    luck: Mean
    single: float
    boards: float
    together: float


class Margins(NamedTuple):
    """What came of the boards."""

    boards: int
    margin: Mean
    share: Mean
    adjusted: Adjusted | None


def play(duel: Duel, boards: int, saved: Path | None = None) -> Margins:
    """Play the boards, but those that were saved. OSError, msgspec.DecodeError."""
    played = {board.number: board for board in _saved(saved) if board.duel == duel} if saved else {}
    missing = [number for number in range(boards) if number not in played]
    for board in _played(duel, missing):
        played[board.number] = board
        if saved:
            with saved.open("ab") as file:
                file.write(msgspec.json.encode(board) + b"\n")
    wanted = [played[number] for number in range(boards)]
    margin, share = (_mean([getattr(board, name) for board in wanted]) for name in ("margin", "share"))
    return Margins(boards, margin, share, _adjusted(wanted) if duel.adjusted else None)


def _saved(path: Path) -> list[Board]:
    if not path.exists():
        return []
    return [msgspec.json.decode(line, type=Board) for line in path.read_bytes().splitlines()]


def _played(duel: Duel, numbers: Sequence[int]) -> Iterator[Board]:
    better, worse = _bot(duel.better, duel.playouts), house(duel.worse)
    for number in numbers:
        share = 0.0
        margins, lucks = [], []
        for seat in range(duel.seats):
            bots = [better if place == seat else worse for place in range(duel.seats)]
            names = tuple(type(bot).__name__ for bot in bots)
            [(spec, _)] = specs(duel.variant, 1, f"{duel.seed}/{number}", names, duel.options)
            state = play_out(spec, bots).state
            results = state.returns()
            share += _share(results, seat) / duel.seats
            margins.append(margin_of(results, seat) / duel.months)
            if duel.adjusted:
                lucks.append(luck_in(spec, state)[seat] / duel.months)
        yield Board(duel, number, share, tuple(margins), tuple(lucks))


def luck_in(spec: MatchSpec, played: State) -> tuple[float, ...]:
    """The luck of each seat in a match, by the state at its end, in points."""
    begun = State.new(spec.variant, spec.options, spec.seed, len(spec.names))
    chances = luck_of_actions(spec.variant, begun, played.actions(), spec.seed)
    return luck_by_seat(spec.variant, len(spec.names), chances)


def _adjusted(boards: Sequence[Board]) -> Adjusted:
    games = [game for board in boards for game in zip(board.margins, board.lucks, strict=True)]
    plays = [board.margin - board.luck for board in boards]
    of_game = statistics.variance(margin for margin, _ in games)
    of_board = statistics.variance(plays)
    return Adjusted(
        _mean(plays),
        _mean([board.luck for board in boards]),
        of_game / statistics.variance(margin - luck for margin, luck in games),
        statistics.variance(board.margin for board in boards) / of_board,
        of_game / (len(boards[0].margins) * of_board),
    )


def _bot(name: str, playouts: int | None) -> Bot:
    return house(name) if playouts is None else _SEARCHING[name](playouts)


def _mean(values: Sequence[float]) -> Mean:
    return Mean(statistics.fmean(values), half_interval(values) if len(values) > 1 else math.inf)


def _share(results: Sequence[int], seat: int) -> float:
    """The seat's share of the match points by its place, ties averaged: 1 for the best of all, 0 for the last."""
    others = [result for place, result in enumerate(results) if place != seat]
    beaten = sum((results[seat] > result) + (results[seat] == result) / 2 for result in others)
    return beaten / len(others)


def main() -> None:
    """Print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("better", choices=sorted(HOUSE_MODULES))
    parser.add_argument("worse", choices=sorted(HOUSE_MODULES))
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--seed", default="house")
    parser.add_argument("--variant", choices=VARIANTS, default=VARIANTS[0])
    parser.add_argument("--seats", type=int, help="by default as many as the variant has")
    parser.add_argument("--option", action="append", default=[], help="a house option, NAME=VALUE; may be repeated")
    parser.add_argument("--playouts", type=int, help="of the first bot at each decision; by default its own")
    parser.add_argument("--adjusted", action="store_true", help="take the luck of the cards out as well")
    parser.add_argument("--save", type=Path, help="a file that keeps each board")
    args = parser.parse_args()
    if args.playouts is not None and args.better not in _SEARCHING:
        parser.error(f"{args.better} runs no playouts")
    duel = Duel(
        args.better,
        args.worse,
        args.variant,
        args.seats or variant_info(args.variant).seats[2],
        args.seed,
        args.playouts,
        options_of(args.option),
        args.adjusted,
    )
    boards = play(duel, args.boards, args.save)
    print(
        f"{args.better} - {args.worse}: {boards.margin} points a deal, "
        f"{100 * boards.share.value:.1f} ± {100 * boards.share.error:.1f} % of the match points, "
        f"{boards.boards * duel.months} deals on {boards.boards} boards"
    )
    if boards.adjusted is not None:
        without = boards.adjusted
        print(
            f"without the luck: {without.margin} points a deal; the luck {without.luck}; games saved: "
            f"single {without.single:.2f} times, boards {without.boards:.2f}, together {without.together:.2f}"
        )


if __name__ == "__main__":
    main()
