"""What several matches tell of their bots: where they went wrong, luck and play apart."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arena.cli.judgements import judgement_document, line_of
from arena.cli.output import print_answer
from arena.league.plurals import pluralize

if TYPE_CHECKING:
    from arena.analysis.league import BotReport, Look, Played

QUICK = 300
"""Playouts of each decision in the first look."""
CLOSE = 4_000
"""Playouts of the worst decisions in the second look."""

_MARKS = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}
_WIDEST = 24
"""The letters of a name beside which a row has 80 columns."""


def print_report(
    title: str,
    about: Mapping[str, Any],
    replays: Sequence[tuple[str, bytes]],
    *,
    worst: int,
    quick: int = QUICK,
    close: int = CLOSE,
    processes: int = 0,
    bots: frozenset[str] | None = None,
    as_json: bool,
) -> None:
    """Look at matches, by their names, and print what is found of these bots, by default of all.

    `about` is what the document says beside that. Raises ReplayError, CoreError, WeightsError.
    """
    import msgspec

    from arena.analysis.league import report

    with _Looks(processes or os.cpu_count() or 1, len(replays)) as looks:
        reports = report(replays, looks.each, worst=worst, quick=quick, close=close, bots=bots)
    document = {
        **about,
        "matches": len(replays),
        "bots": [_plain(msgspec.to_builtins(row), row) for row in reports],
    }
    print_answer(as_json, document, _lines(title, len(replays), reports))


class _Looks:
    """Looks at matches in several processes, and says how far that is."""

    def __init__(self, processes: int, matches: int) -> None:
        from rich.console import Console
        from rich.progress import Progress

        from arena.organizer.luck import worker_pool

        self._pool = worker_pool(min(processes, matches))
        self._progress = Progress(console=Console(stderr=True), transient=True)

    def __enter__(self) -> "_Looks":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
        self._pool.shutdown(cancel_futures=True)

    def each(self, looks: "Sequence[Look]") -> "Iterable[Played]":
        from arena.analysis.league import look_at

        what = "looking at all matches" if all(look.numbers is None for look in looks) else "looking closely"
        yield from self._progress.track(self._pool.map(look_at, looks), total=len(looks), description=what)


def _plain(document: dict[str, Any], row: "BotReport") -> dict[str, Any]:
    worst = [{"match": moment.match, "judgement": judgement_document(moment.judgement)} for moment in row.worst]
    return document | {"worst": worst}


def _lines(title: str, matches: int, reports: "Sequence[BotReport]") -> Iterator[str]:
    yield f"{title}: {pluralize(matches, 'match', 'matches')}; margin, luck, play and lost are means a match"
    width = min(max(4, *(len(row.bot) for row in reports)), _WIDEST)
    variant = ""
    for row in reports:
        if row.variant != variant:
            variant = row.variant
            yield f"{variant}"
            head = f"  {'bot':<{width}} {'matches':>7} {'margin':>7} {'luck':>7} {'play':>7} {'lost':>6}"
            yield head + "".join(f" {mark:>4}" for mark in _MARKS)
        marks = "".join(f" {row.marks[kind]:>4}" for kind in _MARKS.values())
        if len(row.bot) > width:
            yield f"  {row.bot}"
        yield (
            f"  {row.bot if len(row.bot) <= width else '':<{width}} {row.matches:>7} {row.margin:>+7.1f} "
            f"{row.luck:>+7.1f} {row.play:>+7.1f} {row.lost:>6.1f}{marks}"
        )
    yield "how many in all: ?! inaccuracies, ? mistakes, ?? blunders"
    for row in reports:
        if row.worst:
            yield f"the worst choices of {row.bot}, {row.variant}:"
            for mistake in row.worst:
                yield f"  {mistake.match}"
                yield f"  {line_of(mistake.judgement)}"
        else:
            yield f"no choice of {row.bot}, {row.variant}, was clearly worse than the best"
