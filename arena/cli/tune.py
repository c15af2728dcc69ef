"""`arena bot tune`"""

import hashlib
import importlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import completion
from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.interrupts import saying_if_stopped
from arena.cli.values import DEFAULT_DATA, OWN_BOTS, AsJson, Data, Options, Seats, Variant, options_of
from arena.private_files import private_folder

if TYPE_CHECKING:
    from arena.tuning.parameters import Parameter, Values
    from arena.tuning.study import Measured, Optimum, Plan, Tuning

_HOUSE = "house:"
_FOLDER = "tunings"


def tune(
    bot: Annotated[
        str,
        typer.Argument(autocompletion=completion.own_bots, metavar="BOT", help=f"A Python bot of the SDK: {OWN_BOTS}."),
    ],
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=LOW:HIGH[:int]", help="A parameter and its range; by default those of bot.toml."),
    ] = None,
    variant: Variant = "koikoi",
    seats: Seats = None,
    option: Options = None,
    against: Annotated[
        str | None,
        typer.Option(
            autocompletion=completion.own_bots,
            metavar="BOT",
            help="The opponent, named in the same ways; by default the start.",
        ),
    ] = None,
    trials: Annotated[int, typer.Option(metavar="N", min=4, max=1_000, help="How many values are tried.")] = 60,
    boards: Annotated[int, typer.Option(metavar="N", min=2, help="Mirrored boards for each of them.")] = 40,
    test_boards: Annotated[
        int, typer.Option(metavar="N", min=2, help="Boards of the last test, which no trial has seen.")
    ] = 400,
    adjusted: Annotated[bool, typer.Option("--adjusted", help="Take the luck of the cards out of margins.")] = False,
    seed: Annotated[str, typer.Option(metavar="SEED", help="Where the boards come from.")] = "tune",
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=256, help="Processes; default: all processors.")
    ] = None,
    study: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the trials are kept; by default in the data folder.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Write what was found as a picture, SVG.")] = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Find the parameters of a bot by play.

    Plays values of its parameters on mirrored boards against the bot as it starts, looks where they do well, and says
    which are best, how sure that is, and what they gain on boards that were not seen before. The bot runs in processes
    of this command, with your rights. The same command goes on with a tuning that was stopped.
    """
    from arena.cli.output import print_document
    from arena.tuning.errors import TuningError

    try:
        from arena.tuning.study import Tuning
    except ModuleNotFoundError as error:
        if error.name != "optuna":
            raise
        raise WrongUseError("optuna is not installed: pip install 'hanafuda-arena[tune]'") from error
    count = jobs or len(os.sched_getaffinity(0))
    try:
        plan = _plan(bot, param, variant, seats, option, against, boards, seed, adjusted=adjusted)
    except TuningError as error:
        raise WrongUseError(str(error)) from error
    try:
        if study is None:
            private_folder(data)
        file = study or data / _FOLDER / f"{_digest(plan)}.journal"
        tuning = Tuning(plan, file)
        played = len(tuning.trials)
        say = _Progress(plan.parameters, trials, quiet=as_json)
        say.begins(played, file)
        with saying_if_stopped(lambda: f"stopped; the same command goes on with the trials in {file}"):
            tuning.play(trials, count, say.trial)
            surface = tuning.surface()
            optimum = tuning.optimum(surface)
            tested = tuning.test(optimum.best, test_boards, count)
    except TuningError as error:
        raise CheckFailedError(str(error)) from error
    except OSError as error:
        raise WrongUseError(f"{error.filename or study}: {error.strerror}") from error
    if plot is not None:
        _draw(plot, tuning, optimum)
    if as_json:
        print_document(_document(plan, optimum, tested, test_boards, file))
        return
    for line in _lines(plan, optimum, tested, test_boards):
        typer.echo(line)
    if plot is not None:
        typer.echo(f"plot: {plot}")


def _plan(
    bot: str,
    param: list[str] | None,
    variant: str,
    seats: int | None,
    option: list[str] | None,
    against: str | None,
    boards: int,
    seed: str,
    *,
    adjusted: bool,
) -> "Plan":
    """What is tuned. Raises WrongUseError, TuningError, LauncherError, CoreError."""
    from arena.cli.startable import own_program
    from arena.launcher.sources import HouseBot
    from arena.packs.manifest import MANIFEST
    from arena.tuning.boards import Contest
    from arena.tuning.errors import TuningError
    from arena.tuning.loading import load_bot
    from arena.tuning.parameters import declared_parameters, parse_parameter
    from arena.tuning.study import Plan
    from bots import HOUSE_MODULES, HOUSE_PROGRAMS
    from core_ext import State, variant_info

    options = options_of(option)
    table = variant_info(variant).seats[-1] if seats is None else seats
    State.new(variant, options, "check", table)

    def program_of(text: str) -> Path:
        source = own_program(text)
        if source is None:
            raise WrongUseError(
                f"{text!r} is no program of yours: tuning runs bots without a cage, so it takes house:NAME, a path or "
                "a folder"
            )
        if isinstance(source, HouseBot):
            return Path(importlib.import_module(HOUSE_MODULES[source.name]).__file__ or "")
        if source.runtime != "python":
            raise WrongUseError(f"{text!r} is no Python program: only those of the SDK can be tuned")
        return source.path if source.manifest is None else source.path / source.manifest.command[-1]

    program = program_of(bot)
    manifest = program.parent / MANIFEST
    ranges = [parse_parameter(text) for text in param or ()]
    if not ranges and manifest.is_file():
        ranges = list(declared_parameters(manifest))
    if not ranges:
        raise WrongUseError(f"say what to tune: --param NAME=LOW:HIGH, or a table [parameters] in {manifest}")
    names = [parameter.name for parameter in ranges]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise WrongUseError(f"--param {twice} is given twice")
    _, defaults = load_bot(program, {})
    for parameter in ranges:
        if parameter.name not in defaults:
            asks = f"it asks for {', '.join(defaults)}" if defaults else "it asks for none: K = parameter('k', 1.0)"
            raise TuningError(f"{bot} asks for no parameter {parameter.name!r}; {asks}")
    opponent = str(program)
    if against is not None:
        if against.startswith(_HOUSE) and against.removeprefix(_HOUSE) not in HOUSE_PROGRAMS:
            raise WrongUseError(
                f"there is no {against}; there are {', '.join(_HOUSE + name for name in HOUSE_PROGRAMS)}"
            )
        opponent = against if against.startswith(_HOUSE) else str(program_of(against))
    contest = Contest(str(program), opponent, variant, options, table, adjusted)
    start = {parameter.name: float(defaults[parameter.name]) for parameter in ranges}
    for parameter in ranges:
        if not parameter.low <= start[parameter.name] <= parameter.high:
            raise WrongUseError(
                f"--param {parameter.name}: the bot starts at {parameter.text(start[parameter.name])}, "
                f"which is outside {parameter.text(parameter.low)} to {parameter.text(parameter.high)}"
            )
    return Plan(contest, tuple(ranges), start, seed, boards, _contents(program))


def _contents(program: Path) -> str:
    """What tells two versions of a program apart: the digest of the Python files of its folder."""
    files = sorted(program.parent.glob("*.py"))[:1_000]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


def _digest(plan: "Plan") -> str:
    import msgspec

    return hashlib.sha256(msgspec.json.encode(plan)).hexdigest()[:16]


class _Progress:
    """A line for every trial."""

    def __init__(self, parameters: "tuple[Parameter, ...]", trials: int, *, quiet: bool) -> None:
        self._parameters = parameters
        self._trials = trials
        self._quiet = quiet
        self._began = time.monotonic()

    def begins(self, played: int, file: Path) -> None:
        if not self._quiet:
            typer.echo(
                f"{played} of {self._trials} trials are in {file}" if played else f"trials are kept in {file}", err=True
            )

    def trial(self, number: int, values: "Values", measured: "Measured") -> None:
        from arena.tuning.parameters import texts_of

        if self._quiet:
            return
        text = texts_of(self._parameters, values)
        typer.echo(f"{number}/{self._trials}  {text}: {measured.margin:+.2f} ± {1.96 * measured.error:.2f}", err=True)


def _draw(file: Path, tuning: "Tuning", optimum: "Optimum") -> None:
    from arena.tuning.plot import svg

    try:
        file.write_text(
            svg(tuning.plan.parameters, tuning.measured(), tuning.surface(), optimum, tuning.plan.start), "utf-8"
        )
    except OSError as error:
        raise WrongUseError(f"--plot {file}: {error.strerror}") from error


def _lines(plan: "Plan", optimum: "Optimum", tested: "Measured", boards: int) -> list[str]:
    from arena.tuning.parameters import texts_of

    low, high = tested.interval
    verdict = "better" if low > 0 else "worse" if high < 0 else "not told apart"
    opponent = "the start" if plan.contest.opponent == plan.contest.program else plan.contest.opponent
    rows = [
        f"{parameter.name}: best {parameter.text(optimum.best[parameter.name])}, "
        f"95 % between {parameter.text(optimum.low[parameter.name])} "
        f"and {parameter.text(optimum.high[parameter.name])}; "
        f"it started at {parameter.text(plan.start[parameter.name])}"
        for parameter in plan.parameters
    ]
    return [
        *rows,
        f"{texts_of(plan.parameters, optimum.best)} against {opponent}, on {boards} boards that no trial saw: "
        f"{tested.margin:+.2f} points a match, 95 % between {low:+.2f} and {high:+.2f}: {verdict}",
    ]


def _document(plan: "Plan", optimum: "Optimum", tested: "Measured", boards: int, file: Path) -> dict[str, Any]:
    low, high = tested.interval
    return {
        "study": str(file),
        "trials": optimum.trials,
        "start": plan.start,
        "best": optimum.best,
        "low": optimum.low,
        "high": optimum.high,
        "test": {"boards": boards, "margin": tested.margin, "low": low, "high": high},
    }
