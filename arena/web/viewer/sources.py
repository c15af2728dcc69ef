"""Where the viewer's replays come from."""

from collections.abc import Awaitable, Callable, Iterable
from hashlib import sha256

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.replays import ReplayRecord, encode
from arena.web.language import ENGLISH, Language
from arena.web.pages import CachedBody
from arena.web.viewer.document import document
from arena.web.viewer.scene import Document
from arena.web.work import MadeOnce, Turns

_MAX_CACHED = 32


class UnreadableReplayError(LookupError):
    """There is no such replay, or nobody may read it yet; the text says which."""


ReplaySource = Callable[[str], Awaitable[ReplayRecord]]
"""Gives the replay of an id. Raises UnreadableReplayError."""


def source_of(records: Iterable[ReplayRecord]) -> ReplaySource:
    """Return these replays, by the ids of their matches."""
    by_id = {record.match_id: record for record in records}

    async def find(replay_id: str) -> ReplayRecord:
        if replay_id not in by_id:
            raise UnreadableReplayError("There is no such replay.")
        return by_id[replay_id]

    return find


class Shown(msgspec.Struct, frozen=True):
    """A replay as the viewer shows it, as a value and as the JSON that is sent, and its hash."""

    document: Document
    json: CachedBody
    key: str


class Documents:
    """The documents of a source, made one at a time, the latest of them kept: a finished match never changes."""

    def __init__(self, source: ReplaySource) -> None:
        self._source = source
        self._turns = Turns()
        self._shown: MadeOnce[tuple[str, Language], Shown] = MadeOnce(_MAX_CACHED)

    async def get(self, replay_id: str, language: Language = ENGLISH, asked_by: str = "") -> Shown:
        """The document in a language, in this visitor's turn.

        UnreadableReplayError, BusyError, and what `document` raises.
        """

        async def show() -> Shown:
            return await run_in_threadpool(_show, await self._source(replay_id), language)

        return await self._shown.get((replay_id, language), lambda: self._turns.do(show, asked_by))


def _show(record: ReplayRecord, language: Language) -> Shown:
    written = document(record, language=language)
    key = sha256(encode(record)).hexdigest()
    return Shown(written, CachedBody.of(msgspec.json.encode(written), "application/json"), key)
