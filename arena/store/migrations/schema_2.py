"""Schema 2: what a league plays is kept by its divisions.

A league of schema 1 is one division. Its keys get the division's name, its counts a head of their own, and its jobs the
tag by which later versions read them. Its replays stay where they were, unread: they are of the first format, which no
later version reads. Nodes of schema 1 say nothing of themselves in the store: end them before.
"""

from __future__ import annotations

import msgspec

from arena.store.directories import announce
from arena.store.keys import LEAGUES, WORK, Scope
from arena.store.migrations.steps import Migration, Walk

_MOVED = ("jobs", "backlog", "claims", "done", "parked", "boards", "rounds")


class _Division(msgspec.Struct):
    variant: str
    rounds: int | None = None


class _League(msgspec.Struct):
    """What is read of a league's file. Without rounds it has so many as were enough for its entrants."""

    divisions: tuple[_Division, ...]


async def _expand(walk: Walk) -> None:
    """Add nothing: no node of schema 1 can be told apart from none."""


async def _contract(walk: Walk) -> None:
    async for names in walk.pages("2 divisions", LEAGUES):
        for name in names:
            await _divide(walk, name)


async def _divide(walk: Walk, name: str) -> None:
    client, scope = walk.client, Scope.league(name)
    config, round_ = await client.call("HMGET", scope.head, "config", "round")
    if config is None:  # a league whose making was interrupted
        return
    [division] = msgspec.json.decode(config, type=_League).divisions
    part = Scope.league(name, division.variant)
    entrants = await client.call("HLEN", scope.entrants)
    rounds = [int(number) for number in await client.call("HKEYS", scope.rounds)]
    moved = [(scope.key(what), part.key(what)) for what in _MOVED]
    moved += [(scope.results(number), part.results(number)) for number in rounds]
    keys = [scope.head, scope.entrants, scope.key("stage"), part.head, part.participations]
    for pair in moved:
        keys += pair
    limit = division.rounds or max(int(round_ or 0), (entrants - 1).bit_length())
    await announce(client, part)
    await client.script("divide_league", keys, [division.variant, limit])
    await client.call("ZREM", WORK, str(scope))


TO_2 = Migration(2, _expand, _contract, None)
