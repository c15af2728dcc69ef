"""`arena match test`"""

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.values import AsJson, MatchOptions, Seats, Variant, options_of

if TYPE_CHECKING:
    from arena.sprt.sequential import Hypotheses
    from arena.sprt.trial import Measure

_SPELLINGS = {"normalized": "normalised", "normalised": "normalised", "logistic": "logistic"}
_ELO = (0.0, 5.0)


def compare(
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new version: house:NAME, or a path.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The old version.")],
    variant: Variant = "koikoi",
    seats: Seats = None,
    elo0: Annotated[
        float | None, typer.Option(metavar="ELO", help="Not better: at most this Elo; by default 0.")
    ] = None,
    elo1: Annotated[float | None, typer.Option(metavar="ELO", help="Better: at least this Elo; by default 5.")] = None,
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="The unit of Elo: normalized (the default) or logistic.")
    ] = None,
    margin: Annotated[
        str | None,
        typer.Option(metavar="LOW,HIGH", help="Test the mean margin instead, in points a match."),
    ] = None,
    alpha: Annotated[float, typer.Option(metavar="P", help="The accepted probability of a false 'better'.")] = 0.05,
    beta: Annotated[float, typer.Option(metavar="P", help="The accepted probability of a false 'not better'.")] = 0.05,
    boards_max: Annotated[
        int, typer.Option(metavar="N", min=1, help="Stop without a verdict after N board sets.")
    ] = 50_000,
    seed: Annotated[
        str | None, typer.Option(metavar="SEED", help="Board i has the seed SEED/i; by default a new one is drawn.")
    ] = None,
    concurrency: Annotated[int, typer.Option(metavar="N", min=1, max=128, help="Matches that run at once.")] = 8,
    *,
    how: MatchOptions,
    as_json: AsJson = False,
) -> None:
    """Test whether a new version of a bot is better than the old one.

    Plays mirrored boards until a sequential test can tell. Exit status 0 with every verdict, and without one when the
    boards are used up; 1 where a version keeps failing.
    """
    import secrets

    from arena.cli.aio import run
    from arena.cli.local import local_names, local_sources
    from arena.cli.trial_view import run_trial
    from arena.league.errors import StatisticsError
    from arena.sprt.run import SprtConfig
    from arena.sprt.trial import Trial
    from core_ext import State, variant_info

    options = options_of(how.option)
    seats = variant_info(variant).seats[-1] if seats is None else seats
    State.new(variant, options, "check", seats)
    if seed is not None and not seed:
        raise WrongUseError("a seed must not be empty")
    kind, hypotheses = _hypotheses(elo0, elo1, model, margin, alpha, beta)
    try:
        trial = Trial(seats, kind, hypotheses)
    except StatisticsError as error:
        raise WrongUseError(f"{error}: --margin LOW,HIGH") from error
    first, second = local_sources([new, old], variant)
    names = local_names([new, old])
    contest = SprtConfig(
        names=(names[0], names[1]),
        sources=(first, second),
        variant=variant,
        seed=secrets.token_hex(16) if seed is None else seed,
        boards=boards_max,
        options=options,
        time=how.time(),
        policy=how.policy(),
    )
    run(run_trial(contest, trial, how, concurrency, as_json))


def _hypotheses(
    elo0: float | None, elo1: float | None, model: str | None, margin: str | None, alpha: float, beta: float
) -> "tuple[Measure, Hypotheses]":
    from arena.sprt.sequential import Hypotheses, Model
    from arena.sprt.trial import Measure

    if margin is None:
        spelt = _SPELLINGS.get("normalized" if model is None else model)
        if spelt is None:
            raise WrongUseError(f"--model is normalized or logistic, not {model!r}")
        low, high = (given if given is not None else usual for given, usual in zip((elo0, elo1), _ELO, strict=True))
        return Measure.RESULTS, Hypotheses(low, high, Model(spelt), alpha, beta)
    if (elo0, elo1, model) != (None, None, None):
        raise WrongUseError("--margin tests points, and goes with none of --elo0, --elo1 and --model")
    try:
        low, high = map(float, margin.split(","))
    except ValueError as error:
        raise WrongUseError(f"--margin takes two numbers, LOW,HIGH, not {margin!r}") from error
    return Measure.MARGINS, Hypotheses(low, high, Model.POINTS, alpha, beta)
