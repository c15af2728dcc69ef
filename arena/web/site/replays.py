"""The replays that a site shows: those of its store, and those of files that commands have kept."""

from starlette.concurrency import run_in_threadpool

from arena.replays import ReplayError, ReplayRecord, decode
from arena.store import Store
from arena.store.errors import BoardStillOpenError, InvalidNameError, UnknownReplayError
from arena.web.language import Filled
from arena.web.site.documents import moment
from arena.web.site.replay_files import ReplayFiles
from arena.web.viewer.sources import UnreadableReplayError


class Replays:
    """Replays by their names: a file goes before the store."""

    def __init__(self, store: Store, files: ReplayFiles) -> None:
        self._store = store
        self._files = files

    async def find(self, replay_id: str) -> ReplayRecord:
        """Return a replay. Raises UnreadableReplayError."""
        record = await run_in_threadpool(self._files.find, replay_id)
        if record is not None:
            return record
        try:
            return decode(await self._stored(replay_id))
        except ReplayError as error:
            raise UnreadableReplayError(Filled("This replay cannot be read: %(why)s.", why=error)) from error

    async def raw(self, replay_id: str) -> bytes:
        """Return a replay as it is kept. Raises UnreadableReplayError."""
        data = await run_in_threadpool(self._files.read, replay_id)
        return data if data is not None else await self._stored(replay_id)

    async def time(self, replay_id: str) -> str:
        """Return when the match was played, "" where nobody knows."""
        file_us = await run_in_threadpool(self._files.time_us, replay_id)
        return moment(file_us or await self._store.replays.time_us(replay_id))

    async def is_stored(self, replay_id: str) -> bool:
        """Return whether the replay is the store's, so that its bots have pages."""
        return await run_in_threadpool(self._files.read, replay_id) is None

    async def _stored(self, replay_id: str) -> bytes:
        try:
            return await self._store.replays.get(replay_id)
        except BoardStillOpenError as error:
            raise UnreadableReplayError(
                "This board is still being played: its replay can be seen when it is over."
            ) from error
        except (UnknownReplayError, InvalidNameError) as error:
            raise UnreadableReplayError("There is no such replay.") from error
