"""`arena ladder …`"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completion
from arena.cli.commands import command
from arena.cli.output import print_answer, print_document
from arena.cli.targets import Arena, StoreOptions
from arena.cli.values import AsJson, EnteredBot
from arena.league.plurals import pluralize

if TYPE_CHECKING:
    from arena.organizer.ladders import LadderState
    from arena.store import Store

app = typer.Typer(
    name="ladder", help="Standing ladders: bots play on idle processors all the time.", no_args_is_help=True
)

LadderName = Annotated[
    str, typer.Argument(autocompletion=completion.ladders, metavar="LADDER", help="The ladder's name.")
]


@command(app, "arena ladder open examples/evening.toml", name="open")
def open_ladder(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The ladder's file (TOML): a league's, with a [ladder].")
    ],
    target: StoreOptions,
    as_json: AsJson = False,
) -> None:
    """Open a ladder, which nodes play when they are idle.

    Run again with a changed file, the ladder goes on by that: with its bots at once, else from its next season on.
    """
    from arena.cli.league_file import faults, read_file
    from arena.organizer import ladders

    read = read_file(file, target, takes_entries=True, ladder=True)

    async def made(store: "Store") -> "LadderState":
        with faults(read.path, read.text):
            entries = await read.entrants(store)
        return await ladders.open_ladder(store, read.spec, entries)

    state = target.do(made, create=True)
    name = read.spec.name
    document = {"ladder": name, "variant": state.variant, "season": state.number}
    lines = [
        f"Ladder {name} is open: {state.variant}, season {state.number}.",
        f"Nodes play it when they are idle: arena serve{target.flags}",
        f"How it stands: arena ladder show {name}{target.flags}",
    ]
    print_answer(as_json, document, lines)


@command(app, "arena ladder list", name="list")
def list_ladders(arena: Arena, as_json: AsJson = False) -> None:
    """List the ladders of an arena."""
    from arena.services.ladders import view_in
    from hanafuda.arena.v1.ladder_pb2 import ListLaddersRequest

    answer = arena.read(lambda client: client.call(client.ladders.ListLadders, ListLaddersRequest()))
    views = [view_in(ladder) for ladder in answer.ladders]
    lines = [
        f"{view.name}  {view.variant}  {view.state}  season {view.season}, round {view.round} of {view.rounds}  "
        f"{pluralize(len(view.rows), 'bot')}"
        for view in views
    ]
    print_answer(as_json, {"ladders": views}, lines)


@command(app, "arena ladder show evening --json")
def show(name: LadderName, arena: Arena, as_json: AsJson = False) -> None:
    """Show a ladder's table."""
    from rich.console import Console

    from arena.cli.ladder_view import print_ladder
    from arena.cli.pager import paged
    from arena.services.ladders import view_in
    from hanafuda.arena.v1.ladder_pb2 import GetLadderRequest

    request = GetLadderRequest(name=name)
    view = view_in(arena.read(lambda client: client.call(client.ladders.GetLadder, request)).ladder)
    if as_json:
        print_document(view)
        return
    console = Console()
    with paged(console):
        print_ladder(console, view)


@command(app, "arena ladder enter evening house:search --as second")
def enter(
    name: LadderName,
    bot: EnteredBot,
    arena: Arena,
    as_name: Annotated[str | None, typer.Option("--as", metavar="NAME", help="The bot's name on the ladder.")] = None,
    as_json: AsJson = False,
) -> None:
    """Have a bot on a ladder. A submitted bot plays its active version, unless one is named."""
    from arena.cli.entering import enter_ladder_here, enter_ladder_there

    if arena.server is None:
        entered, new = arena.store.do(lambda store: enter_ladder_here(store, name, bot, as_name))
    else:
        entered, new = arena.server.do(lambda client: enter_ladder_there(client, arena.flags, name, bot, as_name))
    text = f"{entered} has entered ladder {name}" if new else f"{entered} is on ladder {name} already"
    print_answer(as_json, {"ladder": name, "bot": entered, "already_entered": not new}, [text])


@command(app, "arena ladder leave evening second")
def leave(
    name: LadderName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot's name on the ladder.")],
    arena: Arena,
    as_json: AsJson = False,
) -> None:
    """Take a bot off a ladder; it keeps its rating until it enters again."""
    from arena.organizer import ladders
    from hanafuda.arena.v1.ladder_pb2 import LeaveLadderRequest

    if arena.server is None:
        has_left = arena.store.do(lambda store: ladders.leave(store, name, bot))
    else:
        request = LeaveLadderRequest(ladder=name, bot=bot)
        has_left = not arena.server.do(lambda client: client.call(client.ladders.LeaveLadder, request)).already_left
    text = f"{bot} leaves ladder {name} after this round" if has_left else f"{bot} has left ladder {name} before"
    print_answer(as_json, {"ladder": name, "bot": bot, "already_left": not has_left}, [text])


@command(app, "arena ladder close evening")
def close(name: LadderName, target: StoreOptions, as_json: AsJson = False) -> None:
    """End a ladder with the round under way.

    The secret of its season is published then. `arena ladder open` has it go on.
    """
    from arena.organizer import ladders

    closed = target.do(lambda store: ladders.close(store, name))
    text = f"ladder {name} ends with the round that is under way" if closed else f"ladder {name} was closed before"
    print_answer(as_json, {"ladder": name, "already_closed": not closed}, [text])
