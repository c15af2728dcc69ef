"""Field board sets: every table of a section plays the same boards once, and is measured by the other tables.

A connected bot may keep in mind what it saw, so it never plays a board twice. What the cards of a board gave to a seat
is measured at the other tables instead, as in duplicate bridge: a bot's margin counts less the mean of the margins that
the same seat had at the other tables of the section.

- A bot sits in each seat equally often. On which boards it sits where is drawn by lot for each table: were the first
  bot of every table (the one with the higher score) in the same seat, then the means would hold its strength. The
  draws are chosen so that a bot is measured by each bot of another table on about as many boards.
- Bots of one owner are kept in different sections, which have boards of their own, as far as each section still has
  two tables.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from random import Random

import msgspec

from arena.league.boards import board_set
from arena.league.lots import Lots
from arena.league.results import by_place
from arena.league.sections import sections
from arena.league.spec import Division
from arena.league.values import MatchOutcome, MatchPlan, PlayedRound, TablePlan

_DRAWS = 8  # of a table's seats, of which the most even one is taken
_LATELY = 4  # tables before it that it is even against


def field_tables(
    round_number: int, tables: Sequence[tuple[str, ...]], boards: int, owners: Mapping[str, str], lots: Lots
) -> tuple[TablePlan, ...]:
    """The tables of a round with the boards of their sections, each once; boards are numbered section by section."""
    plans = {}
    for number, section in enumerate(sections(tables, owners)):
        turns = _turns(section, len(tables[section[0]]), boards, lots)
        for table, turn in zip(section, turns, strict=True):
            seatings = board_set(tables[table])
            matches = tuple(
                MatchPlan(round_number, table + 1, number * boards + board + 1, seatings[turn[board]])
                for board in range(boards)
            )
            plans[table] = TablePlan(table + 1, tables[table], matches)
    return tuple(plans[table] for table in range(len(tables)))


def _turns(section: Sequence[int], seats: int, boards: int, lots: Lots) -> list[list[int]]:
    """For each table by which rotation of the seats each board is played, each rotation equally often.

    Of several that are drawn, a table takes the first by which the tables drawn lately sit most evenly against it: so
    that each bot is measured by each of theirs on as many boards, where the number of boards allows it.
    """
    chosen: list[list[int]] = []
    for table in section:
        random = Random(lots.of(str(table + 1)))
        drawn = [random.sample([*range(seats)] * (boards // seats), boards) for _ in range(_DRAWS)]
        chosen.append(
            min(drawn, key=lambda turns: sum(_uneven(turns, earlier, seats) for earlier in chosen[-_LATELY:]))
        )
    return chosen


def _uneven(turns: Sequence[int], others: Sequence[int], seats: int) -> int:
    """How unevenly two tables sit against each other: the squares of how often their rotations differ by how much."""
    apart = Counter((turn - their_turn) % seats for turn, their_turn in zip(turns, others, strict=True))
    return sum(times**2 for times in apart.values())


def counted(division: Division, rounds: Sequence[PlayedRound]) -> Sequence[PlayedRound]:
    """The rounds with the half points and margins that count: as they were played, or as measured by the field."""
    return rounds if division.board_sets == "mirror" else [measured(played) for played in rounds]


def measured(played: PlayedRound) -> PlayedRound:
    """A round of field board sets with margins against the mean of the same seat at the other tables of the board.

    Half points go by the place of these margins. A forfeited match is no part of a mean; in it the forfeiter is last,
    and a margin in its favour is taken away and shared by the others. Where no other table finished the board the
    margins are 0; a board that only one table has counts as it was played. Margins are rounded, to the even of two.
    """
    on_board: dict[int, list[MatchOutcome]] = defaultdict(list)
    for outcome in played.outcomes:
        on_board[outcome.board].append(outcome)
    sums = {
        board: [
            sum(seat)
            for seat in zip(*(outcome.margins for outcome in outcomes if outcome.forfeiter is None), strict=True)
        ]
        for board, outcomes in on_board.items()
    }
    finished = {board: sum(outcome.forfeiter is None for outcome in outcomes) for board, outcomes in on_board.items()}
    outcomes = tuple(
        outcome
        if len(on_board[outcome.board]) == 1
        else _measured(outcome, sums[outcome.board], finished[outcome.board])
        for outcome in played.outcomes
    )
    return PlayedRound(played.number, played.byes, outcomes)


def _measured(outcome: MatchOutcome, sums: Sequence[int], finished: int) -> MatchOutcome:
    seats = len(outcome.seating)
    others = finished - (outcome.forfeiter is None)
    # Margins are counted in such parts as make a mean of the other tables and a share of the other seats whole numbers.
    unit = max(others, 1) * (seats - 1)
    if not others:
        margins = [0] * seats
    else:
        times = others + (outcome.forfeiter is None)  # an outcome that is a part of the sum is taken out of it
        margins = [(margin * times - total) * (seats - 1) for margin, total in zip(outcome.margins, sums, strict=True)]
    at_fault = None if outcome.forfeiter is None else outcome.seating.index(outcome.forfeiter)
    if at_fault is not None and margins[at_fault] > 0:
        share = margins[at_fault] // (seats - 1)
        margins = [0 if seat == at_fault else margin + share for seat, margin in enumerate(margins)]
    half_points = by_place([(seat != at_fault, margin) for seat, margin in enumerate(margins)])
    rounded = tuple([_rounded(margin, unit) for margin in margins])
    return msgspec.structs.replace(outcome, half_points=half_points, margins=rounded)


def _rounded(number: int, unit: int) -> int:
    """Return the nearest whole number of units, the even one of two."""
    whole, remainder = divmod(number, unit)
    return whole + (2 * remainder > unit or (2 * remainder == unit and whole % 2 == 1))
