"""What a variant says of itself, as plain data: its options, its yaku, its actions."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core_ext.secrecy import Secret

OptionValue = bool | int | str | tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """A house option.

    ``type`` is ``int`` (``low`` to ``high``), ``bool``, ``choice`` (one of ``choices``) or ``ints`` (``length``
    numbers, each ``low`` to ``high``). A ``nullable`` option may also be None. A ``late`` one came when matches had
    been played without it: where it has its default it stands in no hash and no transcript, so theirs stay the same.
    """

    name: str
    type: str
    default: OptionValue
    doc: str
    low: int = 0
    high: int = 0
    choices: tuple[str | int, ...] = ()
    length: int = 0
    nullable: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class OptionSet:
    """Options that go together under a name, which the option ``set`` takes; what it does not name has its default."""

    name: str
    doc: str
    values: tuple[tuple[str, OptionValue], ...]


@dataclass(frozen=True, slots=True)
class Yaku:
    """A scoring row: held with ``need`` of ``cards`` and all of ``must``; pays ``points``, ``per_extra`` for each more.

    With ``threes`` it is a whole hand: just ``need`` of ``cards``, and three cards that are all of one of these sets.

    ``beats`` are ids of rows that do not count beside it. Of one ``group`` the dearest row alone counts, of equal ones
    the first in the table. A ``late`` row came when there were networks that had learned without it: it stands at the
    table's end, and is in no encoding.
    """

    id: str
    name: str
    cards: tuple[int, ...]
    points: int
    need: int = 0
    must: tuple[int, ...] = ()
    per_extra: int = 0
    beats: tuple[str, ...] = ()
    group: str = ""
    threes: tuple[tuple[int, ...], ...] = ()
    late: bool = False

    def __post_init__(self) -> None:
        if not self.need:
            object.__setattr__(self, "need", len(self.cards))


def rows_under(yaku: tuple[Yaku, ...], options: Mapping[str, Any], off: Collection[str] = ()) -> tuple[Yaku, ...]:
    """The yaku with the points that the options ``points.<id>`` give them; a row that is off has none."""
    return tuple(replace(row, points=0 if row.id in off else options[f"points.{row.id}"]) for row in yaku)


@dataclass(frozen=True, slots=True, eq=False)
class VariantInfo:
    """A variant: who can play it, what can be chosen, what scores, what can be done.

    ``seats`` is the least, the most and the default number; ``cards`` how many the deck has (the first ids).
    ``actions`` is the text of every action by its code. ``terms`` are names, beside yaku and dealt hands, that events
    use; ``titles`` are the Japanese names of those that have one. ``rules_version`` is raised whenever a code, a deal
    or a score could change. ``recalls`` says that what a seat knows of a deal is more than its zones and counters: the
    deal's events belong to its view. ``secrets`` say who could be asked in secret, and when. ``settled`` says how
    results come from the last balances, where they differ; a result's unit is ``unit`` of a balance's. Balances
    begin at ``starting_balance``.
    """

    id: str
    name: str
    rules_version: int
    seats: tuple[int, int, int]
    cards: int
    actions: tuple[str, ...]
    options: tuple[OptionInfo, ...]
    yaku: tuple[Yaku, ...]
    dealt_hands: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    titles: tuple[tuple[str, str], ...] = ()
    recalls: bool = False
    secrets: tuple[Secret, ...] = ()
    settled: str = ""
    unit: int = 1
    starting_balance: int = 0
    option_sets: tuple[OptionSet, ...] = ()

    @property
    def num_actions(self) -> int:
        """How many codes there are; they are 0 to this less one."""
        return len(self.actions)
