"""`arena match …`"""

from typing import Annotated

import typer

from arena.cli import matches, trial
from arena.cli.commands import command
from arena.cli.values import AsJson, MatchOptions, Variant, options_of

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
    *,
    how: MatchOptions,
    as_json: AsJson = False,
) -> None:
    """Play one match between bots, and keep its replay.

    The arena starts the bots: those that were submitted, and those that are paths, in a cage. Exit status 1 when one of
    them forfeits.
    """
    import secrets

    from arena.cli import local
    from arena.cli.aio import run
    from arena.match.model import MatchSpec
    from core_ext import State, parse_seed

    spec = MatchSpec(
        match_id=f"local-{secrets.token_hex(4)}",
        variant=variant,
        seed=parse_seed(secrets.token_hex(32) if seed is None else seed),
        names=local.local_names(bots),
        options=options_of(how.option),
        time=how.time(),
        policy=how.policy(),
    )
    State.new(spec.variant, spec.options, spec.seed, len(bots))
    run(local.play(spec, bots, how, as_json))
