"""Matches whose actions are known, played one action after the other as a test asks for it, on a site of their own."""

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.bench.site import house_match
from arena.bench.site import site as serving
from arena.match.journal import Played
from arena.match.live import LiveMatches, snapshot
from arena.match.model import MatchResult, MatchSpec
from arena.match.outcome import placing
from arena.replays import ReplayRecord
from arena.replays.verify import start
from arena.web.site.boards import board_routes
from arena.web.site.watchable import Watchable
from arena.web.viewer.routes import replay_routes
from arena.web.viewer.sources import source_of

SHOWN_FIRST = 6
RECORDS = {
    "open": house_match("koikoi", "open", options={"months": 1}),
    "public": house_match("sangohana", "public"),
}


class Showing:
    """Plays matches whose actions are known, one action each time that `/play-on/ID/COUNT` is asked for."""

    def __init__(self) -> None:
        self.live = LiveMatches()
        self.replay = source_of([])

    async def play_on(self, request: Request) -> Response:
        record = RECORDS[request.path_params["match"]]
        spec = MatchSpec(record.match_id, record.variant, record.seed, record.names, record.options)
        choices, _ = start(record).apply_packed(record.packed, record.decisions)
        match = self.live.find(record.match_id)
        if match is None:
            self._playing = self.live.playing(spec, None, (), whole=record.match_id == "open")
            match = self._playing.__enter__()
        for choice in choices[len(match.choices) : len(match.choices) + request.path_params["count"]]:
            match.write(Played(0, choice, 0, None, 0))
        if len(match.choices) == len(choices):
            placed = placing(record.results, record.offender)
            match.result = MatchResult(record.end, record.offender, record.results, placed, match.choices, (), ())
            self._playing.__exit__(None, None, None)
            self.replay = source_of([record])
        return Response()

    async def request(self) -> None:
        """They are shown always."""

    async def shown(self) -> list[bytes]:
        return [snapshot(self.live)]

    async def replay_of(self, replay_id: str) -> ReplayRecord:
        return await self.replay(replay_id)


@contextmanager
def showing_site() -> Iterator[str]:
    """The address of the site."""
    showing = Showing()
    feeding = Route("/play-on/{match}/{count:int}", showing.play_on, methods=["POST"])
    with serving(
        [*board_routes(Watchable(showing), showing.replay_of), *replay_routes(showing.replay_of), feeding]
    ) as address:
        yield address
