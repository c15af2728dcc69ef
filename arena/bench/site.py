"""The site in a thread of this process, and matches to show on it."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import uvicorn
from starlette.routing import BaseRoute

from arena.match.model import MatchSpec
from arena.match.play import play
from arena.processes import connections_limit
from arena.replays import ReplayRecord, from_match
from arena.seats.in_process import InProcessSeat
from arena.web.app import create_app
from arena.web.connections import bounded
from bots import house
from core_ext import parse_seed, variant_info


@contextmanager
def site(routes: Sequence[BaseRoute]) -> Iterator[str]:
    """The address of a real server on loopback with these pages."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(
            uvicorn.Config(
                create_app(routes),
                log_level="critical",
                lifespan="off",
                timeout_graceful_shutdown=1,
                http=bounded(connections_limit()),
            )
        )
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def another_site(text: str) -> Iterator[str]:
    """The address of a page of somebody else's."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def house_match(
    variant: str,
    match_id: str,
    seed: str = "figures",
    options: Mapping[str, object] | None = None,
    names: Sequence[str] | None = None,
) -> ReplayRecord:
    """A whole match between house bots, with clock readings; `names` are those of the seats."""
    return asyncio.run(house_record(variant, match_id, seed, options, names))


async def house_record(
    variant: str,
    match_id: str,
    seed: str = "figures",
    options: Mapping[str, object] | None = None,
    names: Sequence[str] | None = None,
) -> ReplayRecord:
    """`house_match`, on an event loop that runs."""
    seats = names or ("greedy", "random", "greedy-2", "random-2")[: variant_info(variant).seats[2]]
    spec = MatchSpec(match_id, variant, parse_seed(seed), tuple(seats), options or {})
    players = [InProcessSeat(house("random" if seat % 2 else "greedy")) for seat in range(len(seats))]
    return from_match(spec, await play(spec, players), clock=True)
