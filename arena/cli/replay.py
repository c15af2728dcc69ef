"""`arena replay …`"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import analysis, completion, replay_export
from arena.cli.commands import command
from arena.cli.failures import CheckFailedError
from arena.cli.match_filters import MatchFilters
from arena.cli.output import print_answer, print_document, score_text
from arena.cli.replay_files import decoded, get, load, read
from arena.cli.targets import Arena, StoreOptions
from arena.cli.values import BOTS, AsJson, InLanguage, LanguageCode, SigningKeyText, Uncaged, signing_key_of

if TYPE_CHECKING:
    from arena.export import PlayedMatch
    from arena.remote.client import Client
    from arena.replays import ReplayRecord, Summary
    from arena.store import Store

app = typer.Typer(name="replay", help="List, show, verify and rerun replays of matches.", no_args_is_help=True)

Which = Annotated[
    str,
    typer.Argument(
        autocompletion=completion.replays, metavar="REPLAY", help="A replay's file, or its id in the arena."
    ),
]
Replays = Annotated[
    list[str],
    typer.Argument(autocompletion=completion.replays, metavar="REPLAY", help="Files of replays, or ids in the arena."),
]


@command(app, "arena replay list --league spring", "arena replay list --won greedy --json", name="list")
def list_replays(arena: Arena, chosen: MatchFilters, as_json: AsJson = False) -> None:
    """List replays.

    Without --server also those of `arena match play`, and the time (UTC) when each was kept. A replay of a league
    cannot be read before every match on its board is over.
    """
    from functools import partial

    from arena.cli.infos import end_of, minute
    from arena.replays import Summary, decode_summary
    from arena.store.paging import all_pages
    from hanafuda.arena.v1.league_pb2 import GetLeagueRequest
    from hanafuda.arena.v1.replay_pb2 import ListReplaysRequest

    listed: list[dict[str, Any]] = []
    is_empty = True
    league, bot = chosen.league, chosen.bot

    def show(name: str, match: "ReplayRecord | Summary | None", kept_at: str = "") -> None:
        nonlocal is_empty
        is_empty = False
        if as_json:
            listed.append(_listed(name, match) | {"kept_at": kept_at or None})
        else:
            score = "not readable yet, its board is still being played" if match is None else _score(match)
            typer.echo("  ".join(filter(None, (name, kept_at, "" if match is None else match.variant, score))))

    async def show_stored(store: "Store") -> None:
        if league is not None:
            await store.leagues.get(league)
        async for info in all_pages(partial(store.replays.list, league=league, bot=bot)):
            kept_at = minute(info.time_us / 1_000_000) if info.readable and info.time_us else ""
            show(info.id, decode_summary(info.about) if info.readable else None, kept_at)

    async def show_there(client: "Client") -> None:
        if league is not None:
            await client.call(client.leagues.GetLeague, GetLeagueRequest(name=league))  # an unknown one is refused
        request = ListReplaysRequest(league=league or "", bot=bot or "")
        async for replay in client.pages(client.replays.ListReplays, request, lambda page: page.replays):
            end = end_of(replay.end)
            summary = Summary(replay.variant, tuple(replay.bots), tuple(replay.results), end, replay.offender)
            show(
                replay.replay_id, summary, minute(replay.stored_at.ToSeconds()) if replay.HasField("stored_at") else ""
            )

    if chosen.need_replays:
        _show_chosen(arena, chosen, show)
    elif arena.server is not None:
        arena.server.do(show_there)
    else:
        if league is None:
            for path, record in _files(arena.store.data, bot):
                show(str(path), record, minute(path.stat().st_mtime))
        if league is not None or arena.store.exists:
            arena.store.read(show_stored)
    if as_json:
        print_document({"replays": listed})
    elif is_empty:
        where = "" if arena.server is not None or arena.store.redis else f" in {arena.store.data.resolve()}"
        typer.echo(f"there is no replay{chosen.text}{where}", err=True)


def _show_chosen(arena: Arena, chosen: MatchFilters, show: "Callable[[str, ReplayRecord], None]") -> None:
    """Show the replays that the filters admit, each of which is read for it: one that cannot be read is left out."""
    from arena.cli.exporting import from_sources, read

    wanted = chosen.filter()

    def add(match: "PlayedMatch") -> int:
        show(match.name, match.record)
        return 1

    from_sources(arena, [], lambda sources: read(sources, wanted, add))


@command(app, "arena replay download spring.koikoi.r1.t1.b1.a --to replays")
def download(
    replays: Annotated[list[str], typer.Argument(metavar="REPLAY", help="Ids of replays in the arena.")],
    arena: Arena,
    folder: Annotated[Path, typer.Option("--to", metavar="DIR", help="The folder of the files.")] = Path(),
) -> None:
    """Write replays to files, each named after its id."""
    downloaded = arena.read(lambda client: get(replays, client))
    folder.mkdir(parents=True, exist_ok=True)
    for replay, raw in downloaded.items():
        path = folder / f"{replay}.hreplay"
        path.write_bytes(raw)
        typer.echo(path)


@command(app, "arena replay show arena-data/replays/*.hreplay --month 3")
def show(
    replays: Replays,
    arena: Arena,
    month: Annotated[int | None, typer.Option(metavar="MONTH", help="Only the deals of this month.")] = None,
) -> None:
    """Draw matches in the terminal, decision by decision."""
    from rich.console import Console

    from arena.cli.pager import paged
    from arena.replays.show import show as draw

    console = Console()
    records = [decoded(raw, replay) for replay, raw in read(replays, arena)]
    with paged(console):
        for number, record in enumerate(records):
            if number:
                console.print()
            draw(record, console, month=month)


@command(app, "arena replay verify arena-data/replays/*.hreplay")
def verify(
    replays: Replays,
    arena: Arena,
    key: SigningKeyText = None,
    as_json: AsJson = False,
) -> None:
    """Replay matches, compare everything, and say who signed.

    Exit status 1 when anything differs, or a replay was altered.
    """
    from arena.replays import UnknownVersionError

    wanted = signing_key_of(key)
    verdicts: list[dict[str, Any]] = []
    failed: list[str] = []
    unknown: list[UnknownVersionError] = []
    for replay, raw in read(replays, arena):
        try:
            line, verdict = _verified(replay, raw, wanted)
            if not as_json:
                typer.echo(line)
        except CheckFailedError as failure:
            failed.append(str(failure))
            verdict = {"ok": False, "error": str(failure)}
        except UnknownVersionError as error:
            unknown.append(error)  # this program cannot tell whether the replay holds
            verdict = {"ok": None, "error": str(error)}
        verdicts.append({"replay": replay, **verdict})
    if as_json:
        print_document({"ok": not (failed or unknown), "replays": verdicts})
    if failed:
        raise CheckFailedError("\n".join([*failed, *map(str, unknown)]))
    if unknown:
        raise unknown[0]


def _verified(replay: str, raw: bytes, key: bytes | None) -> tuple[str, dict[str, Any]]:
    """What to say of a replay that holds, in words and as a document. CheckFailedError, UnknownVersionError."""
    from arena.league.plurals import pluralize
    from arena.replays import ReplayError, UnknownVersionError, decode
    from arena.replays import signer as signer_of
    from arena.replays import verify as check
    from arena.signatures import key_text

    try:
        record = decode(raw)
        signer = signer_of(raw)
        differences = check(record)
    except UnknownVersionError as error:
        raise UnknownVersionError(f"{replay}: {error}") from error
    except ReplayError as error:
        raise CheckFailedError(f"{replay}: {error}") from error
    if differences:
        raise CheckFailedError(
            "\n".join([f"{replay} does not hold:", *(f"- {difference}" for difference in differences)])
        )
    signed = f"signed by {key_text(signer)}" if signer else "not signed"
    if key is not None and key != signer:
        raise CheckFailedError(f"{replay} is {signed}, not signed by {key_text(key)}")
    decisions = pluralize(record.decisions, "decision")
    line = f"{replay} verified: {decisions}, {_score(record)}, hash {record.running_hash}, {signed}"
    verdict = {
        "ok": True,
        "variant": record.variant,
        "bots": record.names,
        "results": record.results,
        "end": record.end,
        "decisions": record.decisions,
        "hash": record.running_hash,
        "signed_by": key_text(signer) if signer else None,
    }
    return line, verdict


@command(app, "arena replay transcript spring.koikoi.r1.t1.b1.a --legal")
def transcript(
    replay: Which,
    arena: Arena,
    legal: Annotated[bool, typer.Option("--legal", help="Also list the legal actions of every decision.")] = False,
) -> None:
    """Print a match as JSON: every deck, action, yaku and score."""
    from arena.replays import transcript as write

    typer.echo(json.dumps(write(load(replay, arena), legal=legal), ensure_ascii=False))


@command(app, "arena replay rerun spring.koikoi.r1.t1.b1.a")
def rerun(
    replay: Which,
    target: StoreOptions,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=BOT", help=f"Have this bot play in a seat, from 0; repeatable. {BOTS[0].upper()}{BOTS[1:]}."
        ),
    ] = None,
    uncaged: Uncaged = False,
    as_json: AsJson = False,
) -> None:
    """Let the bots of a match play it again, and compare.

    The cards are the same. Starts the very versions that played, in cages, and house bots. It does so on this machine,
    from the store of --data or --redis, and never at ARENA_SERVER. Exit status 1 when one of them plays differently.

    With --seat another bot, such as a mended one, plays the match to its end: shown is where it went another way, and
    how it ended; the new replay is kept. Exit status 1 when a bot forfeits.
    """
    from arena.cli.aio import run
    from arena.cli.rerun import played_again, sources_of, verdict

    record = load(replay, Arena(target, None))
    if seat:
        _rerun_with(replay, record, seat, target, uncaged, as_json)
        return
    line, document = verdict(replay, record, run(played_again(record, sources_of(record, {}), target)))
    print_answer(as_json, document, [line] if document["ok"] else [])
    if not document["ok"]:
        raise CheckFailedError(line)


command(
    app,
    "arena replay analyse spring.koikoi.r1.t1.b1.a",
    "arena replay analyse spring.koikoi.r1.t1.b1.a --seat 0 --worst 3",
    "arena replay analyse spring.koikoi.r1.t1.b1.a spring.koikoi.r1.t1.b1.b",
    name="analyse",
)(analysis.analyse)


@command(
    app,
    "arena replay export spring.koikoi.r1.t1.b1.a --html match.html",
    "arena replay export spring.koikoi.r1.t1.b1.a --gif match.gif --month 1",
)
def export(
    replay: Which,
    arena: Arena,
    html: replay_export.Html = None,
    gif: replay_export.Gif = None,
    month: replay_export.Month = None,
    svg: replay_export.Svg = None,
    output: replay_export.Output = None,
    seat: replay_export.Seat = 0,
    language: InLanguage = LanguageCode.EN,
) -> None:
    """Make a page or a picture of a match, to show it to others.

    The page is one file, and needs no network. A moving picture needs `pip install 'hanafuda-arena[gif]'`.
    """
    replay_export.write(load(replay, arena), html, gif, month, svg, output, seat, language)


def _rerun_with(
    replay: str, record: "ReplayRecord", seats: Sequence[str], target: StoreOptions, uncaged: bool, as_json: bool
) -> None:
    """Have other bots in some seats play a match again, and show how that went."""
    from shlex import quote

    from arena.cli.aio import run
    from arena.cli.local import keep
    from arena.cli.rerun import played_otherwise, seats_of
    from arena.cli.values import confinement_of

    bots = seats_of(seats, record)
    difference, again, why = run(played_otherwise(record, bots, target, confinement_of(uncaged)))
    path = keep(target.data, again)
    document = {
        "replay": replay,
        "seats": bots,
        "difference": difference,
        "then": _listed(replay, record),
        "now": _listed(str(path), again),
    }
    lines = [
        "the same decisions as then" if difference is None else str(difference),
        f"then: {_score(record)}",
        f"now:  {_score(again)}",
        f"follow it: arena replay show {quote(str(path))}",
    ]
    print_answer(as_json, document, lines)
    if again.offender >= 0:
        raise CheckFailedError(f"{again.names[again.offender]} forfeited ({again.end}): {why}")


@command(app, "arena replay view spring.koikoi.r1.t1.b1.a --no-browser")
def view(
    replay: Which,
    arena: Arena,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Show a match in the browser, until Ctrl-C.

    Only this machine can reach the address.
    """
    from arena.cli.aio import run

    run(_view(load(replay, arena), open_browser=not no_browser))


