"""Who did better in a match, and sums of that: won, drawn and lost matches."""

from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec

from arena.web.site.documents import ReplayDocument


class Score(msgspec.Struct, frozen=True):
    """Results against somebody, in a seat, or in a variant."""

    of: str
    played: int
    won: int
    drawn: int
    lost: int

    @property
    def share(self) -> float:
        """Won matches and half the drawn ones, of all."""
        return (self.won + self.drawn / 2) / self.played


def outcome(match: ReplayDocument, seat: int, opponent: int | None = None) -> int:
    """Return 2, 1 or 0: placed before, like or after the best of the others, or one of them."""
    placing = match.placing[seat]
    best = min(place for rival, place in enumerate(match.placing) if rival != seat and opponent in (None, rival))
    return 2 if placing < best else 1 if placing == best else 0


def scores(outcomes: Iterable[tuple[str, int]]) -> tuple[Score, ...]:
    """Return the results by what each counts `of`, the most played first."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for of, points in outcomes:
        counts[of][points] += 1
    results = (Score(of, count.total(), count[2], count[1], count[0]) for of, count in counts.items())
    return tuple(sorted(results, key=lambda score: (-score.played, score.of)))
