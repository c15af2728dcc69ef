"""`arena simulate`."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.interrupts import saying_if_stopped
from arena.cli.output import print_answer
from arena.cli.targets import StoreOptions
from arena.cli.values import (
    BOTS,
    DEFAULT_DATA,
    AsJson,
    Data,
    Options,
    Seats,
    Uncaged,
    Variant,
    confinement_of,
    names_of,
    options_of,
)


def simulate(
    variant: Variant = "koikoi",
    matches: Annotated[int, typer.Option(metavar="N", min=1, help="The number of matches.")] = 1,
    seed: Annotated[
        str, typer.Option(metavar="SEED", help="The seed of one match; several have SEED/1, SEED/2 and so on.")
    ] = "1",
    bots: Annotated[
        str | None, typer.Option(metavar="BOT,BOT", help=f"The bots by seat: {BOTS}; by default all are random.")
    ] = None,
    seats: Seats = None,
    option: Options = None,
    transcript: Annotated[Path | None, typer.Option(metavar="FILE", help="Write each match as a line of JSON.")] = None,
    legal: Annotated[bool, typer.Option("--legal", help="Also list the legal actions of every decision.")] = False,
    uncaged: Uncaged = False,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Play matches in this process, without a server or a store.

    House bots, which need no `house:` here, play thousands of matches a second. Any other bot is started for each of
    its matches, as by `arena match play`. Exit status 2 when one fails.
    """
    from msgspec import structs

    from arena.cli.aio import run
    from arena.launcher.sources import HOUSE
    from arena.league.plurals import pluralize
    from arena.simulate import SimulationError
    from arena.simulate import simulate as play
    from bots import HOUSE_PROGRAMS, house
    from core_ext import State, variant_info

    if legal and transcript is None:
        raise WrongUseError("--legal is for --transcript FILE")
    if bots is None:
        names = []
        number = variant_info(variant).seats[-1] if seats is None else seats
    else:
        names = [_bare(name) for name in names_of("--bots", bots, repeats=True)]
        number = len(names)
        if seats not in (None, number):
            raise WrongUseError(f"--seats {seats}, but --bots names {number}")
    State.new(variant, options_of(option), seed, number)  # refused before a match is played
    names = names or ["random"] * number

    def stop_text() -> str:
        if transcript is None:
            return "stopped: nothing of the matches is kept"
        written = len(transcript.read_bytes().splitlines()) if transcript.exists() else 0
        return f"stopped: {pluralize(written, 'match', 'matches')} of {matches} in {transcript}, the sums are not kept"

    try:
        with saying_if_stopped(stop_text):
            options = options_of(option)
            if all(name in HOUSE_PROGRAMS for name in names):
                result = play(variant, matches, seed, [house(name) for name in names], options, transcript, legal)
            else:
                from arena.cli.simulated import simulated

                result = run(
                    simulated(
                        variant,
                        matches,
                        seed,
                        [HOUSE + name if name in HOUSE_PROGRAMS else name for name in names],
                        options,
                        transcript,
                        legal=legal,
                        confinement=confinement_of(uncaged),
                        target=StoreOptions(data),
                    )
                )
    except SimulationError as error:
        raise WrongUseError(str(error)) from error
    except OSError as error:
        raise WrongUseError(f"{transcript}: {error.strerror}") from error
    played, decisions = pluralize(result.matches, "match", "matches"), pluralize(result.decisions, "decision")
    lines = [f"{played} of {variant}, {decisions}, {result.draws} drawn"]
    lines += (
        f"seat {seat} {name:<8} won {result.wins[seat]:>6}  total {result.totals[seat]:>8}  "
        f"margin a match {result.margins[seat]:+.2f}"
        for seat, name in enumerate(names)
    )
    print_answer(as_json, {**structs.asdict(result), "bots": names}, lines)


def _bare(name: str) -> str:
    """The name of a house bot as it is here; any other as it was given."""
    from bots import HOUSE_PROGRAMS

    bare = name.removeprefix("house:")
    return bare if bare in HOUSE_PROGRAMS else name
