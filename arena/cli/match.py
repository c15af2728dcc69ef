"""`arena match …`"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import matches, trial
from arena.cli.commands import command
from arena.cli.documents import print_document
from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.local import local_names, local_sources, may_be_submitted, sources_with_versions
from arena.cli.places import StoreOptions
from arena.cli.values import (
    DEFAULT_DATA,
    AsJson,
    BankMs,
    Data,
    DecisionMs,
    Lenient,
    Options,
    StartMs,
    Uncaged,
    Variant,
    confinement_of,
    options_of,
)
from arena.private_files import private_folder

if TYPE_CHECKING:
    from arena.launcher.cage.shared import SharedCages
    from arena.launcher.path_bots import Confinement
    from arena.launcher.sources import Source
    from arena.match.model import MatchResult, MatchSpec
    from arena.submissions.starter import VersionStarter

app = typer.Typer(name="match", help="Play single matches, or compare two bots.", no_args_is_help=True)
command(app, "arena match test ./new.py ./old.py --elo1 20", name="test")(trial.compare)
_THERE = "--server localhost:7777"
for function, name, arguments in (
    (matches.challenge, "challenge", "my-bot house:greedy"),
    (matches.list_matches, "list", ""),
    (matches.show, "show", "0123456789abcdef"),
    (matches.watch, "watch", "0123456789abcdef"),
    (matches.delete, "delete", "0123456789abcdef"),
):
    command(app, " ".join(filter(None, ("arena match", name, arguments, _THERE))), name=name)(function)


@command(app, "arena match play ./my_bot.py house:greedy --variant koikoi --seed 7")
def play(
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT", help="The bots by seat: house:NAME, a path, or NAME@VERSION.")
    ],
    variant: Variant = "koikoi",
    seed: Annotated[
        str | None, typer.Option(metavar="SEED", help="The match's seed; by default a new one is drawn.")
    ] = None,
    option: Options = None,
    decision_ms: DecisionMs = 2_000,
    bank_ms: BankMs = 60_000,
    start_ms: StartMs = 30_000,
    lenient: Lenient = False,
    uncaged: Uncaged = False,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Play one match between bots, and keep its replay.

    The arena starts the bots: those that were submitted, and those that are paths, in a cage. Exit status 1 when one of
    them forfeits.
    """
    import secrets

    from arena.cli.aio import run
    from arena.match.model import MatchSpec, Policy, TimeControl
    from core_ext import State, parse_seed

    try:
        time = TimeControl(decision_ms, bank_ms)
    except ValueError as error:
        raise WrongUseError(str(error)) from error
    spec = MatchSpec(
        match_id=f"local-{secrets.token_hex(4)}",
        variant=variant,
        seed=parse_seed(secrets.token_hex(32) if seed is None else seed),
        names=local_names(bots),
        options=options_of(option),
        time=time,
        policy=Policy.LENIENT if lenient else Policy.STRICT,
    )
    State.new(spec.variant, spec.options, spec.seed, len(bots))
    run(_play(spec, bots, data, start_ms / 1000, confinement_of(uncaged), as_json))


async def _play(
    spec: "MatchSpec", bots: list[str], data: Path, start_s: float, confinement: "Confinement", as_json: bool
) -> None:
    import asyncio
    from contextlib import AsyncExitStack

    import msgspec

    from arena.launcher.sources import SubmittedBot, house_bots
    from arena.match.play import play as referee
    from arena.node.node import NodeTokens, serving
    from arena.replays import encode, from_match
    from arena.stream.hub import Hub

    async with AsyncExitStack() as stack:
        sources, starter, cages = await stack.enter_async_context(_sources(bots, spec.variant, data))
        versions = tuple(source.version if isinstance(source, SubmittedBot) else "" for source in sources)
        spec = msgspec.structs.replace(spec, versions=versions)
        private_folder(data)  # as a node would make it: what bots write and what was played is the owner's
        node = serving(Hub(), NodeTokens(), data / "logs", start_s=start_s, confinement=confinement, cages=cages)
        _, players = await stack.enter_async_context(node)
        players.starter = starter
        seats = await stack.enter_async_context(
            players.seats(spec.match_id, list(zip(spec.names, sources, strict=True)))
        )
        result = await referee(spec, seats)
    record = from_match(spec, result, clock=True, house_bots=house_bots(sources))
    path = data / "replays" / f"{spec.match_id}.hreplay"
    try:
        await asyncio.to_thread(_write, path, encode(record))
    except OSError as error:
        raise WrongUseError(f"{path}: {error.strerror}") from error
    _report(spec, result, path, as_json)


@asynccontextmanager
async def _sources(
    bots: list[str], variant: str, data: Path
) -> "AsyncIterator[tuple[list[Source], VersionStarter | None, SharedCages]]":
    """The bots, what starts those that were submitted, where there may be any, and the cages for all."""
    from arena.launcher.cage.limits import CageLimits
    from arena.launcher.cage.shared import SharedCages
    from arena.submissions.cache import PackCache, own_folder
    from arena.submissions.starter import VersionStarter

    place = StoreOptions(data)
    if not (place.exists and may_be_submitted(bots)):
        yield local_sources(bots, variant), None, SharedCages()
        return
    async with place.open() as store:
        sources = await sources_with_versions(bots, variant, store)
        with own_folder(data / "versions") as folder:
            cages = SharedCages(limits=CageLimits.with_fuel(store.fuel))
            yield sources, VersionStarter(store, PackCache(store, folder), cages.get()), cages


def _write(path: Path, replay: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(replay)


def _report(spec: "MatchSpec", result: "MatchResult", path: Path, as_json: bool) -> None:
    if as_json:
        document = {
            "match": spec.match_id,
            "variant": spec.variant,
            "seed": spec.seed.hex(),
            "bots": spec.names,
            "versions": spec.versions,
            "end": result.end.value,
            "offender": result.offender,
            "text": result.text,
            "results": result.results,
            "placing": result.placing,
            "replay": str(path),
        }
        print_document(document)
    else:
        width = max(map(len, spec.names))
        for place, name, points in sorted(zip(result.placing, spec.names, result.results, strict=True)):
            typer.echo(f"{place}. {name:<{width}} {points:>5}")
        typer.echo(f"seed {spec.seed.hex()}")
        typer.echo(f"replay {path}\nfollow it: arena replay show {quote(str(path))}")
    if result.offender >= 0:
        name = spec.names[result.offender]
        log = path.parents[1] / "logs" / spec.match_id / f"{name}.log"
        raise CheckFailedError(f"{name} forfeited ({result.end}): {result.text}\nwhat it wrote: {log}")
