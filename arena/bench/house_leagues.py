"""Leagues of house bots, as several measurements play them. Each is called `bench`, unless it is given a name."""

import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from arena.league.reader import parse_league
from arena.league.spec import LeagueSpec
from arena.node.node import Node
from arena.organizer import steps
from arena.organizer.entries import check, entrants_of
from arena.store import League, Store

NAME = "bench"


def house_league(bots: int, keys: str, name: str = "bot-{}") -> str:
    """The file of a league of bots that play at random, named after their numbers; `keys` are the rest of the file."""
    entries = ", ".join(f'{{ name = "{name.format(n)}", bot = "house:random" }}' for n in range(bots))
    return f'name = "bench"\nsecret = "{"00" * 32}"\nentries = [{entries}]\n{keys}\n'


def parsed(text: str) -> LeagueSpec:
    """A league's file, read."""
    return parse_league(text, "bench.toml")


async def create(store: Store, text: str, folder: Path, name: str = NAME) -> None:
    """Create the league of this file, with its entries, under a name."""
    spec = msgspec.structs.replace(parsed(text), name=name)
    await steps.create(store, spec, await entrants_of(store, spec, check(spec, folder)))


async def begin(store: Store, text: str, folder: Path) -> None:
    """Create the league and start it."""
    await create(store, text, folder)
    await steps.start(store, "bench")


async def finished(store: Store, node: Node, name: str = NAME) -> League:
    """The league, once it is over."""
    while (league := await store.leagues.get(name)).state != "finished":
        await node.progress(timeout=1.0)
    return league


async def matches_per_second(store: Store, pause: Callable[[], Awaitable[object]]) -> float:
    """Whole matches a second, from the start of round 2 (every bot is connected by then) to the end of the league."""
    began, before = 0.0, 0
    while (league := await store.leagues.get("bench")).state != "finished":
        if not began and league.divisions[0].round > 1:
            began, before = time.perf_counter(), league.played
        await pause()
    return (league.played - before) / (time.perf_counter() - began)
