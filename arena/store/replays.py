"""Stored replays: listed at once, readable when every match on their board is over."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from arena.store import paging
from arena.store.errors import BoardStillOpenError, UnknownReplayError
from arena.store.keys import LEAGUES, MATCHES, Scope, matches_of
from arena.store.records import SINGLE, MatchWork, Page, ReplayInfo, match_key

if TYPE_CHECKING:
    from arena.store.client import Client


_MATCHES = "*"
"""The place in a listing after all leagues; no league has this name."""


class _Info(msgspec.Struct, frozen=True, array_like=True):
    """What lies in `replay_info`."""

    round: int
    board: str
    bots: tuple[str, ...]
    size: int


def encode_info(work: MatchWork, size: int) -> bytes:
    """Return what a listing needs of a match's replay."""
    return msgspec.msgpack.encode(_Info(work.round, work.board, work.bots, size))


def replay_id(scope: Scope, work: MatchWork) -> str:
    """Return the id of a match's replay: `LEAGUE/rROUND.NAME`, or the id of the single match."""
    return _id(scope, work.key)


def _id(scope: Scope, key: str) -> str:
    return f"{scope.name}/{key}" if scope.kind == "league" else scope.name


class Replays:
    """The replays of all leagues and single matches."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(self, replay: str) -> bytes:
        """Return a replay; UnknownReplayError, BoardStillOpenError."""
        name, slash, key = replay.partition("/")
        scope, key = (Scope.league(name), key) if slash else (Scope.match(name), match_key(0, SINGLE))
        raw = await self._client.call("HGET", scope.replay_info, key)
        if raw is None:
            raise UnknownReplayError(replay)
        info = msgspec.msgpack.decode(raw, type=_Info)
        # The board is looked at before the replay is fetched: a closed board never opens again.
        if int(await self._client.call("HGET", scope.boards, info.board)) > 0:
            raise BoardStillOpenError(replay, info.board)
        data: bytes = await self._client.call("HGET", scope.replays, key)
        return data

    async def list(
        self, *, league: str | None = None, bot: str | None = None, after: str = "", limit: int = 100
    ) -> Page[ReplayInfo]:
        """List replays, of one league or of one bot where given, in the order of their commits.

        Without a league: league by league in the order of their names, then single matches by their time of
        creation. Raises InvalidCursorError.
        """
        if league is not None:
            return await self._of_scope(Scope.league(league), bot, after, limit)
        place, inner = paging.split(after) if after else (await self._league_after(""), "")
        items: builtins.list[ReplayInfo] = []
        while len(items) < limit:
            if place == _MATCHES:
                page = await self._of_matches(bot, inner, limit - len(items))
            else:
                page = await self._of_scope(Scope.league(place), bot, inner, limit - len(items))
            items += page.items
            inner = page.next
            if not inner:
                if place == _MATCHES:
                    return Page(tuple(items))
                place = await self._league_after(place)
        return Page(tuple(items), paging.join(place, inner))

    async def _league_after(self, name: str) -> str:
        names, _ = await paging.names(self._client, LEAGUES, name, 1)
        return names[0] if names else _MATCHES

    async def _of_scope(self, scope: Scope, bot: str | None, after: str, limit: int) -> Page[ReplayInfo]:
        index = scope.replay_index if bot is None else scope.replay_index_of(bot)
        keys, cursor = await paging.scored(self._client, index, after, limit)
        return Page(await self._infos(scope, keys), cursor)

    async def _of_matches(self, bot: str | None, after: str, limit: int) -> Page[ReplayInfo]:
        index = MATCHES if bot is None else matches_of(bot)
        ids, cursor = await paging.scored(self._client, index, after, limit)
        found = await asyncio.gather(*(self._of_scope(Scope.match(id_), None, "", 1) for id_ in ids))
        return Page(tuple(info for page in found for info in page.items), cursor)

    async def _infos(self, scope: Scope, keys: Sequence[str]) -> tuple[ReplayInfo, ...]:
        if not keys:
            return ()
        raw = await self._client.call("HMGET", scope.replay_info, *keys)
        infos = [msgspec.msgpack.decode(one, type=_Info) for one in raw]
        left = await self._client.call("HMGET", scope.boards, *(info.board for info in infos))
        return tuple(
            ReplayInfo(
                id=_id(scope, key),
                scope=scope,
                round=info.round,
                board=info.board,
                bots=info.bots,
                size=info.size,
                readable=int(matches) <= 0,
            )
            for key, info, matches in zip(keys, infos, left, strict=True)
        )
