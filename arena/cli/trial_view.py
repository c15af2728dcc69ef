"""A trial in the terminal: its progress, its verdict, and the reasons."""

import asyncio
import json
import sys
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from rich.console import Console
from rich.live import Live
from rich.text import Text

from arena.cli.failures import CheckFailedError
from arena.cli.forfeits import Kind, forfeit_kind, named_here, what_it_wrote
from arena.cli.startable import Startable
from arena.cli.values import MatchOptions, confinement_of
from arena.launcher.sources import PathBot
from arena.league.plurals import pluralize
from arena.sprt.kept import KeptSets
from arena.sprt.run import GROUP, Forfeit, SprtConfig, play_trial
from arena.sprt.sequential import MIN_MARGINS, Model, Verdict
from arena.sprt.trial import Measure, Side, Summary, Trial
from arena.sprt.wording import UNITS, elo_bars, number_rows, verdict_text

_BAR = 21
_MIN_BAR = 5
_FAILS = 10
"""So many forfeits of a version, nine games in ten or more of all that were played, end a trial."""


class KeepsFailingError(CheckFailedError):
    """The version of a `side` failed so often that its games tell nothing of how it plays."""

    def __init__(self, side: Side, text: str) -> None:
        super().__init__(text)
        self.side = side


class Played(NamedTuple):
    """A trial that was played, and of what."""

    contest: SprtConfig
    trial: Trial
    summary: Summary


def console_of(as_json: bool) -> Console:
    """Return where a trial is shown: standard error, where a document is printed on the standard output."""
    file = sys.stderr if as_json else sys.stdout
    return Console(file=file, highlight=False, markup=False, emoji=False, soft_wrap=True)


async def run_trial(
    contest: SprtConfig,
    trial: Trial,
    how: MatchOptions,
    at_once: int,
    console: Console,
    bots: Startable,
    kept_sets: KeptSets | None,
) -> Played:
    """Play a trial with `at_once` matches side by side and show it: its progress, then its verdict.

    It goes on behind `kept_sets`, what was kept of it. Raises KeepsFailingError.
    """
    logs, confinement = how.data / "logs", confinement_of(how.uncaged)
    for games in kept_sets.sets[: contest.boards] if kept_sets is not None else ():
        if trial.add(games).verdict is not Verdict.OPEN:
            break
    console.print(_heading(contest, trial))
    if kept_sets is None:
        console.print("bots by path without a cage may be anything: the test is not kept, and cannot be continued")
    elif trial.reading.board_sets:
        console.print(f"played before: {pluralize(trial.reading.board_sets, 'board set')} (--again plays anew)")
    shown: set[tuple[Side, Kind]] = set()

    def forfeited(forfeit: Forfeit) -> None:
        kind = forfeit.side, forfeit_kind(forfeit.result)
        if kind not in shown:  # the first of each kind in words, the others in numbers
            shown.add(kind)
            console.print(_forfeit_line(contest, forfeit, logs), style="bold")
        failed, games = trial.forfeits[forfeit.side], trial.reading.board_sets * len(trial.seatings)
        if failed >= _FAILS and 10 * failed >= 9 * games:
            raise KeepsFailingError(
                forfeit.side,
                f"{contest.names[forfeit.side]} keeps failing, so the test was stopped: "
                f"it forfeited {failed} of {pluralize(games, 'game')}",
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
                    counted=kept_sets.add if kept_sets is not None else lambda _: None,
                    starter=bots.starter,
                    cages=bots.cages,
                )
            progress.cancel()
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    except asyncio.CancelledError:
        if trial.reading.board_sets:
            _print_summary(console, contest, trial, stopped=True)
        if kept_sets is not None:
            console.print("the same command goes on with it")
        raise
    return Played(contest, trial, _print_summary(console, contest, trial))


async def _progress(console: Console, contest: SprtConfig, trial: Trial) -> None:
    """Show how far the test is: on a terminal in one line, else in a line whenever the board sets have doubled."""
    if console.is_terminal:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            while True:
                live.update(Text(_progress_line(contest, trial, console.width)), refresh=True)
                await asyncio.sleep(0.2)
    following = 4
    while True:
        if trial.reading.board_sets >= following:
            console.print(_progress_line(contest, trial, console.width))
            following = 2 * trial.reading.board_sets
        await asyncio.sleep(0.2)


