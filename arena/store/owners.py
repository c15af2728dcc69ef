"""Owners of bots, their tokens and limits."""

import secrets
import time
from collections.abc import Collection, Sequence
from operator import attrgetter

import msgspec

from arena.store import paging
from arena.store.errors import NameTakenError, OwnerEndedError, OwnerExistsError, OwnerLimitError, UnknownOwnerError
from arena.store.keys import (
    BOTS,
    OWNERS,
    OWNERS_ENDED,
    REVOCATIONS,
    bots_of_owner,
    check_name,
    owner_reservations,
    owner_submissions,
    owner_versions,
)
from arena.store.packs import FORGOTTEN_MS
from arena.store.records import Bot, Owner, OwnerLimits, OwnerUsage, Page, Submission
from arena.store.tokens import OWNER, Accounts

_HOUR_US = 3_600_000_000


class Owners(Accounts[Owner]):
    """All owners of a store."""

    record = Owner
    kind, keys, prefix = "owner", OWNERS, OWNER
    exists, unknown = OwnerExistsError, UnknownOwnerError
    owner_of = attrgetter("name")

    async def create(self, name: str, limits: OwnerLimits | None = None) -> tuple[Owner, str]:
        """Make an owner; return it with its token, which is shown this once.

        Raises OwnerExistsError, InvalidNameError, OwnerEndedError.
        """
        owner = Owner(name, time.time_ns() // 1000, limits or OwnerLimits())
        return owner, await self._register(name, owner)

    async def list(self, *, after: str = "", limit: int = 100) -> Page[Owner]:
        """List owners by name, those that have ended too."""
        names, cursor = await paging.names(self._client, OWNERS.names, after, limit)
        return Page(await self._read(names), cursor)

    async def limit(self, name: str, limits: OwnerLimits) -> None:
        """Set an owner's limits; UnknownOwnerError. What the owner has beyond them, it keeps."""
        owner = await self.get(name)
        updated = Owner(owner.name, owner.created_us, limits)
        await self._client.call("HSET", OWNERS.records, name, msgspec.msgpack.encode(updated))

    async def end(self, name: str) -> None:
        """End an owner: its token and those of its bots stop working at once. UnknownOwnerError."""
        keys = [
            *(OWNERS.records, OWNERS.tokens, OWNERS.hashes, OWNERS_ENDED),
            *(bots_of_owner(name), BOTS.tokens, BOTS.hashes, REVOCATIONS),
        ]
        if not await self._client.script("end_owner", keys, [name]):
            raise UnknownOwnerError(name)

    async def ended(self, names: Collection[str]) -> tuple[str, ...]:
        """Return which of these owners have ended."""
        times = await self._client.call("HMGET", OWNERS_ENDED, *names) if names else []
        return tuple(name for name, ended_us in zip(names, times, strict=True) if ended_us is not None)

    # Submissions.

    async def admit(self, name: str, submission: Submission, *, register: bool = False) -> None:
        """Reserve room for a submission of an owner, all its limits being counted at once; the same again holds longer.

        With `register`, the bot becomes the owner's if nobody has one of its name. Raises UnknownOwnerError,
        OwnerEndedError, NameTakenError, OwnerLimitError.
        """
        check_name("bot", submission.bot)
        limits = (await self.get(name)).limits
        bot = Bot(submission.bot, name, time.time_ns() // 1000, stateless=True)
        answer = await self._client.script(
            "admit_submission",
            [
                *(OWNERS.hashes, BOTS.records, BOTS.names, bots_of_owner(name)),
                *(owner_versions(name), owner_reservations(name), owner_submissions(name)),
                BOTS.folded,
            ],
            [
                *(name, submission.bot, submission.version, submission.size, submission.sha256, FORGOTTEN_MS),
                *(limits.bots, limits.versions, limits.packed_bytes, limits.submissions),
                msgspec.msgpack.encode(bot) if register else "",
            ],
        )
        match answer:
            case b"admitted":
                return
            case b"ended":
                raise OwnerEndedError(name)
            case b"taken":
                raise NameTakenError(submission.bot)
        limit = "packed_bytes" if answer == b"bytes" else answer.decode()
        raise OwnerLimitError(name, limit, getattr(limits, limit))

    async def keep(self, name: str, submission: Submission) -> None:
        """Count the version of a submission as the owner's from now on. May be called again."""
        await self._client.call("HSETNX", owner_versions(name), submission.place, submission.size)
        await self._client.call("HDEL", owner_reservations(name), submission.place)

    async def fail(self, name: str, submission: Submission) -> None:
        """Of a version that did not qualify, go on counting the bytes but not the version itself."""
        await self._client.call("HSET", owner_versions(name), submission.place, f"{submission.size} failed")

    async def has_reserved(self, name: str, place: str) -> bool:
        """Return whether room is reserved for the submission of a version, by its `Submission.place`."""
        return bool(await self._client.call("HEXISTS", owner_reservations(name), place))

    async def refuse(self, name: str, place: str) -> None:
        """Free the room reserved for a submission that failed; sending it again counts as another submission."""
        counted = owner_submissions(name)
        sent = await self._client.call("ZRANGE", counted, 0, -1, "WITHSCORES")
        for raw, sent_at in zip(sent[::2], sent[1::2], strict=True):
            submission, _, suffix = raw.decode().rpartition(" ")
            if submission == place:
                await self._client.call("ZADD", counted, sent_at, f"{submission} {suffix} {secrets.token_hex(8)}")
                await self._client.call("ZREM", counted, raw)
        await self._client.call("HDEL", owner_reservations(name), place)

    async def usage(self, name: str) -> OwnerUsage:
        """Return what counts against an owner's limits; submissions under way are not counted yet."""
        hour_ago = time.time_ns() // 1000 - _HOUR_US
        return OwnerUsage(
            bots=await self._client.call("ZCARD", bots_of_owner(name)),
            packed_bytes=sum(
                int(record.split()[0]) for record in await self._client.call("HVALS", owner_versions(name))
            ),
            submissions=await self._client.call("ZCOUNT", owner_submissions(name), hour_ago, "+inf"),
        )

    async def _read(self, names: Sequence[str]) -> tuple[Owner, ...]:
        owners = await super()._read(names)
        ended = await self._client.call("HMGET", OWNERS_ENDED, *names) if names else []
        return tuple(
            msgspec.structs.replace(owner, ended_us=int(ended_us or 0))
            for owner, ended_us in zip(owners, ended, strict=True)
        )
