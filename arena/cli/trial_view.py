"""A trial in the terminal: its progress, its verdict, and the reasons."""

import asyncio
import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.live import Live
from rich.text import Text

from arena.cli.failures import CheckFailedError
from arena.cli.local import Startable
from arena.cli.output import print_document
from arena.cli.values import MatchOptions, confinement_of
from arena.league.plurals import pluralize
from arena.sprt.elo import Bars
from arena.sprt.kept import Kept
from arena.sprt.run import GROUP, Forfeit, SprtConfig, play_trial
from arena.sprt.sequential import Hypotheses, Model, Verdict
from arena.sprt.trial import Adjusted, Measure, Summary, Trial

_BAR = 21
_FAILS = 10
"""So many forfeits of a version, nine games in ten or more of all that were played, end a trial."""
_UNITS = {Model.NORMALISED: "normalised Elo", Model.LOGISTIC: "Elo", Model.POINTS: "points a match"}


async def run_trial(
    contest: SprtConfig,
    trial: Trial,
    how: MatchOptions,
    at_once: int,
    as_json: bool,
    bots: Startable,
    kept: Kept | None,
) -> None:
    """Play a trial with `at_once` matches side by side and show it: its progress, then its verdict or one document.

    It goes on behind what was `kept` of it. Raises CheckFailedError where one version keeps failing: its games tell
    nothing of how it plays.
    """
    logs, confinement = how.data / "logs", confinement_of(how.uncaged)
    console = Console(
        file=sys.stderr if as_json else sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True
    )
    for games in kept.sets[: contest.boards] if kept is not None else ():
        if trial.add(games).verdict is not Verdict.OPEN:
            break
    console.print(_heading(contest, trial))
    if kept is None:
        console.print("bots by path without a cage may be anything: the test is not kept, and cannot be continued")
    elif trial.reading.board_sets:
        console.print(f"played before: {pluralize(trial.reading.board_sets, 'board set')} (--again plays anew)")
    shown: set[tuple[int, str, str]] = set()

    def forfeited(forfeit: Forfeit) -> None:
        kind = forfeit.side, forfeit.result.end, forfeit.result.text.partition(":")[0]
        if kind not in shown:  # the first of each kind in words, the others in numbers
            shown.add(kind)
            console.print(_forfeit_line(contest, forfeit, logs), style="bold")
        summary = trial.summary()
        failed = summary.forfeits[forfeit.side]
        if failed >= _FAILS and 10 * failed >= 9 * summary.games:
            raise CheckFailedError(
                f"{contest.names[forfeit.side]} keeps failing, so the test was stopped: "
                f"it forfeited {failed} of {pluralize(summary.games, 'game')}"
            )

    is_over = trial.reading.verdict is not Verdict.OPEN or trial.reading.board_sets >= contest.boards
    try:
        async with asyncio.TaskGroup() as group:
            progress = group.create_task(_progress(console, contest, trial))
            if not is_over:
                await play_trial(
                    contest,
                    trial,
                    logs,
                    at_once=at_once,
                    start_s=how.start_ms / 1000,
                    confinement=confinement,
                    forfeited=forfeited,
                    counted=kept.add if kept is not None else lambda _: None,
                    starter=bots.starter,
                    cages=bots.cages,
                )
            progress.cancel()
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    except asyncio.CancelledError:
        if trial.reading.board_sets:
            _print_summary(console, contest, trial, stopped=True)
        if kept is not None:
            console.print("the same command goes on with it")
        raise
    summary = trial.summary()
    if as_json:
        document = {
            "new": contest.names[0],
            "old": contest.names[1],
            "variant": contest.variant,
            "seats": len(trial.seatings[0]),
            "seed": contest.seed,
            "hypotheses": trial.hypotheses,
            **msgspec.structs.asdict(summary),
        }
        print_document(document)
    else:
        _print_summary(console, contest, trial)


async def _progress(console: Console, contest: SprtConfig, trial: Trial) -> None:
    """Show how far the test is: on a terminal in one line, else in a line whenever the board sets have doubled."""
    if console.is_terminal:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            while True:
                live.update(Text(_progress_line(contest, trial)), refresh=True)
                await asyncio.sleep(0.2)
    following = 4
    while True:
        if trial.reading.board_sets >= following:
            console.print(_progress_line(contest, trial))
            following = 2 * trial.reading.board_sets
        await asyncio.sleep(0.2)


def _heading(contest: SprtConfig, trial: Trial) -> str:
    """What is tested."""
    new, old = contest.names
    asked = trial.hypotheses
    return (
        f"Is {new} better than {old}? {contest.variant}, {len(trial.seatings[0])} seats, "
        f"{asked.low:g} against {asked.high:g} {_UNITS[asked.model]}\n"
        f"alpha {asked.alpha:g}, beta {asked.beta:g}, "
        f"at most {pluralize(contest.boards, 'board set')} of {len(trial.seatings)} games\n"
        f"seed {contest.seed}"
    )


def _progress_line(contest: SprtConfig, trial: Trial) -> str:
    """One line: the log-likelihood ratio between its bounds, and the strength seen so far."""
    reading, seen = trial.reading, trial.seen()
    share = (min(max(reading.llr, reading.lower), reading.upper) - reading.lower) / (reading.upper - reading.lower)
    place = round((_BAR - 1) * share)
    unit = _UNITS[Model.LOGISTIC if trial.measure is Measure.RESULTS else Model.POINTS]
    strength = "" if seen is None else f"  so far {seen:+.1f} {unit}"
    forfeits = f", forfeits {trial.forfeits[0]} : {trial.forfeits[1]}" if any(trial.forfeits) else ""
    return (
        f"{reading.board_sets}/{pluralize(contest.boards, 'board set')}  LLR {reading.lower:+.2f} "
        f"{'╌' * place}●{'╌' * (_BAR - 1 - place)} {reading.upper:+.2f} at {reading.llr:+.2f}{strength}{forfeits}"
    )


