"""What is said of a trial: its question, its verdict, and its numbers."""

from collections.abc import Mapping, Sequence

from arena.league.plurals import pluralize
from arena.league.statistics import Estimate
from arena.sprt.elo import Bars
from arena.sprt.sequential import MIN_MARGINS, Hypotheses, Model, Verdict
from arena.sprt.trial import Adjusted, Summary

UNITS = {Model.NORMALISED: "normalised Elo", Model.LOGISTIC: "Elo", Model.POINTS: "points a match"}


def verdict_text(names: Sequence[str], asked: Hypotheses, summary: Summary, *, stopped: bool = False) -> str:
    """Return what was decided and where the test ended, in two lines; in one where nothing was decided."""
    new, old = names
    reading = summary.reading
    after_sets = f"after {pluralize(reading.board_sets, 'board set')} ({pluralize(summary.games, 'game')})"
    if reading.verdict is Verdict.OPEN:
        how = "stopped" if stopped else "no verdict"
        if asked.model is Model.POINTS and summary.telling < MIN_MARGINS:
            of_them = f", and {summary.telling} do" if reading.board_sets else ""
            return f"{how} {after_sets}: on margins {MIN_MARGINS} have to differ from the most frequent one{of_them}"
        return f"{how} {after_sets}: LLR {reading.llr:+.2f} lies between {reading.lower:+.2f} and {reading.upper:+.2f}"
    bound = reading.upper if reading.verdict is Verdict.BETTER else reading.lower
    interval = range_text(summary, asked.model)
    return (
        f"{_decided(new, old, asked, reading.verdict)}{f'; {interval}' if interval else ''}\n"
        f"LLR {reading.llr:+.2f} reached {bound:+.2f} {after_sets}"
    )


def _decided(new: str, old: str, asked: Hypotheses, verdict: Verdict) -> str:
    """What the verdict rules out, and no more: strengths up to `low`, or from `high` on."""
    unit = UNITS[asked.model]
    if verdict is Verdict.BETTER:
        if asked.low < 0:
            return f"{new} is not worse than {old} by {-asked.low:g} {unit}"
        return f"{new} is better than {old}" + (f" by more than {asked.low:g} {unit}" if asked.low else "")
    if asked.high > 0:
        return f"{new} is not better than {old} by {asked.high:g} {unit}"
    return f"{new} is worse than {old}" + (f" by more than {-asked.high:g} {unit}" if asked.high else "")


def range_text(summary: Summary, model: Model) -> str:
    """The interval in words: `better by 2.3 to 6.7`; empty where there is none."""
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


def number_rows(names: Sequence[str], summary: Summary) -> list[tuple[str, str]]:
    """Everything that was counted, as rows of a name and a text."""
    new, old = names
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
    rows.append(("margin", f"{margin_bars(summary.margin)} points a match"))
    if summary.adjusted is not None:
        rows += _adjusted(summary.adjusted)
    if summary.worth is not None:
        rows.append(("mirroring", f"a game did the work of {summary.worth:.2f} on decks of their own"))
    if any(summary.forfeits):
        counts = ", ".join(
            f"{name} {count}{_causes(causes)}"
            for name, count, causes in zip((new, old), summary.forfeits, summary.causes, strict=True)
        )
        rows.append(("forfeits", f"{counts} of {summary.games} games"))
    return rows


def _causes(causes: Mapping[str, int]) -> str:
    """Return how forfeits came about: ` (2 bot_error, 1 timeout)`."""
    listed = ", ".join(f"{count} {cause}" for cause, count in causes.items())
    return f" ({listed})" if listed else ""


def _elo(summary: Summary) -> str:
    normalised = f"; normalised {elo_bars(summary.normalised_elo)}" if summary.normalised_elo is not None else ""
    return elo_bars(summary.elo) + normalised


def elo_bars(bars: Bars | None) -> str:
    """A number with its bars, `+12.3 [+4.5, +20.1]`; what is unknown is a dash."""
    if bars is None or bars.value is None:
        return "–"
    if bars.low is None and bars.high is None:
        return f"{bars.value:+.1f}"
    low, high = ("–" if end is None else f"{end:+.1f}" for end in (bars.low, bars.high))
    return f"{bars.value:+.1f} [{low}, {high}]"


def _adjusted(adjusted: Adjusted) -> list[tuple[str, str]]:
    """Return the mean margin with the luck and without; the 95 % intervals are for a number of games set before."""
    factor = f", as by {adjusted.factor:.1f} times as many games" if adjusted.factor is not None else ""
    return [
        ("with luck", f"{adjusted.plain:+.2f} ± {1.96 * adjusted.plain_error:.2f} points a match"),
        ("without", f"{adjusted.adjusted:+.2f} ± {1.96 * adjusted.adjusted_error:.2f} points a match{factor}"),
    ]


def margin_bars(margin: Estimate | None) -> str:
    """A mean margin with its bars, `+1.23 [+0.45, +2.01]`."""
    if margin is None:
        return "–"
    if margin.low is None or margin.high is None:
        return f"{margin.mean:+.2f}"
    return f"{margin.mean:+.2f} [{margin.low:+.2f}, {margin.high:+.2f}]"
