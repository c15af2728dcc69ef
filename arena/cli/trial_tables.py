"""Several trials in one table, trials as documents, and the list of those that are kept."""

from collections.abc import Sequence
from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from arena.cli.trial_view import Played
from arena.league.plurals import pluralize
from arena.sprt.kept import KeptTest
from arena.sprt.sequential import Verdict
from arena.sprt.wording import elo_bars, margin_bars

_SHORT = {Verdict.BETTER: "better", Verdict.NOT_BETTER: "not better", Verdict.OPEN: "open"}


def document_of(played: Played) -> dict[str, Any]:
    """Return a trial as a document."""
    contest, trial, summary = played
    return {
        "new": contest.names[0],
        "old": contest.names[1],
        "variant": contest.variant,
        "seats": len(trial.seatings[0]),
        "seed": contest.seed,
        "hypotheses": trial.hypotheses,
        **msgspec.structs.asdict(summary),
    }


def print_gauntlet(console: Console, played: Sequence[Played]) -> None:
    """Print a line for each of these trials."""
    title = f"{played[0].contest.names[0]} against"
    has_margins = any(trial.summary.pairs is None for trial in played)
    variants = {trial.contest.variant for trial in played}
    has_forfeits = any(any(trial.summary.forfeits) for trial in played)
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=0, min_width=len(title), title_justify="left")
    table.add_column("bot", overflow="fold")
    for heading, shown in (
        ("game", len(variants) > 1),
        ("is it better?", True),
        ("board sets", True),
        ("W-D-L", not has_margins),
        ("Elo", not has_margins),
        ("margin", True),
        ("forfeits", has_forfeits),
    ):
        if shown:
            table.add_column(heading, justify="right", no_wrap=True)
    for contest, _, summary in played:
        cells = [contest.names[1]]
        if len(variants) > 1:
            cells.append(contest.variant)
        cells += [_SHORT[summary.reading.verdict], str(summary.reading.board_sets)]
        if not has_margins:
            cells += ["-".join(map(str, summary.results or ())), elo_bars(summary.elo)]
        cells.append(margin_bars(summary.margin))
        if has_forfeits:
            cells.append(f"{summary.forfeits[0]} : {summary.forfeits[1]}")
        table.add_row(*cells)
    console.print(table, soft_wrap=False)


def kept_line(test: KeptTest) -> str:
    """Return a kept test as a line."""
    new, old = test.names
    results = "" if test.results is None else "  {}-{}-{}".format(*test.results)
    margin = "" if test.margin is None else f"  margin {test.margin:+.2f}"
    forfeits = f"  forfeits {test.forfeits[0]} : {test.forfeits[1]}" if any(test.forfeits) else ""
    options = "".join(f" {name}={value}" for name, value in test.options.items())
    sets = pluralize(test.board_sets, "board set")
    return f"{test.changed_at}  {new} against {old}  {test.variant}{options}  {sets}{results}{margin}{forfeits}"
