"""`arena bench`."""

from typing import Annotated, Literal, get_args

import typer

from arena.cli.failures import WrongUseError
from arena.cli.output import print_answer
from arena.cli.values import AsJson

Part = Literal["core", "wire", "league", "cage", "web", "envs", "metrics", "strength", "ladder"]


def bench(
    part: Annotated[Part, typer.Argument(metavar="|".join(get_args(Part)), help="What to measure.")],
    as_json: AsJson = False,
) -> None:
    """Measure what the documents claim: medians of one run. A quiet machine gives the truest figures."""
    from importlib import import_module

    from arena.bench import MissingProgramError, lines

    try:
        results = import_module(f"arena.bench.{part}").measure()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] in ("arena", "bots", "core_ext", "hanafuda"):
            raise
        package = error.name.partition(".")[0]
        raise WrongUseError(
            f"arena bench {part} needs {package}, which is not installed: pip install {package}"
        ) from error
    except MissingProgramError as error:
        raise WrongUseError(f"arena bench {part}: {error}") from error
    print_answer(as_json, {"results": [result._asdict() for result in results]}, lines(results))
