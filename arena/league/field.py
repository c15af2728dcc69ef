"""Field board sets: every table of a section plays the same boards once, and is measured by the other tables.

A connected bot may keep in mind what it saw, so it never plays a board twice. What the cards of a board gave to a seat
is told by the other tables instead, as in duplicate bridge: a bot's margin counts less the mean of the margins that the
same seat had at the other tables of the section.

- A bot sits in each seat equally often. On which boards it sits where is drawn by lot for each table: were the first
  bot of every table (the one with the higher score) in the same seat, then the means would hold its strength.
- Bots of one owner are kept in different sections, which have boards of their own, as far as each section still has
  two tables.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from arena.league.boards import board_set
from arena.league.lots import Lots
from arena.league.results import by_place
from arena.league.spec import Division
from arena.league.values import MatchOutcome, MatchPlan, PlayedRound, TablePlan

_LEAST_TABLES = 2


def field_tables(
    round_number: int, tables: Sequence[tuple[str, ...]], boards: int, owners: Mapping[str, str], lots: Lots
) -> tuple[TablePlan, ...]:
    """The tables of a round with the boards of their sections, each once; boards are numbered section by section."""
    section_of = {table: number for number, section in enumerate(sections(tables, owners)) for table in section}
    return tuple(
        TablePlan(table, bots, _matches(round_number, table, bots, section_of[table - 1] * boards, boards, lots))
        for table, bots in enumerate(tables, start=1)
    )


def _matches(
    round_number: int, table: int, bots: tuple[str, ...], before: int, boards: int, lots: Lots
) -> tuple[MatchPlan, ...]:
    """A table's matches on the boards from `before` + 1 on; the lot says which of them a bot plays in which seat."""
    seatings = board_set(bots)
    drawn = sorted(range(boards), key=lambda board: lots.of(f"{table}\n{board + 1}"))
    turn = {board: place % len(seatings) for place, board in enumerate(drawn)}
    return tuple(MatchPlan(round_number, table, before + board + 1, seatings[turn[board]]) for board in range(boards))


def sections(tables: Sequence[tuple[str, ...]], owners: Mapping[str, str]) -> tuple[tuple[int, ...], ...]:
    """The tables (as indexes) in as few sections as keep the bots of each owner at different tables apart.

    Every section has at least two tables; if the owners cannot be kept apart so, they meet in as few pairs of tables as
    was found. A bot without an owner is nobody's.
    """
    owned = [{owner for bot in bots if (owner := owners.get(bot, ""))} for bots in tables]
    wanted = max(Counter(owner for own in owned for owner in own).values(), default=1)
    most = max(1, len(tables) // _LEAST_TABLES)
    best: tuple[int, list[list[int]]] | None = None
    for number in range(min(wanted, most), most + 1):
        found = _split(owned, number)
        if best is None or found[0] < best[0]:
            best = found
        if not best[0]:
            break
    assert best is not None, "there is always a number of sections to try"
    return tuple(sorted(tuple(sorted(section)) for section in best[1] if section))


def _split(owned: Sequence[set[str]], number: int) -> tuple[int, list[list[int]]]:
    """Tables dealt into sections of nearly the same size, and how many pairs of tables of one owner share one."""
    often = Counter(owner for own in owned for owner in own)
    order = sorted(range(len(owned)), key=lambda table: (-sum(often[owner] - 1 for owner in owned[table]), table))
    members: list[list[int]] = [[] for _ in range(number)]
    there: list[Counter[str]] = [Counter() for _ in range(number)]
    for table in order:
        full = min(map(len, members)) + 1
        place = min(
            (at for at in range(number) if len(members[at]) < full),
            key=lambda at: (sum(there[at][owner] for owner in owned[table]), at),
        )
        members[place].append(table)
        there[place].update(owned[table])
    _exchange(owned, members, there)
    return sum(times * (times - 1) // 2 for owners in there for times in owners.values()), members


def _exchange(owned: Sequence[set[str]], members: list[list[int]], there: list[Counter[str]]) -> None:
    """Exchange tables between sections while that keeps owners apart."""
    gained = True
    while gained:
        gained = False
        for here, other in combinations(range(len(members)), 2):
            if not any(times > 1 for times in (*there[here].values(), *there[other].values())):
                continue
            for one, two in [(one, two) for one in members[here] for two in members[other]]:
                if one in members[here] and two in members[other]:
                    gained |= _exchange_if_better(owned, members, there, (here, one), (other, two))


def _exchange_if_better(
    owned: Sequence[set[str]],
    members: list[list[int]],
    there: list[Counter[str]],
    first: tuple[int, int],
    second: tuple[int, int],
) -> bool:
    (here, one), (other, two) = first, second
    leaves, comes = owned[one] - owned[two], owned[two] - owned[one]
    before = sum(there[here][owner] - 1 for owner in leaves) + sum(there[other][owner] - 1 for owner in comes)
    after = sum(there[other][owner] for owner in leaves) + sum(there[here][owner] for owner in comes)
    if after >= before:
        return False
    members[here][members[here].index(one)], members[other][members[other].index(two)] = two, one
    there[here].subtract(leaves)
    there[here].update(comes)
    there[other].subtract(comes)
    there[other].update(leaves)
    return True


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
