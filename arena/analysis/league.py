"""Where the bots of a league went wrong: all decisions are looked at quickly, and the worst again, closely.

What was found worst in the first look is overstated, since chance helped to make it the worst. So the second look
begins anew, with dice of its own, and only what it finds is told.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from arena.analysis.luck import luck_of
from arena.analysis.mistakes import Judgement, Verdict, judge
from arena.analysis.values import PLAYOUTS
from arena.replays import decode

QUICK_PLAYOUTS = 300
"""Playouts of a decision in the first look."""
CANDIDATES = 3
"""How many times as many decisions are looked at closely as are shown."""


class Look(NamedTuple):
    """What is to be found out of a match: of all its decisions, or of those with these numbers."""

    replay: bytes
    playouts: int
    numbers: frozenset[int] | None = None


class Seat(Struct, frozen=True):
    """A bot's part in a match: its margin, the luck in that, and what the choices of each verdict lost."""

    bot: str
    margin: float
    luck: float
    judgements: tuple[Judgement, ...]


class Played(Struct, frozen=True):
    """A match that was looked at."""

    match: str
    variant: str
    seats: tuple[Seat, ...]


class Mistake(Struct, frozen=True):
    """A bad choice, in the match where it was made."""

    match: str
    judgement: Judgement


class BotReport(Struct, frozen=True):
    """What a bot did in its matches of a variant.

    `margin`, `luck` and `play` are means a match; `lost` is what its choices lost a match by the first look. `marks`
    counts the choices by verdict, `worst` are those of the second look.
    """

    bot: str
    variant: str
    matches: int
    margin: float
    luck: float
    play: float
    lost: float
    marks: dict[str, int]
    worst: tuple[Mistake, ...]


def look_at(look: Look) -> Played:
    """Judge a match's decisions, and measure its luck. Raises ReplayError, CoreError, WeightsError."""
    record = decode(look.replay)
    judgements = list(judge(record, look.playouts, numbers=look.numbers))
    luck = luck_of(record) if look.numbers is None else None
    seats = tuple(
        Seat(
            name,
            luck[seat].margin if luck else 0.0,
            luck[seat].luck if luck else 0.0,
            tuple(judgement for judgement in judgements if judgement.seat == seat),
        )
        for seat, name in enumerate(record.names)
    )
    return Played(record.match_id, record.variant, seats)


def report(
    replays: Sequence[tuple[str, bytes]],
    each: Callable[[Sequence[Look]], Iterable[Played]],
    *,
    worst: int,
    quick: int = QUICK_PLAYOUTS,
    close: int = PLAYOUTS,
    bots: frozenset[str] | None = None,
) -> tuple[BotReport, ...]:
    """Look at matches, by id, and report on these bots, by default all, in the order of variants and names.

    `each` does `look_at` for all, in order: one after another, or in several processes.
    """
    played = list(each([Look(replay, quick) for _, replay in replays]))
    of_bot: dict[tuple[str, str], list[tuple[int, Seat]]] = defaultdict(list)
    for place, match in enumerate(played):
        for seat in match.seats:
            if bots is None or seat.bot in bots:
                of_bot[match.variant, seat.bot].append((place, seat))
    candidates = {key: _candidates(seats, worst * CANDIDATES) for key, seats in of_bot.items()}
    numbers: dict[int, set[int]] = defaultdict(set)
    for chosen in candidates.values():
        for place, number in chosen:
            numbers[place].add(number)
    places = sorted(numbers)
    looks = [Look(replays[place][1], close, frozenset(numbers[place])) for place in places]
    again = {
        (place, judgement.number): judgement
        for place, match in zip(places, each(looks), strict=True)
        for seat in match.seats
        for judgement in seat.judgements
    }
    return tuple(
        _reported(bot, variant, seats, _worst(replays, candidates[variant, bot], again, worst))
        for (variant, bot), seats in sorted(of_bot.items())
    )


def _candidates(seats: Sequence[tuple[int, Seat]], limit: int) -> list[tuple[int, int]]:
    """Return the choices that lost most by the first look, by match and number."""
    candidates = [
        (judgement.loss, place, judgement.number)
        for place, seat in seats
        for judgement in seat.judgements
        if judgement.loss > 0
    ]
    return [(place, number) for _, place, number in sorted(candidates, reverse=True)[:limit]]


def _worst(
    replays: Sequence[tuple[str, bytes]],
    candidates: Iterable[tuple[int, int]],
    again: dict[tuple[int, int], Judgement],
    limit: int,
) -> Iterator[Mistake]:
    mistakes = [Mistake(replays[place][0], again[place, number]) for place, number in candidates]
    marked = [mistake for mistake in mistakes if mistake.judgement.verdict is not Verdict.GOOD]
    yield from sorted(marked, key=lambda mistake: -mistake.judgement.loss)[:limit]


def _reported(bot: str, variant: str, seats: Sequence[tuple[int, Seat]], worst: Iterable[Mistake]) -> BotReport:
    matches = len(seats)
    margin = sum(seat.margin for _, seat in seats) / matches
    luck = sum(seat.luck for _, seat in seats) / matches
    judgements = [judgement for _, seat in seats for judgement in seat.judgements]
    marks = {verdict.value: sum(judgement.verdict is verdict for judgement in judgements) for verdict in Verdict}
    lost = sum(judgement.loss for judgement in judgements) / matches
    return BotReport(bot, variant, matches, margin, luck, margin - luck, lost, marks, tuple(worst))