async def _view(record: "ReplayRecord", *, open_browser: bool) -> None:
    import asyncio
    import contextlib
    import socket
    import webbrowser
    from urllib.parse import quote

    from arena.cli.aio import stopped
    from arena.web.app import create_app
    from arena.web.serving import serving
    from arena.web.viewer.analysis.analyses import Analyses
    from arena.web.viewer.document import document
    from arena.web.viewer.routes import replay_routes
    from arena.web.viewer.sources import source_of

    document(record)  # what cannot be shown is said here, not in the browser
    analyses = Analyses()
    routes = replay_routes(source_of([record]), analyses=analyses)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        async with contextlib.aclosing(analyses), serving(create_app(routes), listening):
            address = f"http://127.0.0.1:{listening.getsockname()[1]}/replays/{quote(record.match_id, safe='')}"
            typer.echo(address)
            if open_browser:
                asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)
            await stopped()


def _files(data: Path, bot: str | None) -> "Iterator[tuple[Path, ReplayRecord]]":
    """The files of `arena match play`; one that is broken is reported on standard error, and the others are listed."""
    from arena.replays import ReplayError

    for path in sorted((data / "replays").glob("*.hreplay")):
        try:
            record = decoded(path.read_bytes(), str(path))
        except (OSError, ReplayError) as error:
            typer.echo(str(error), err=True)
            continue
        if bot is None or bot in record.names:
            yield path, record


def _listed(name: str, match: "ReplayRecord | Summary | None") -> dict[str, Any]:
    """A row of a list as a document; a match on a board that is still being played shows nothing."""
    if match is None:
        return {"replay": name, "readable": False}
    return {
        "replay": name,
        "readable": True,
        "variant": match.variant,
        "bots": match.names,
        "results": match.results,
        "end": match.end,
        "offender": match.offender,
    }


def _score(record: "ReplayRecord | Summary") -> str:
    return score_text(record.names, record.results, record.offender, record.end)
