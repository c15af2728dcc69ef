"""Matches one after another between bots of any kind, for `arena simulate`."""

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from arena.cli.startable import local_names, startable
from arena.cli.targets import StoreOptions
from arena.launcher.path_bots import Confinement
from arena.match.play import play
from arena.node.serving import BotOptions, serving
from arena.node.tokens import NodeTokens
from arena.scratch import scratch_folder
from arena.simulate import Simulation, SimulationError, Tally, specs
from arena.stream.hub import Hub
from core_ext import State


async def simulated(
    variant: str,
    matches: int,
    seed: str,
    bots: Sequence[str],
    options: Mapping[str, object],
    transcript: Path | None,
    *,
    legal: bool,
    confinement: Confinement,
    target: StoreOptions,
) -> Simulation:
    """Play as `arena.simulate.simulate`, with bots that are started for each match.

    Raises SimulationError where one forfeits, what `startable` raises and what keeps a match from being played.
    """
    names = local_names(bots)
    with scratch_folder() as folder, Tally(variant, len(bots), transcript, legal=legal) as tally:
        async with AsyncExitStack() as stack:
            programs = await stack.enter_async_context(startable(bots, variant, target))
            node = serving(
                Hub(), NodeTokens(), folder / "logs", BotOptions(confinement=confinement), cages=programs.cages
            )
            _, players = await stack.enter_async_context(node)
            players.starter = programs.starter
            for spec, text in specs(variant, matches, seed, names, options):
                async with players.seats(spec.match_id, list(zip(names, programs.sources, strict=True))) as seats:
                    result = await play(spec, seats)
                if result.offender >= 0:
                    where = f"the match of seed {text!r}"
                    raise SimulationError(
                        f"{names[result.offender]} (seat {result.offender}) forfeited {where} ({result.end}): "
                        f"{result.text}"
                    )
                state = State.new(spec.variant, spec.options, spec.seed, len(names))
                state.apply_choices(bytes(result.choices))
                tally.add(state, len(result.choices))
        return tally.simulation()
