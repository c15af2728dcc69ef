"""Where the viewer's replays come from."""

from typing import Protocol

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.replays import ReplayRecord
from arena.web.pages import digest
from arena.web.viewer.document import document
from arena.web.viewer.scene import Document
from arena.web.work import MadeOnce, Turns

_MOST_KEPT = 32


class UnreadableReplayError(LookupError):
    """There is no such replay, or nobody may read it yet; the text says which."""


class ReplaySource(Protocol):
    """Where replays are kept."""

    async def get(self, replay_id: str) -> ReplayRecord:
        """The replay. UnreadableReplayError."""


class OneReplay:
    """A single replay, known by its match's id."""

    def __init__(self, record: ReplayRecord) -> None:
        self._record = record

    async def get(self, replay_id: str) -> ReplayRecord:
        """The replay. UnreadableReplayError."""
        if replay_id != self._record.match_id:
            raise UnreadableReplayError("There is no such replay.")
        return self._record


class Shown(msgspec.Struct, frozen=True):
    """A replay as the viewer shows it, as a value and as the JSON that is sent."""

    document: Document
    json: bytes
    tag: str


class Documents:
    """The documents of a source, made one at a time, the latest of them kept: a finished match never changes."""

    def __init__(self, source: ReplaySource) -> None:
        self._source = source
        self._turns = Turns()
        self._shown: MadeOnce[str, Shown] = MadeOnce(_MOST_KEPT)

    async def get(self, replay_id: str) -> Shown:
        """The document. UnreadableReplayError, BusyError, and what `document` raises."""

        async def show() -> Shown:
            return await run_in_threadpool(_show, await self._source.get(replay_id))

        return await self._shown.get(replay_id, lambda: self._turns.do(show))


def _show(record: ReplayRecord) -> Shown:
    written = document(record)
    encoded = msgspec.json.encode(written)
    return Shown(written, encoded, digest(encoded))
