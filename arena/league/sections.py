"""Which tables of a round share their field boards: sections that keep the bots of one owner apart.

The number of sections is at first the largest number of tables that any one owner has bots at. Tables are dealt one by
one to the section in which fewest share an owner; while some do, this is tried again with more sections. If that does
not separate all owners and there are at most 64 tables, a search looks for better sections.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

_MIN_TABLES = 2
_MAX_SECTIONS = 256
_MAX_SEARCHED = 64  # tables
_STEPS = 20_000  # of the search


def sections(tables: Sequence[tuple[str, ...]], owners: Mapping[str, str]) -> tuple[tuple[int, ...], ...]:
    """Return the tables (as indexes) in sections that keep the bots of each owner at different tables apart.

    Every section has at least two tables, and there are at most 256 sections. Where that does not separate all owners,
    as few pairs of tables as the search finds share an owner and a section. A bot without an owner need not be kept
    apart from any other. If all bots have the same owner, there is one section.
    """
    if len({owners.get(bot, "") for bots in tables for bot in bots}) == 1:
        return (tuple(range(len(tables))),)
    owned = [{owner for bot in bots if (owner := owners.get(bot, ""))} for bots in tables]
    least = max(Counter(owner for of_table in owned for owner in of_table).values(), default=1)
    limit = max(1, min(len(tables) // _MIN_TABLES, _MAX_SECTIONS))
    best = _Sections(owned, 1, range(len(tables)))
    number = min(least, limit)
    while best.shared and number <= limit:
        best = min(best, _dealt(owned, number), key=lambda sections: sections.shared)
        number += 1 + number // 8
    if best.shared and len(tables) <= _MAX_SEARCHED:
        best = _search(owned, limit, best)
    return tuple(tuple(section) for section in sorted(best.members) if section)


class _Sections:
    """Tables in sections. `shared` counts the pairs of tables in one section that have an owner in common."""

    def __init__(self, owned: Sequence[set[str]], number: int, tables: Iterable[int] = ()) -> None:
        self.owned = owned
        self.members: list[list[int]] = [[] for _ in range(number)]
        self.owners: list[Counter[str]] = [Counter() for _ in range(number)]
        self.shared = 0
        for table in tables:
            self.add(table, 0)

    def price(self, table: int, section: int) -> int:
        """By how much `shared` grows when the table joins the section."""
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
    often = Counter(owner for of_table in owned for owner in of_table)
    return sorted(range(len(owned)), key=lambda table: (-sum(often[owner] - 1 for owner in owned[table]), table))


def _dealt(owned: Sequence[set[str]], number: int) -> _Sections:
    """Deal tables one by one to the section where fewest share an owner, of those to the smallest.

    A table that is alone in its section then moves to another.
    """
    dealt = _Sections(owned, number)

    def best(table: int, sections: Iterable[int]) -> int:
        return min(sections, key=lambda section: (dealt.price(table, section), len(dealt.members[section]), section))

    for table in _hardest_first(owned):
        dealt.add(table, best(table, range(number)))
    for section, members in enumerate(dealt.members):
        others = [
            section_number
            for section_number in range(number)
            if section_number != section and dealt.members[section_number]
        ]
        if 0 < len(members) < _MIN_TABLES and others:
            [table] = members
            dealt.remove(table, section)
            dealt.add(table, best(table, others))
    for members in dealt.members:
        members.sort()
    return dealt


def _search(owned: Sequence[set[str]], limit: int, start: _Sections) -> _Sections:
    """Search for sections, of at least two tables each, that share less than the `start`, in at most `_STEPS` steps."""
    order = _hardest_first(owned)
    now = _Sections(owned, limit)
    best, steps = start, 0

    def place(position: int) -> None:
        nonlocal best, steps
        steps += 1
        lonely = sum(max(0, _MIN_TABLES - len(section)) for section in now.members if section)
        if now.shared >= best.shared or lonely > len(order) - position or steps > _STEPS:
            return
        if position == len(order):
            best = _Sections(owned, limit)
            for section, tables in enumerate(now.members):
                for table in sorted(tables):
                    best.add(table, section)
            return
        used = sum(bool(section) for section in now.members)
        choices = range(min(used + 1, limit))
        for section in sorted(
            choices, key=lambda choice: (now.price(order[position], choice), len(now.members[choice]))
        ):
            now.add(order[position], section)
            place(position + 1)
            now.remove(order[position], section)

    place(0)
    return best
