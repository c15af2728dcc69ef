"""`arena simulate`."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.values import AsJson, Options, options_of


def simulate(
    variant: Annotated[str, typer.Option("--variant", help="Which game, for example koikoi.")],
    matches: Annotated[int, typer.Option("--matches", min=1, help="How many matches.")] = 1,
    seed: Annotated[str, typer.Option("--seed", help="S for one match, S/1, S/2 … for several.")] = "1",
    bots: Annotated[
        str | None, typer.Option("--bots", metavar="A,B", help="House bots by seat; by default random.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option("--seats", help="How many seats, where the game leaves a choice.")
    ] = None,
    option: Options = None,
    transcript: Annotated[
        Path | None, typer.Option("--transcript", metavar="FILE", help="Write each match as a line of JSON.")
    ] = None,
    legal: Annotated[bool, typer.Option("--legal", help="With every decision's legal actions.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play matches in this process, without a server or a store."""
    from arena.simulate import SimulationError
    from arena.simulate import simulate as play
    from bots import house
    from core_ext import variant_info

    if legal and transcript is None:
        raise WrongUseError("--legal is for --transcript FILE")
    names = [name.strip().removeprefix("house:") for name in bots.split(",")] if bots is not None else None
    least, most, default = variant_info(variant).seats
    if names is None:
        names = ["random"] * (seats if seats is not None else default)
    elif seats is not None and seats != len(names):
        raise WrongUseError(f"--seats {seats}, but --bots names {len(names)}")
    if not least <= len(names) <= most:
        allowed = str(least) if least == most else f"{least} to {most}"
        raise WrongUseError(f"{variant} is played by {allowed} bots, not by {len(names)}")
    try:
        result = play(variant, matches, seed, [house(name) for name in names], options_of(option), transcript, legal)
    except SimulationError as error:
        raise WrongUseError(str(error)) from error
    except OSError as error:
        raise WrongUseError(f"{transcript}: {error.strerror}") from error
    if as_json:
        import msgspec

        typer.echo(msgspec.json.encode({**msgspec.structs.asdict(result), "bots": names}).decode())
        return
    counted = "1 match" if result.matches == 1 else f"{result.matches} matches"
    typer.echo(f"{counted} of {variant}, {result.decisions} decisions, {result.draws} drawn")
    for seat, name in enumerate(names):
        typer.echo(
            f"seat {seat} {name:<8} won {result.wins[seat]:>6}  total {result.totals[seat]:>8}  "
            f"margin a match {result.margins[seat]:+.2f}"
        )
