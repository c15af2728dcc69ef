"""Field board sets: every table of a section plays the same boards once, and is measured by the other tables.

A connected bot may keep in mind what it saw, so it never plays a board twice. What the cards of a board gave to a seat
is told by the other tables instead, as in duplicate bridge: a bot's margin counts less the mean of the margins that the
same seat had at the other tables of the section.

- A bot sits in each seat equally often. On which boards it sits where is drawn by lot for each table: were the first
  bot of every table (the one with the higher score) in the same seat, then the means would hold its strength. The
  draws are chosen so that a bot is measured by each bot of another table on about as many boards.
- Bots of one owner are kept in different sections, which have boards of their own, as far as each section still has
  two tables.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random

from arena.league.boards import board_set
from arena.league.lots import Lots
from arena.league.results import by_place
from arena.league.spec import Division
from arena.league.values import MatchOutcome, MatchPlan, PlayedRound, TablePlan

_LEAST_TABLES = 2
_MOST_SEARCHED = 64
_STEPS = 20_000
_DRAWS, _LATELY = 8, 4


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
        chosen.append(min(drawn, key=lambda turns: sum(_uneven(turns, other, seats) for other in chosen[-_LATELY:])))
    return chosen


def _uneven(turns: Sequence[int], others: Sequence[int], seats: int) -> int:
    """How unevenly two tables sit against each other: the squares of how often their rotations differ by how much."""
    apart = Counter((one - other) % seats for one, other in zip(turns, others, strict=True))
    return sum(times**2 for times in apart.values())


def sections(tables: Sequence[tuple[str, ...]], owners: Mapping[str, str]) -> tuple[tuple[int, ...], ...]:
    """The tables (as indexes) in sections that keep the bots of each owner at different tables apart.

    Every section has at least two tables. Where the owners cannot be kept apart so, they share sections in as few pairs
    of tables as was found. A bot without an owner is nobody's. Bots that are all of one owner have nobody to be kept
    from.
    """
    if len({owners.get(bot, "") for bots in tables for bot in bots}) == 1:
        return (tuple(range(len(tables))),)
    owned = [{owner for bot in bots if (owner := owners.get(bot, ""))} for bots in tables]
    least = max(Counter(owner for own in owned for owner in own).values(), default=1)
    most = max(1, len(tables) // _LEAST_TABLES)
    best = _Sections(owned, 1, range(len(tables)))
    for number in range(min(least, most), most + 1):
        if best.shared:
            best = min(best, _dealt(owned, number), key=lambda found: found.shared)
    if best.shared and len(tables) <= _MOST_SEARCHED:
        best = _search(owned, most, best)
    return tuple(tuple(section) for section in sorted(best.members) if section)


class _Sections:
    """Tables in sections, and how many pairs of tables of one owner share one."""

    def __init__(self, owned: Sequence[set[str]], number: int, tables: Iterable[int] = ()) -> None:
        self.owned = owned
        self.members: list[list[int]] = [[] for _ in range(number)]
        self.owners: list[Counter[str]] = [Counter() for _ in range(number)]
        self.shared = 0
        for table in tables:
            self.add(table, 0)

    def price(self, table: int, section: int) -> int:
        """How many pairs of tables of one owner come to share a section."""
        return sum(self.owners[section][owner] for owner in self.owned[table])

    def add(self, table: int, section: int) -> None:
        self.shared += self.price(table, section)
        self.members[section].append(table)
        self.owners[section].update(self.owned[table])

    def remove(self, table: int, section: int) -> None:
        self.members[section].remove(table)
        self.owners[section].subtract(self.owned[table])
        self.shared -= self.price(table, section)


def _hardest_first(owned: Sequence[set[str]]) -> list[int]:
    often = Counter(owner for own in owned for owner in own)
    return sorted(range(len(owned)), key=lambda table: (-sum(often[owner] - 1 for owner in owned[table]), table))


def _dealt(owned: Sequence[set[str]], number: int) -> _Sections:
    """Tables dealt one by one to where fewest share an owner, then to the smallest section; none is left alone."""
    found = _Sections(owned, number)

    def best(table: int, sections: Iterable[int]) -> int:
        return min(sections, key=lambda section: (found.price(table, section), len(found.members[section]), section))

    for table in _hardest_first(owned):
        found.add(table, best(table, range(number)))
    for section, members in enumerate(found.members):
        others = [other for other in range(number) if other != section and found.members[other]]
        if 0 < len(members) < _LEAST_TABLES and others:
            [table] = members
            found.remove(table, section)
            found.add(table, best(table, others))
    for members in found.members:
        members.sort()
    return found


def _search(owned: Sequence[set[str]], most: int, known: _Sections) -> _Sections:
    """Sections of at least two tables that share less than the known ones, looked for in `_STEPS` steps at most."""
    order = _hardest_first(owned)
    now = _Sections(owned, most)
    best, steps = known, 0

    def place(at: int) -> None:
        nonlocal best, steps
        steps += 1
        lonely = sum(max(0, _LEAST_TABLES - len(section)) for section in now.members if section)
        if now.shared >= best.shared or lonely > len(order) - at or steps > _STEPS:
            return
        if at == len(order):
            best = _Sections(owned, most)
            for section, tables in enumerate(now.members):
                for table in sorted(tables):
                    best.add(table, section)
            return
        used = sum(bool(section) for section in now.members)
        choices = range(min(used + 1, most))
        for section in sorted(choices, key=lambda one: (now.price(order[at], one), len(now.members[one]))):
            now.add(order[at], section)
            place(at + 1)
            now.remove(order[at], section)

    place(0)
    return best


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
        board: [sum(seat) for seat in zip(*(one.margins for one in outcomes if one.forfeiter is None), strict=True)]
        for board, outcomes in on_board.items()
    }
    finished = {board: sum(one.forfeiter is None for one in outcomes) for board, outcomes in on_board.items()}
    outcomes = tuple(
        one if len(on_board[one.board]) == 1 else _measured(one, sums[one.board], finished[one.board])
        for one in played.outcomes
    )
    return PlayedRound(played.number, played.byes, outcomes)


def _measured(outcome: MatchOutcome, sums: Sequence[int], finished: int) -> MatchOutcome:
    seats = len(outcome.seating)
    others = finished - (outcome.forfeiter is None)
    if not others:
        margins = [Fraction()] * seats
    elif outcome.forfeiter is None:
        margins = [own - Fraction(total - own, others) for own, total in zip(outcome.margins, sums, strict=True)]
    else:
        margins = [own - Fraction(total, others) for own, total in zip(outcome.margins, sums, strict=True)]
    at_fault = None if outcome.forfeiter is None else outcome.seating.index(outcome.forfeiter)
    if at_fault is not None and margins[at_fault] > 0:
        share = margins[at_fault] / (seats - 1)
        margins = [Fraction() if seat == at_fault else margin + share for seat, margin in enumerate(margins)]
    half_points = by_place([(seat != at_fault, margin) for seat, margin in enumerate(margins)])
    return MatchOutcome(
        outcome.round,
        outcome.table,
        outcome.board,
        outcome.seating,
        half_points,
        tuple(round(margin) for margin in margins),
        outcome.end,
        outcome.forfeiter,
    )
