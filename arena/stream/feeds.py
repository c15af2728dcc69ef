"""What spectators are shown of a match that runs on this node."""

from collections.abc import AsyncGenerator
from functools import lru_cache

from arena import wire
from arena.match.live import LiveMatch
from core_ext import SPECTATOR, Event, State
from hanafuda.arena.v1 import match_pb2


async def watch(live: LiveMatch, seen: int = 0) -> AsyncGenerator[match_pb2.WatchMatchResponse, None]:
    """Yield the messages for a spectator who has `seen` that many public events, to the end of the match.

    Spectators read at their own pace; nothing is queued for them. A match that goes on elsewhere ends without its end.
    What is shown, and in which order, does not depend on who was asked in secret.
    """
    spec = live.spec
    state = State.new(spec.variant, spec.options, spec.seed, len(spec.names))
    played = event_count = 0
    while True:
        version, choices, is_over = live.version, live.shown, live.is_over
        if live.result is not None:
            choices = live.choices
        state.apply_choices(choices[played:])
        played = len(choices)
        events = state.events(SPECTATOR, event_count)
        event_count = state.event_count
        for event in events[seen:]:
            yield event_message(event)
        seen = max(0, seen - len(events))
        if is_over:
            break
        await live.news(version)
    if live.result is not None:
        yield match_pb2.WatchMatchResponse(match_end=wire.match_end(spec.match_id, live.result))


@lru_cache(maxsize=1 << 13)
def event_message(event: Event) -> match_pb2.WatchMatchResponse:
    """One object for equal events, so that a long match costs little memory."""
    return match_pb2.WatchMatchResponse(event=wire.event_to_wire(event))