def _heading(contest: SprtConfig, trial: Trial) -> str:
    """Return what is tested."""
    new, old = contest.names
    asked = trial.hypotheses
    least = f"; on margins no verdict before {MIN_MARGINS} that differ" if trial.measure is Measure.MARGINS else ""
    return (
        f"Is {new} better than {old}? {contest.variant}, {len(trial.seatings[0])} seats, "
        f"{asked.low:g} against {asked.high:g} {UNITS[asked.model]}\n"
        f"alpha {asked.alpha:g}, beta {asked.beta:g}, "
        f"at most {pluralize(contest.boards, 'board set')} of {len(trial.seatings)} games{least}\n"
        f"seed {contest.seed}"
    )


def _progress_line(contest: SprtConfig, trial: Trial, width: int) -> str:
    """Return one line: the log-likelihood ratio between its bounds, how near it is to one, the strength seen so far."""
    reading, seen = trial.reading, trial.bars_so_far()
    share = (min(max(reading.llr, reading.lower), reading.upper) - reading.lower) / (reading.upper - reading.lower)
    unit = UNITS[Model.LOGISTIC if trial.measure is Measure.RESULTS else Model.POINTS]
    bound, name = (reading.upper, "better") if reading.llr >= 0 else (reading.lower, "not better")
    strength = "" if seen is None or seen.value is None else f"  {elo_bars(seen)} {unit}"
    forfeits = f"  forfeits {trial.forfeits[0]} : {trial.forfeits[1]}" if any(trial.forfeits) else ""
    start = f"{reading.board_sets}/{pluralize(contest.boards, 'board set')}  LLR {reading.llr:+.2f}"
    end = f"{min(reading.llr / bound, 1):.0%} of the way to {name}{strength}{forfeits}"
    bar = min(_BAR, width - len(start) - len(end) - 18)
    if bar < _MIN_BAR:
        return f"{start}, {end}"
    offset = round((bar - 1) * share)
    return f"{start}  {reading.lower:+.2f} {'╌' * offset}●{'╌' * (bar - 1 - offset)} {reading.upper:+.2f}  {end}"


def _forfeit_line(contest: SprtConfig, forfeit: Forfeit, logs: Path) -> str:
    """What a version did that cost it a match, and where to look."""
    name = contest.names[forfeit.side]
    return (
        f"{name} forfeited a match on board {forfeit.board} ({forfeit.result.end}), which counts as lost: "
        f"{forfeit.result.text}{what_it_wrote(logs, GROUP, name)}{_played_alone(contest, forfeit)}"
    )


def _played_alone(contest: SprtConfig, forfeit: Forfeit) -> str:
    """A line with the command that plays the match alone, where a bot by a path can be mended."""
    if not isinstance(contest.sources[forfeit.side], PathBot):
        return ""
    sources = dict(zip(contest.names, contest.sources, strict=True))
    seated = (sources.get(name) or sources[name.removesuffix("-again")] for name in forfeit.seats)
    bots = " ".join(quote(named_here(source)) for source in seated)
    options = "".join(f" --option {quote(f'{key}={json.dumps(value)}')}" for key, value in contest.options.items())
    game = f"--variant {contest.variant}{options} --seed {quote(f'{contest.seed}/{forfeit.board}')}"
    return f"\nonce it is mended, ask it again: arena match play {bots} {game}"


def _print_summary(console: Console, contest: SprtConfig, trial: Trial, *, stopped: bool = False) -> Summary:
    """Print the verdict with its reasons, and everything that was counted, which is returned."""
    summary = trial.summary()
    verdict = verdict_text(contest.names, trial.hypotheses, summary, stopped=stopped)
    console.print(verdict, style="bold")
    for name, text in number_rows(contest.names, summary):
        console.print(f"{name:<10} {text}")
    console.print(f"the same again: --seed {contest.seed}")
    if contest.keep is not None:
        console.print(f"where they went wrong: arena replay analyse {quote(str(contest.keep))}/*.hreplay")
    return summary
