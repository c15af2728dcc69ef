"""Stored replays: listed at once, readable when every match on their board is over."""

import asyncio
import builtins
import re
import time
from collections.abc import Collection, Mapping

import msgspec

from arena.store import paging
from arena.store.client import Section
from arena.store.errors import BoardStillOpenError, InvalidCursorError, InvalidNameError, UnknownReplayError
from arena.store.keys import LEAGUES, MATCHES, Scope, matches_of
from arena.store.records import SINGLE, MatchWork, Page, ReplayInfo, match_key

_MATCHES = "*"
"""The place in a listing after all leagues; no league has this name."""
_LAST = "\U0010ffff"
"""After every key of a match."""
_OF_LEAGUE = re.compile(r"(?P<league>.+)\.(?P<variant>[^.]+)\.(?P<key>r\d+\..+)")


class _Info(msgspec.Struct, frozen=True, array_like=True):
    """What lies in `replay_info`."""

    round: int
    board: str
    bots: tuple[str, ...]
    size: int
    about: bytes


def encode_info(work: MatchWork, size: int, about: bytes) -> bytes:
    """Return what a listing needs of a match's replay."""
    return msgspec.msgpack.encode(_Info(work.round, work.board, work.bots, size, about))


def replay_id(scope: Scope, match: str) -> str:
    """Return the id of the replay of a match, by its key: `LEAGUE.VARIANT.rROUND.NAME`, or that of the single match."""
    return f"{scope.name}.{scope.part}.{match}" if scope.kind == "league" else scope.name


def _division(place: str, cursor: str) -> Scope:
    """Return the scope of a place in a listing; InvalidCursorError."""
    name, colon, variant = place.partition(":")
    if not colon:
        raise InvalidCursorError(cursor)
    try:
        return Scope.league(name, variant)
    except InvalidNameError as error:
        raise InvalidCursorError(cursor) from error


def _place(replay: str) -> tuple[Scope, str]:
    """Return the scope of a replay, and what its match is called there; InvalidNameError."""
    parts = _OF_LEAGUE.fullmatch(replay)
    if parts is None:
        return Scope.match(replay), match_key(0, SINGLE)
    return Scope.league(parts["league"], parts["variant"]), parts["key"]


