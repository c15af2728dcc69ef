"""`arena match challenge, list, show, watch`: matches between bots at an arena that is called."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.documents import print_document
from arena.cli.places import Server
from arena.cli.values import AsJson, Lenient, Options, Variant, options_of

if TYPE_CHECKING:
    from hanafuda.arena.v1.match_pb2 import Match, MatchEnd

MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="The match's id.")]
_PATIENCE_S = 60.0
"""How long the nodes of an arena may be away while a match is watched."""


def challenge(
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT", help="Your bot, then its opponents by seat: a name, or house:NAME.")
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
    lenient: Lenient = False,
    as_json: AsJson = False,
) -> None:
    """Have your bot play others at an arena.

    The arena draws the cards. It prints the match's id.
    """
    import msgspec

    from arena.match.model import TimeControl
    from hanafuda.arena.v1 import match_pb2

    request = match_pb2.CreateMatchRequest(
        variant=variant,
        options={name: msgspec.json.encode(value).decode() for name, value in options_of(option).items()},
        bots=bots,
        bot=bots[0],
        policy=match_pb2.POLICY_LENIENT if lenient else match_pb2.POLICY_STRICT,
    )
    if decision_ms is not None or bank_ms is not None:
        default = TimeControl()
        request.time_control.per_decision_ms = default.per_decision_ms if decision_ms is None else decision_ms
        request.time_control.bank_ms = default.bank_ms if bank_ms is None else bank_ms
    match = server.do(lambda remote: remote.call(remote.matches.CreateMatch, request)).match
    if as_json:
        print_document(_document(match))
    else:
        typer.echo(match.match_id)


def list_matches(server: Server, as_json: AsJson = False) -> None:
    """List an arena's single matches, the oldest first."""
    from hanafuda.arena.v1.match_pb2 import ListMatchesRequest

    request = ListMatchesRequest(page_size=100)
    matches = server.do(lambda remote: remote.pages(remote.matches.ListMatches, request, lambda page: page.matches))
    if as_json:
        print_document({"matches": [_document(match) for match in matches]})
        return
    for match in matches:
        typer.echo(_line(match))


def show(match_id: MatchId, server: Server, as_json: AsJson = False) -> None:
    """Show how a match at an arena stands."""
    from hanafuda.arena.v1.match_pb2 import GetMatchRequest

    request = GetMatchRequest(match_id=match_id)
    match = server.do(lambda remote: remote.call(remote.matches.GetMatch, request)).match
    if as_json:
        print_document(_document(match))
        return
    typer.echo(_line(match))
    typer.echo(f"SHA-256 of its seed: {match.seed_commitment.hex()}")
    if match.replay_id:
        typer.echo(f"follow it: arena replay show {match.replay_id} --server {server.address}")


def watch(match_id: MatchId, server: Server) -> None:
    """Watch a match at an arena, move by move, to its end.

    When the connection is lost, it goes on at whichever node answers; nothing is missed.
    """
    from arena.cli.aio import run
    from arena.cli.watching import watched
    from hanafuda.arena.v1.match_pb2 import GetMatchRequest

    async def follow() -> "MatchEnd":
        async with server.connect() as remote:
            match = (await remote.call(remote.matches.GetMatch, GetMatchRequest(match_id=match_id))).match
        return await watched(server.endpoint, match, _PATIENCE_S)

    run(follow())


def _line(match: "Match") -> str:
    if not match.HasField("end"):
        return f"{match.match_id}  {match.variant}  {_status(match)}  {' : '.join(match.bots)}"
    from arena.cli.remote_source import end_of

    end = end_of(match.end.reason)
    told = " : ".join(f"{name} {points}" for name, points in zip(match.bots, match.end.results, strict=True))
    forfeit = f" ({match.bots[match.end.offender]} forfeited: {end})" if match.end.offender >= 0 else ""
    return f"{match.match_id}  {match.variant}  {_status(match)}  {told}{forfeit}"


def _document(match: "Match") -> dict[str, Any]:
    from arena.cli.remote_source import end_of

    over = match.HasField("end")
    return {
        "match": match.match_id,
        "variant": match.variant,
        "options": dict(match.options),
        "bots": list(match.bots),
        "status": _status(match),
        "seed_commitment": match.seed_commitment.hex(),
        "end": end_of(match.end.reason) if over else None,
        "offender": match.end.offender if over else -1,
        "results": list(match.end.results),
        "placing": list(match.end.placing),
        "replay": match.replay_id or None,
    }


def _status(match: "Match") -> str:
    from hanafuda.arena.v1.match_pb2 import MatchStatus

    return MatchStatus.Name(match.status).removeprefix("MATCH_STATUS_").lower()
