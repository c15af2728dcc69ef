"""The directories of scopes that may have jobs, by the time at which to look at them next."""

from typing import NamedTuple

from arena.store.client import Client, Value
from arena.store.keys import LADDER_WORK, MATCH_OWNERS, VERSION_WORK, WORK, Scope, open_matches_of_owner
from arena.store.open_matches import owner_of


class Due(NamedTuple):
    """A member of a directory that is due, and the score that it had then."""

    name: str
    score: bytes


async def poll(client: Client, directory: str, limit: int) -> list[Due]:
    """Return up to `limit` members of a directory that are due."""
    due = await client.script("poll", [directory], [limit])
    return [Due(due[i].decode(), due[i + 1]) for i in range(0, len(due), 2)]


async def announce(
    client: Client, scope: Scope, delay_us: int = 0, score: bytes | str = "", *, owner: str | None = None
) -> None:
    """Announce to every node that the scope may have jobs, `delay_us` microseconds from now.

    With the `score` of a poll, only where it may have some still and was not announced since. `owner` is that of a
    single match, where it is known.
    """
    keys, args = [scope.work], list[Value]((str(scope), delay_us, score))
    if scope.kind == "match":
        owner = await owner_of(client, scope) if owner is None else owner
        keys, args = [open_matches_of_owner(owner), MATCH_OWNERS], [*args, owner]
    await client.script("announce", keys, args)


async def expire_leases(client: Client) -> None:
    """End the leases of every scope that may have jobs: whoever held them is gone."""
    owners = [owner.decode() for owner in await client.call("ZRANGE", MATCH_OWNERS, 0, -1)]
    directories = (WORK, LADDER_WORK, VERSION_WORK, *map(open_matches_of_owner, owners))
    names = [name for directory in directories for name in await client.call("ZRANGE", directory, 0, -1)]
    for scope in [Scope.parse(name.decode()) for name in names]:
        await client.script("expire_leases", [scope.head, scope.jobs, scope.claims])
        await announce(client, scope)