def _forfeit_line(contest: SprtConfig, forfeit: Forfeit, logs: Path) -> str:
    """What a version did that cost it a match, and where to look."""
    name = contest.names[forfeit.side]
    return (
        f"{name} forfeited a match on board {forfeit.board} ({forfeit.result.end}), which counts as lost: "
        f"{forfeit.result.text}\n"
        f"what it wrote: {logs / GROUP / name}.log"
    )


def _print_summary(console: Console, contest: SprtConfig, trial: Trial, *, stopped: bool = False) -> None:
    """The verdict with its reasons, and everything that was counted."""
    summary = trial.summary()
    new, old = contest.names
    console.print(_verdict(contest, trial, summary, stopped=stopped), style="bold")
    rows = []
    if summary.pairs is not None and summary.results is not None:
        pairs = summary.pairs
        rows += [
            ("Elo", _elo(summary)),
            ("games", "{} won, {} drawn, {} lost".format(*summary.results)),
            (
                "pairs",
                f"{pairs.pairs}: LL {pairs.ll}, LD {pairs.ld}, WL {pairs.wl}, DD {pairs.dd}, WD {pairs.wd}, "
                f"WW {pairs.ww}",
            ),
        ]
    rows.append(("margin", f"{_margin(summary)} points a match"))
    if summary.adjusted is not None:
        rows += _adjusted(summary.adjusted)
    if summary.worth is not None:
        rows.append(("mirroring", f"a game did the work of {summary.worth:.2f} on decks of their own"))
    if any(summary.forfeits):
        rows.append(("forfeits", f"{new} {summary.forfeits[0]}, {old} {summary.forfeits[1]} of {summary.games} games"))
    for name, text in rows:
        console.print(f"{name:<10} {text}")
    console.print(f"the same again: --seed {contest.seed}")


def _verdict(contest: SprtConfig, trial: Trial, summary: Summary, *, stopped: bool) -> str:
    new, old = contest.names
    reading, asked = summary.reading, trial.hypotheses
    after = f"after {pluralize(reading.board_sets, 'board set')} ({pluralize(summary.games, 'game')})"
    if reading.verdict is Verdict.OPEN:
        how = "stopped" if stopped else "no verdict"
        return f"{how} {after}: LLR {reading.llr:+.2f} lies between {reading.lower:+.2f} and {reading.upper:+.2f}"
    bound = reading.upper if reading.verdict is Verdict.BETTER else reading.lower
    known = _range(summary, asked.model)
    return (
        f"{_decided(new, old, asked, reading.verdict)}{f'; {known}' if known else ''}\n"
        f"LLR {reading.llr:+.2f} reached {bound:+.2f} {after}"
    )


def _decided(new: str, old: str, asked: Hypotheses, verdict: Verdict) -> str:
    """What the verdict rules out, and no more: strengths up to `low`, or from `high` on."""
    unit = _UNITS[asked.model]
    if verdict is Verdict.BETTER:
        if asked.low < 0:
            return f"{new} is not worse than {old} by {-asked.low:g} {unit}"
        return f"{new} is better than {old}" + (f" by more than {asked.low:g} {unit}" if asked.low else "")
    if asked.high > 0:
        return f"{new} is not better than {old} by {asked.high:g} {unit}"
    return f"{new} is worse than {old}" + (f" by more than {-asked.high:g} {unit}" if asked.high else "")


def _range(summary: Summary, model: Model) -> str:
    """The interval in words: `better by 2.3 to 6.7`."""
    bars = {
        Model.POINTS: summary.margin,
        Model.LOGISTIC: summary.elo,
        Model.NORMALISED: summary.normalised_elo,
    }[model]
    if bars is None or bars.low is None or bars.high is None:
        return ""
    if bars.low > 0:
        return f"better by {bars.low:.1f} to {bars.high:.1f}"
    if bars.high < 0:
        return f"worse by {-bars.high:.1f} to {-bars.low:.1f}"
    return f"between {-bars.low:.1f} worse and {bars.high:.1f} better"


def _elo(summary: Summary) -> str:
    normalised = f"; normalised {_bars(summary.normalised_elo)}" if summary.normalised_elo is not None else ""
    return _bars(summary.elo) + normalised


def _bars(bars: Bars | None) -> str:
    """A number with its bars, `+12.3 [+4.5, +20.1]`; what is unknown is a dash."""
    if bars is None or bars.value is None:
        return "–"
    if bars.low is None and bars.high is None:
        return f"{bars.value:+.1f}"
    low, high = ("–" if end is None else f"{end:+.1f}" for end in (bars.low, bars.high))
    return f"{bars.value:+.1f} [{low}, {high}]"


def _adjusted(found: Adjusted) -> list[tuple[str, str]]:
    """The mean margin with the luck in it and without; the 95 % intervals are those of a number of games set before."""
    factor = f", as by {found.factor:.1f} times as many games" if found.factor is not None else ""
    return [
        ("with luck", f"{found.plain:+.2f} ± {1.96 * found.plain_error:.2f} points a match"),
        ("without", f"{found.adjusted:+.2f} ± {1.96 * found.adjusted_error:.2f} points a match{factor}"),
    ]


def _margin(summary: Summary) -> str:
    margin = summary.margin
    if margin is None:
        return "–"
    if margin.low is None or margin.high is None:
        return f"{margin.mean:+.2f}"
    return f"{margin.mean:+.2f} [{margin.low:+.2f}, {margin.high:+.2f}]"
