"""`arena match …`"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import completion, trial
from arena.cli.commands import command
from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.interrupts import saying_if_stopped
from arena.cli.output import print_answer, print_document, score_text
from arena.cli.targets import Arena, Server
from arena.cli.values import BOTS, AsJson, Lenient, MatchOptions, Options, Variant, options_of, time_control

if TYPE_CHECKING:
    from arena.remote.client import Client
    from core_ext import Event
    from hanafuda.arena.v1 import match_pb2

app = typer.Typer(name="match", help="Play single matches, or compare two bots.", no_args_is_help=True)

MatchId = Annotated[str, typer.Argument(autocompletion=completion.matches, metavar="MATCH", help="The match's id.")]


@command(app, "arena match play ./my_bot.py house:greedy --variant koikoi --seed 7")
def play(
    bots: Annotated[
        list[str], typer.Argument(autocompletion=completion.bots, metavar="BOT", help=f"The bots by seat: {BOTS}.")
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
    from arena.cli.startable import local_names
    from arena.match.model import MatchSpec
    from core_ext import State, parse_seed

    spec = MatchSpec(
        match_id=f"local-{secrets.token_hex(4)}",
        variant=variant,
        seed=parse_seed(secrets.token_hex(32) if seed is None else seed),
        names=local_names(bots),
        options=options_of(how.option),
        time=how.time(),
        policy=how.policy(),
    )
    State.new(spec.variant, spec.options, spec.seed, len(bots))
    with saying_if_stopped(lambda: "stopped: the match is not kept"):
        run(local.play(spec, bots, how, as_json))


command(
    app,
    "arena match test ./new.py ./old.py --elo1 20",
    "arena match test ./new.py --against ./old.py house:greedy house:search",
    "arena match test --list",
    name="test",
)(trial.compare)


@command(app, "arena match challenge my-bot house:greedy --server localhost:7777")
def challenge(
    bots: Annotated[
        list[str],
        typer.Argument(
            autocompletion=completion.bots,
            metavar="BOT",
            help="Your bot, then its opponents by seat: NAME, NAME@VERSION, house:NAME; yours also a path or folder.",
        ),
    ],
    server: Server,
    variant: Variant = "koikoi",
    option: Options = None,
    decision_ms: Annotated[
        int | None, typer.Option(metavar="MS", min=0, help="Time for each decision; default: the arena's.")
    ] = None,
    bank_ms: Annotated[
        int | None, typer.Option(metavar="MS", min=0, help="Time for the whole match beyond that.")
    ] = None,
    cover_ms: Annotated[
        int, typer.Option(metavar="MS", min=0, max=10_000, help="Waits that hide who is asked in secret.")
    ] = 0,
    lenient: Lenient = False,
    logs: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder for the logs of a program of this machine.")
    ] = Path("bot-logs"),
    as_json: AsJson = False,
) -> None:
    """Have your bot play others at an arena.

    Prints the match's id. The arena draws the cards. A program of this machine, a path or a folder, is connected for
    the match with --token, which is then its bot's, and the match is played to its end.
    """
    import msgspec

    from arena import wire
    from arena.cli.infos import match_document
    from arena.launcher.sources import HOUSE, names_a_path
    from hanafuda.arena.v1 import match_pb2

    for opponent in bots[1:]:
        if names_a_path(opponent):
            raise WrongUseError(
                f"{opponent} is on this machine, and opponents play at the arena: {opponent!r} has no name there"
            )
    if bots[0].startswith(HOUSE):
        raise WrongUseError(f"{bots[0]} cannot challenge anybody: name your own bot first, then its opponents")
    request = match_pb2.CreateMatchRequest(
        variant=variant,
        options={name: msgspec.json.encode(value).decode() for name, value in options_of(option).items()},
        bots=bots,
        bot=bots[0].partition("@")[0],
        policy=match_pb2.POLICY_LENIENT if lenient else match_pb2.POLICY_STRICT,
        cover_ms=cover_ms,
    )
    if decision_ms is not None or bank_ms is not None:
        request.time_control.CopyFrom(wire.time_to_wire(time_control(decision_ms, bank_ms)))
    if names_a_path(bots[0]):
        _challenge_with(bots[0], request, server, logs, as_json)
        return
    match = server.do(lambda client: client.call(client.matches.CreateMatch, request)).match
    print_answer(as_json, match_document(match), [match.match_id])


@command(app, "arena match list --server localhost:7777", name="list")
def list_matches(arena: Arena, as_json: AsJson = False) -> None:
    """List single matches, the oldest first."""
    from arena.cli.infos import match_document
    from hanafuda.arena.v1.match_pb2 import ListMatchesRequest

    request = ListMatchesRequest()
    listed = arena.read(lambda client: client.list_all(client.matches.ListMatches, request, lambda page: page.matches))
    matches = [match_document(match) for match in listed]
    print_answer(as_json, {"matches": matches}, map(_line, matches))


@command(app, "arena match show 0123456789abcdef --server localhost:7777")
def show(match_id: MatchId, arena: Arena, as_json: AsJson = False) -> None:
    """Show how a single match stands."""
    from arena.cli.infos import match_document
    from hanafuda.arena.v1.match_pb2 import GetMatchRequest

    request = GetMatchRequest(match_id=match_id)
    match = match_document(arena.read(lambda client: client.call(client.matches.GetMatch, request)).match)
    lines = [_line(match), f"SHA-256 of its seed: {match['seed_commitment']}"]
    if match["replay"]:
        lines.append(f"follow it: arena replay show {match['replay']}{arena.flags}")
    print_answer(as_json, match, lines)


@command(app, "arena match watch 0123456789abcdef --server localhost:7777")
def watch(match_id: MatchId, server: Server, as_json: AsJson = False) -> None:
    """Watch a match at an arena, move by move, to its end.

    When the connection is lost, it goes on at whichever node answers; nothing is missed. With --json the events are
    printed together when the match is over, as docs/protocol.md has them.
    """
    from google.protobuf.json_format import MessageToDict

    from arena import wire
    from arena.cli.aio import run
    from arena.cli.infos import match_document
    from arena.cli.watching import followed, watched
    from hanafuda.arena.v1.match_pb2 import GetMatchRequest

    async def follow() -> None:
        async with server.connect() as client:
            match = (await client.call(client.matches.GetMatch, GetMatchRequest(match_id=match_id))).match
        if not as_json:
            await watched(server.endpoint, match)
            return
        events: list[Event] = []
        over = await followed(server.endpoint, match, events.append)
        messages = [MessageToDict(wire.event_to_wire(event), preserving_proto_field_name=True) for event in events]
        print_document({**match_document(over), "events": messages})

    run(follow())


@command(app, "arena match delete 0123456789abcdef --server localhost:7777")
def delete(
    match_ids: Annotated[
        list[str], typer.Argument(autocompletion=completion.matches, metavar="MATCH", help="The ids of the matches.")
    ],
    arena: Arena,
) -> None:
    """Delete single matches that are over, with their replays.

    With --server, those that the token's owner asked for. Nodes delete matches by themselves when they have been kept
    for the time that `arena serve --keep-matches` says.
    """

    from hanafuda.arena.v1.match_pb2 import DeleteMatchRequest

    async def delete_all(client: "Client") -> None:
        for match_id in match_ids:
            await client.call(client.matches.DeleteMatch, DeleteMatchRequest(match_id=match_id))
            typer.echo(f"match {match_id} is deleted")

    arena.do(delete_all)


def _challenge_with(
    bot: str, request: "match_pb2.CreateMatchRequest", server: Server, logs: Path, as_json: bool
) -> None:
    """Have a program of this machine play the challenge. Raises what keeps it from that, and CheckFailedError."""
    from arena.cli.aio import run
    from arena.cli.challenging import challenged_with
    from arena.cli.infos import match_document
    from arena.launcher.sources import PathBot, parse_source

    source = parse_source(bot)
    assert isinstance(source, PathBot)
    try:
        logs.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUseError(f"--logs {logs}: {error.strerror}") from error
    match = run(challenged_with(source, request, server, logs))
    document = match_document(match)
    print_answer(as_json, document, [_line(document)])
    if document["bots"][document["offender"]] == request.bot and document["offender"] >= 0:
        raise CheckFailedError(f"{request.bot} forfeited: {document['text']}; its log is in {logs}")


def _line(match: dict[str, Any]) -> str:
    start = f"{match['match']}  {match['variant']}  {match['status']}  "
    bots = match["bots"]
    if match["end"] is None:
        return start + " : ".join(bots)
    score = score_text(bots, match["results"], match["offender"], match["end"])
    return start + (f"{score} ({match['text']})" if match["end"] == "abandoned" else score)
