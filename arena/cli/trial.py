"""`arena match test`"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from arena.cli import completion
from arena.cli.failures import WrongUseError
from arena.cli.values import BOTS, AsJson, MatchOptions, Seats, names_of, options_of

if TYPE_CHECKING:
    from arena.sprt.sequential import Hypotheses
    from arena.sprt.trial import Trial

_SPELLINGS = {"normalized": "normalised", "normalised": "normalised", "logistic": "logistic"}
_ELO = (0.0, 5.0)


class TestOptions(NamedTuple):
    """What the sequential test decides between, and how often it may be wrong."""

    elo0: Annotated[float | None, typer.Option(metavar="ELO", help="Not better: at most this Elo; by default 0.")] = (
        None
    )
    elo1: Annotated[float | None, typer.Option(metavar="ELO", help="Better: at least this Elo; by default 5.")] = None
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="The unit of Elo: normalized (the default) or logistic.")
    ] = None
    margin: Annotated[
        str | None,
        typer.Option(metavar="LOW,HIGH", help="Test the mean margin instead, in points a match."),
    ] = None
    alpha: Annotated[float, typer.Option(metavar="P", help="The accepted probability of a false 'better'.")] = 0.05
    beta: Annotated[float, typer.Option(metavar="P", help="The accepted probability of a false 'not better'.")] = 0.05
    adjusted: Annotated[
        bool, typer.Option("--adjusted", help="Take the luck of the cards out of margins: --margin needs fewer games.")
    ] = False

    def trial(self, seats: int) -> "Trial":
        """Return the trial of two bots with so many seats at a table. Raises WrongUseError, StatisticsError."""
        from arena.league.errors import StatisticsError
        from arena.sprt.trial import Measure, Trial

        measure, hypotheses = (
            (Measure.RESULTS, self._elo()) if self.margin is None else (Measure.MARGINS, self._points())
        )
        try:
            return Trial(seats, measure, hypotheses, adjusted=self.adjusted)
        except StatisticsError as error:
            raise WrongUseError(f"{error}: --margin LOW,HIGH") from error

    def _elo(self) -> "Hypotheses":
        from arena.sprt.sequential import Hypotheses, Model

        spelling = _SPELLINGS.get("normalized" if self.model is None else self.model)
        if spelling is None:
            raise WrongUseError(f"--model is normalized or logistic, not {self.model!r}")
        low, high = _ELO[0] if self.elo0 is None else self.elo0, _ELO[1] if self.elo1 is None else self.elo1
        return Hypotheses(low, high, Model(spelling), self.alpha, self.beta)

    def _points(self) -> "Hypotheses":
        from arena.sprt.sequential import Hypotheses, Model

        if (self.elo0, self.elo1, self.model) != (None, None, None):
            raise WrongUseError("--margin tests points, and goes with none of --elo0, --elo1 and --model")
        assert self.margin is not None
        try:
            low, high = map(float, self.margin.split(","))
        except ValueError as error:
            raise WrongUseError(f"--margin takes two numbers, LOW,HIGH, not {self.margin!r}") from error
        return Hypotheses(low, high, Model.POINTS, self.alpha, self.beta)


def compare(
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            autocompletion=completion.bots,
            metavar="NEW OLD",
            help=f"The new version, then the old one or several other bots: {BOTS}.",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            autocompletion=completion.bots,
            metavar="BOT...",
            help="Test NEW against each of these, on the same boards.",
        ),
    ] = None,
    variant: Annotated[
        str,
        typer.Option(
            metavar="VARIANT",
            help="The game, or several with commas: koikoi,koikoi45,kyogi.",
            autocompletion=completion.variants,
        ),
    ] = "koikoi",
    seats: Seats = None,
    *,
    test: TestOptions,
    boards_max: Annotated[
        int, typer.Option(metavar="N", min=1, help="Stop without a verdict after N board sets.")
    ] = 50_000,
    seed: Annotated[
        str | None, typer.Option(metavar="SEED", help="Board i has the seed SEED/i; by default a new one is drawn.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the replay of every match in this folder.")
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=128, help="Matches that run at once; by default one a processor."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Play from the start, whatever was played before.")] = False,
    listed: Annotated[
        bool, typer.Option("--list", help="List the tests that are kept, of these bots or all, and play nothing.")
    ] = False,
    how: MatchOptions,
    as_json: AsJson = False,
) -> None:
    """Test whether a new version of a bot is better than the old one.

    Plays mirrored boards until a sequential test can tell. Exit status 0 with every verdict, and without one when the
    boards are used up; 1 where a version keeps failing. Against several bots, or in several variants, each pair stops
    when it is decided, and one table follows; `--option koikoi:months=3` is then an option of one variant.

    What was played is kept in the data folder, by the versions' contents: the same command goes on with a test that was
    stopped, and shows one that is over.
    """
    import os

    from arena.cli.aio import run
    from arena.cli.kept_trial import Asked, Pair, print_kept, tried
    from core_ext import State, variant_info

    if listed:
        print_kept(how.data, [*(bots or ()), *(against or ())], as_json)
        return
    new, *more = bots or [""]
    old = [*(against or ()), *more]  # `--against A B C` is read as an option with A, and two arguments behind it
    if not (new and old):
        raise WrongUseError(
            "name the new bot, then one or more to test it against; --list shows the tests that are kept"
        )
    if seed is not None and not seed:
        raise WrongUseError("a seed must not be empty")
    pairs = []
    games = names_of("--variant", variant)
    for game in games:
        options = _options_in(game, games, how.option)
        number = variant_info(game).seats[-1] if seats is None else seats
        State.new(game, options, "check", number)
        pairs += [Pair((new, opponent), game, options, test.trial(number)) for opponent in old]
    if keep is not None:
        if len(pairs) > 1:
            raise WrongUseError("--keep is for a test of two bots in one variant")
        try:
            keep.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUseError(f"--keep {keep}: {error.strerror}") from error
    how.time()
    asked = Asked(boards_max, seed, adjusted=test.adjusted, keep=keep, again=again)
    at_once = len(os.sched_getaffinity(0)) if concurrency is None else concurrency
    run(tried(pairs, asked, how, at_once, as_json=as_json))


def _options_in(variant: str, variants: Sequence[str], pairs: Sequence[str] | None) -> dict[str, object]:
    """Return the options of a variant: those of all, and those that are named as its own, `koikoi:months=3`."""
    options = options_of(pairs)
    settings = {}
    for name, value in options.items():
        scope, colon, option = name.partition(":")
        if colon and scope not in variants:
            raise WrongUseError(f"--option {name}: the test has no variant {scope!r}")
        if scope == variant or not colon:
            settings[option if colon else name] = value
    return settings