class Replays(Section):
    """The replays of all leagues and single matches."""

    async def is_open(self, replay: str) -> bool:
        """Return whether a match is under way, or another on its board: what was seen there is not to be told yet."""
        try:
            scope, key = _place(replay)
        except InvalidNameError:
            return False
        raw = await self._client.call("HGET", scope.replay_info, key)
        if raw is None:  # it is not committed, or was removed
            state = await self._client.call("HGET", scope.head, "state")
            return state is not None and state not in (b"finished", b"cancelled")
        board = msgspec.msgpack.decode(raw, type=_Info).board
        remaining = int(await self._client.call("HGET", scope.boards, board) or 0)
        return remaining > 0 and not await self._is_cancelled(scope)

    async def get(self, replay: str) -> bytes:
        """Return a replay; UnknownReplayError, BoardStillOpenError."""
        try:
            scope, key = _place(replay)
        except InvalidNameError as error:
            raise UnknownReplayError(replay) from error
        raw = await self._client.call("HGET", scope.replay_info, key)
        if raw is None:
            raise UnknownReplayError(replay)
        info = msgspec.msgpack.decode(raw, type=_Info)
        # The board is looked at before the replay is fetched: a closed board never opens again.
        remaining = int(await self._client.call("HGET", scope.boards, info.board) or 0)
        if remaining > 0 and not await self._is_cancelled(scope):
            raise BoardStillOpenError(
                f"replay {replay!r} is not readable before every match on board {info.board!r} is over"
            )
        data: bytes | None = await self._client.call("HGET", scope.replays, key)
        if data is None:  # its match was deleted in the meantime
            raise UnknownReplayError(replay)
        return data

    async def list(
        self,
        *,
        league: str | None = None,
        bot: str | None = None,
        after: str = "",
        limit: int = 100,
        newest: bool = False,
    ) -> Page[ReplayInfo]:
        """List replays in the order of their commits, of one league (`""`: single matches) or of one bot where given.

        League by league in the order of their names, division by division, then single matches by their time of
        creation; `newest` turns the order round in each division, and of single matches.
        Raises InvalidCursorError, InvalidNameError.
        """
        place, inner = paging.split(after) if after else (await self._place_after("", league), "")
        items: builtins.list[ReplayInfo] = []
        while place and len(items) < limit:
            room = limit - len(items)
            if place == _MATCHES:
                page = await self._of_matches(bot, inner, room, newest)
            else:
                page = await self._of_scope(_division(place, after), bot, inner, room, newest)
            items += page.items
            inner = page.next
            if not inner:
                place = await self._place_after(place, league)
        return Page(tuple(items), f"{place} {inner}" if place else "")

    async def latest(
        self, scope: Scope | None, *, bot: str | None = None, before: tuple[int, str], limit: int
    ) -> tuple[ReplayInfo, ...]:
        """Return the replays of a division, or with None those of single matches, the newest first, that come before.

        `before` is a `time_us` and an id: what was committed at that time comes before it if its id is less.
        """
        time_us, replay = before
        begin = replay_id(scope, "") if scope is not None else ""
        elsewhere = _LAST if begin < replay else ""
        last = replay.removeprefix(begin) if replay.startswith(begin) else elsewhere
        cursor = f"{time_us} {last}"
        while True:
            if scope is None:
                page = await self._of_matches(bot, cursor, limit, newest=True)
            else:
                page = await self._of_scope(scope, bot, cursor, limit, newest=True)
            # A page may hold nothing but matches that are still played.
            if page.items or not page.next:
                return page.items
            cursor = page.next

    async def time_us(self, replay: str) -> int:
        """Return when the match of a replay was committed, as `ReplayInfo` has it; 0 where there is none."""
        try:
            scope, key = _place(replay)
        except InvalidNameError:
            return 0
        index, member = (scope.replay_index, key) if scope.kind == "league" else (MATCHES, replay)
        return int(float(await self._client.call("ZSCORE", index, member) or 0))

    async def last_us(self, scope: Scope, bots: Collection[str]) -> int:
        """Return when the last match of a division was committed that any of these played; 0 where there is none."""
        last = await asyncio.gather(
            *(self._client.call("ZRANGE", scope.replay_index_of(bot), 0, 0, "REV", "WITHSCORES") for bot in bots)
        )
        return max((int(float(scored[1])) for scored in last if scored), default=0)

    async def _place_after(self, place: str, league: str | None) -> str:
        """Return the place after another in a listing, the first after ""; "" at the end.

        A division's is `LEAGUE:VARIANT`.
        """
        if place == _MATCHES:
            return ""
        if league == "":
            return _MATCHES
        name, _, variant = place.partition(":")
        if league is not None:
            return await self._division_after(league, variant)
        if name and (division := await self._division_after(name, variant)):
            return division
        while True:
            names, _ = await paging.names(self._client, LEAGUES, name, 1)
            if not names:
                return _MATCHES
            if division := await self._division_after(name := names[0], ""):
                return division

    async def _division_after(self, league: str, variant: str) -> str:
        raw = await self._client.call("HGET", Scope.league(league).head, "divisions")
        variants = (raw or b"").decode().split()
        following = variants[variants.index(variant) + 1 :] if variant in variants else [] if variant else variants
        return f"{league}:{following[0]}" if following else ""

    async def _is_cancelled(self, scope: Scope) -> bool:
        """Tell whether nothing is played there any more, though boards are open."""
        state, open_from_us = await self._client.call("HMGET", scope.head, "state", "open_from_us")
        return bool(state == b"cancelled" and int(open_from_us or 0) <= time.time_ns() // 1000)

    async def _of_scope(
        self, scope: Scope, bot: str | None, after: str, limit: int, newest: bool = False
    ) -> Page[ReplayInfo]:
        index = scope.replay_index if bot is None else scope.replay_index_of(bot)
        keys, cursor = await paging.with_scores(self._client, index, after, limit, newest=newest)
        return Page(await self._infos(scope, keys), cursor)

    async def _of_matches(self, bot: str | None, after: str, limit: int, newest: bool) -> Page[ReplayInfo]:
        index = MATCHES if bot is None else matches_of(bot)
        ids, cursor = await paging.with_scores(self._client, index, after, limit, newest=newest)
        key = match_key(0, SINGLE)
        scopes = {match_id: Scope.match(match_id) for match_id in ids}
        raw = await asyncio.gather(*(self._client.call("HGET", scope.replay_info, key) for scope in scopes.values()))
        # The board of a single match is that match: it is over when there is a replay.
        infos = [
            (match_id, msgspec.msgpack.decode(info, type=_Info))
            for match_id, info in zip(ids, raw, strict=True)
            if info
        ]
        return Page(
            tuple(
                _replay_info(scopes[match_id], key, info, readable=True, time_us=int(ids[match_id]))
                for match_id, info in infos
            ),
            cursor,
        )

    async def _infos(self, scope: Scope, keys: Mapping[str, float]) -> tuple[ReplayInfo, ...]:
        """Return what a listing shows of these replays, each with its score in the listing.

        Those whose matches were deleted in the meantime are left out.
        """
        if not keys:
            return ()
        raw = await self._client.call("HMGET", scope.replay_info, *keys)
        infos = {key: msgspec.msgpack.decode(info, type=_Info) for key, info in zip(keys, raw, strict=True) if info}
        if not infos:
            return ()
        counts = await self._client.call("HMGET", scope.boards, *(info.board for info in infos.values()))
        remaining = [int(count or 0) for count in counts]
        over = max(remaining) > 0 and await self._is_cancelled(scope)
        return tuple(
            _replay_info(scope, key, info, readable=over or matches <= 0, time_us=int(keys[key]))
            for (key, info), matches in zip(infos.items(), remaining, strict=True)
        )


def _replay_info(scope: Scope, key: str, info: _Info, *, readable: bool, time_us: int) -> ReplayInfo:
    return ReplayInfo(
        id=replay_id(scope, key),
        scope=scope,
        round=info.round,
        board=info.board,
        bots=info.bots,
        size=info.size,
        readable=readable,
        about=info.about if readable else b"",
        time_us=time_us,
    )
