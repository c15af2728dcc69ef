"""What readers ask for is made one at a time, and beside the event loop: however many ask, others are answered."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import BaseRoute
from viewer_cases import SEATS

from arena.store import Store
from arena.web.app import create_app
from arena.web.games.game import Game
from arena.web.games.games import Games
from arena.web.games.routes import game_routes
from arena.web.serving import serving
from arena.web.viewer import routes
from arena.web.viewer.sources import source_of

DEADLINE_S = 60.0


async def ask(port: int, path: str) -> bytes:
    """The status line of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return answer.partition(b"\r\n")[0]


async def ask_at_once(served: Sequence[BaseRoute], paths: Sequence[str]) -> list[bytes]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        async with serving(create_app(served), listening), asyncio.timeout(DEADLINE_S):
            port = listening.getsockname()[1]
            return await asyncio.gather(*(ask(port, path) for path in paths))


@contextmanager
def in_turn(monkeypatch: pytest.MonkeyPatch, place: object, name: str) -> Iterator[None]:
    """Within, this function is called again and again: by one caller at a time, and never by the event loop's."""
    loops = threading.get_ident()
    called: Callable[..., Any] = getattr(place, name)
    turn = threading.Lock()
    calls = []

    def watched(*arguments: Any) -> Any:
        is_alone = turn.acquire(blocking=False)
        calls.append((threading.get_ident() != loops, is_alone))
        time.sleep(0.02)  # so that another caller would be seen
        made = called(*arguments)
        if is_alone:
            turn.release()
        return made

    monkeypatch.setattr(place, name, watched)
    yield
    assert len(calls) > 1
    assert all(map(all, calls))


@pytest.mark.parametrize("path", ["/replays/four?at={}", "/replays/four/picture.svg?at={}"])
async def test_steps_of_replays_are_made_one_at_a_time(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    served = routes.replay_routes(source_of(SEATS.values()))
    with in_turn(monkeypatch, routes, "scene"):
        answers = await ask_at_once(served, [path.format(at) for at in range(12)])
    assert set(answers) == {b"HTTP/1.1 200 OK"}


@pytest.mark.parametrize("path", ["/games/{}", "/api/v1/games/{}?since=0"])
async def test_a_game_is_shown_to_one_who_asks_at_a_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, path: str
) -> None:
    async with await Store.open(tmp_path) as store, aclosing(Games(store)) as games:
        game = await games.begin("sangohana", "random", 4, {})
        with in_turn(monkeypatch, Game, "view"):
            answers = await ask_at_once(game_routes(games), [path.format(game.id)] * 12)
    assert set(answers) == {b"HTTP/1.1 200 OK"}
