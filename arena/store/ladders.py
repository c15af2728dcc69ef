"""Ladders: a record each, which is the worker's own. Their seasons are leagues."""

from arena.store.client import Section
from arena.store.errors import LadderExistsError, UnknownLadderError
from arena.store.keys import LADDERS, check_name, ladder_owner
from arena.store.records import LadderRecord

_CLAIM_MS = 5_000
"""How long a node that died keeps a ladder from the others, beyond the time for which it has claimed it."""


class Ladders(Section):
    """All ladders of a store."""

    async def create(self, name: str, record: bytes) -> None:
        """Make a ladder; nothing happens when the very same is there. LadderExistsError, InvalidNameError."""
        check_name("ladder", name)
        if not await self._swap(name, b"", record):
            raise LadderExistsError(name)

    async def get(self, name: str) -> LadderRecord:
        """Return a ladder; UnknownLadderError."""
        record = await self._client.call("HGET", LADDERS, name)
        if record is None:
            raise UnknownLadderError(name)
        return LadderRecord(name, record)

    async def list(self) -> tuple[LadderRecord, ...]:
        """Return all ladders by name."""
        records = await self._client.call("HGETALL", LADDERS)
        return tuple(LadderRecord(name.decode(), record) for name, record in sorted(records.items()))

    async def move(self, ladder: LadderRecord, record: bytes) -> bool:
        """Put the next record in the ladder's place; False when another one is there in the meantime."""
        return await self._swap(ladder.name, ladder.record, record)

    async def try_claim(self, name: str, owner: str, for_s: float = 0.0) -> bool:
        """Claim a ladder for so long, or go on with it; False while another node looks after it."""
        key, ms = ladder_owner(name), _CLAIM_MS + round(1000 * for_s)
        if await self._client.call("SET", key, owner, "NX", "PX", ms):
            return True
        if await self._client.call("GET", key) != owner.encode():
            return False
        await self._client.call("PEXPIRE", key, ms)
        return True

    async def _swap(self, name: str, before: bytes, after: bytes) -> bool:
        return bool(await self._client.script("swap_record", [LADDERS], [name, before, after, 0]))
