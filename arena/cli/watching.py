"""A match that is watched in the terminal while it is played."""

from collections.abc import Callable, Sequence
from functools import partial

import typer
from rich.console import Console
from rich.text import Text

from arena import wire
from arena.cli.infos import end_of, replay_of
from arena.match.model import End
from arena.remote.client import Client
from arena.remote.errors import UnreachableError
from arena.remote.submissions import patiently
from arena.replays import decode, narration, vocabulary
from arena.replays.cards import cards, legend
from arena.replays.show import heading, sentence
from arena.replays.verify import start
from arena.sdk.connection import Endpoint
from core_ext import SPECTATOR, Event, variant_info
from hanafuda.arena.v1 import match_pb2

_OF_A_SCORE = frozenset({"score", "total", "match_end"})
"""Events that are shown with the end of their deal or match, not by themselves."""


async def watched(endpoint: Endpoint, match: match_pb2.Match) -> None:
    """Show a match to its end, each public event once, whichever nodes are lost on the way. Raises RemoteError.

    What happened while no node could be reached is shown afterwards: of a match that has ended, from its replay.
    """
    console = Console()
    console.print(legend())
    over = await followed(endpoint, match, partial(_print, console, match))
    end = over.end
    who = match.bots[end.offender] if end.offender >= 0 else ""
    reason = end_of(end.reason)
    text = f"{end.text}." if reason is End.ABANDONED else vocabulary.ENDS[reason].format(who=who)
    console.print(Text(text, "bold"))
    for rank, name, points in sorted(zip(end.placing, match.bots, end.results, strict=True)):
        console.print(f"{rank}. {name}  {points}", highlight=False)


async def followed(endpoint: Endpoint, match: match_pb2.Match, show: Callable[[Event], None]) -> match_pb2.Match:
    """Show each public event of a match once, to its end, and return it as it stands then. Raises RemoteError."""
    shown = 0

    def show_all(events: Sequence[Event]) -> None:
        nonlocal shown
        for event in events:
            show(event)
            shown += 1

    async def work(client: Client) -> match_pb2.Match:
        seen = 0
        request = match_pb2.WatchMatchRequest(match_id=match.match_id)
        about = match_pb2.GetMatchRequest(match_id=match.match_id)
        async for message in client.stream(client.matches.WatchMatch, request):
            if message.HasField("match_end"):
                if not seen:  # it was over before: only the end came
                    record = decode(await replay_of(client, match.match_id))
                    state = start(record)
                    state.apply_packed(record.packed, record.decisions)
                    show_all(state.events(SPECTATOR)[shown:])
                return (await client.call(client.matches.GetMatch, about)).match
            seen += 1  # every stream begins at the match's beginning
            if seen > shown:
                show_all([wire.event_from_wire(message.event)])
        raise UnreachableError(endpoint.address, "the stream ended before the match")

    return await patiently(endpoint, work, lambda why: typer.echo(why, err=True))


def _print(console: Console, match: match_pb2.Match, event: Event) -> None:
    """One event as a line, as `arena replay show` draws it."""
    if event.kind in _OF_A_SCORE:
        return
    if event.kind == "deal":
        console.print(heading(event))
        console.print(Text("field ").append_text(cards(event.cards)))
        console.print(f"{match.bots[event.seat]} plays first", highlight=False)
        return
    who = match.bots[event.seat] if event.seat >= 0 else ""
    if event.kind == "month_end":
        console.print(Text(vocabulary.ENDINGS.get(event.name, event.name).format(who=who), "bold"))
        score = ", ".join(f"{name} {points:+d}" for name, points in zip(match.bots, event.values, strict=True))
        console.print(f"  score    {score}", highlight=False)
        return
    line = sentence(event, narration.names_of(variant_info(match.variant)))
    console.print(Text(f"{who} ").append_text(line) if who else line)
