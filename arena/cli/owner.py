"""`arena owner …`"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from arena.cli.commands import command
from arena.cli.documents import print_document
from arena.cli.failures import WrongUseError
from arena.cli.reading import existing_store, open_store
from arena.cli.server import Server, with_server
from arena.cli.values import DEFAULT_DATA, AsJson, Data, RedisUrl

if TYPE_CHECKING:
    from arena.store import Owner, OwnerLimits, Store

T = TypeVar("T")

_MIB = 1 << 20

app = typer.Typer(name="owner", help="Make owners of bots, and set their limits.", no_args_is_help=True)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The owner's name: letters, digits, dots, underscores, hyphens.")
]
Bots = Annotated[int | None, typer.Option(metavar="N", min=0, help="The most bots that the owner may have.")]
Versions = Annotated[int | None, typer.Option(metavar="N", min=0, help="The most versions of each bot.")]
Packed = Annotated[
    int | None, typer.Option("--packed", metavar="MIB", min=0, help="The most of all versions together, packed.")
]
Submissions = Annotated[int | None, typer.Option(metavar="N", min=0, help="The most submissions in an hour.")]


@command(app, "arena owner create alice", "arena owner create bob --bots 3 --submissions 60")
def create(
    name: Name,
    bots: Bots = None,
    versions: Versions = None,
    packed: Packed = None,
    submissions: Submissions = None,
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
) -> None:
    """Make an owner and print its token.

    The token is shown only once: the arena keeps just its hash. Limits that are not given have their defaults: 10 bots,
    100 versions of each, 512 MiB packed, 20 submissions in an hour.
    """
    from arena.cli.aio import run
    from arena.store import OwnerLimits

    limits = _changed(OwnerLimits(), bots, versions, packed, submissions)

    async def created() -> str:
        async with open_store(data, redis) as store:
            _, token = await store.owners.create(name, limits)
            return token

    typer.echo(run(created()))


@command(app, "arena owner list --json", name="list")
def list_owners(data: Data = DEFAULT_DATA, redis: RedisUrl = None, as_json: AsJson = False) -> None:
    """List the owners, with their limits."""
    owners = _in_store(data, redis, _all)
    if as_json:
        print_document({"owners": [_row(owner) for owner in owners]})
        return
    for owner in owners:
        typer.echo(f"{owner.name}  {'ended' if owner.ended_us else _told(owner.limits)}")


@command(app, "arena owner show alice")
@with_server
def show(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The owner's name; with --server, it is the token's.")
    ] = "",
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
    as_json: AsJson = False,
    server: Server | None = None,
) -> None:
    """Show what an owner has of what it may have."""
    from arena.cli.aio import run

    if bool(name) == bool(server):
        raise WrongUseError("name an owner of the store, or give --server and the owner's token")
    found = run(_usage_at(server)) if server else _in_store(data, redis, lambda store: _usage(store, name))
    if as_json:
        print_document(found)
        return
    most, has = found["limits"], found["usage"]
    typer.echo(
        f"{found['name']}  {has['bots']} of {most['bots']} bots, at most {most['versions']} versions of each, "
        f"{has['packed_bytes'] / _MIB:.1f} of {most['packed_bytes'] // _MIB} MiB packed, "
        f"{has['submissions']} of {most['submissions']} submissions in the last hour"
    )


@command(app, "arena owner limits alice --bots 20")
def limits(
    name: Name,
    bots: Bots = None,
    versions: Versions = None,
    packed: Packed = None,
    submissions: Submissions = None,
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
) -> None:
    """Set an owner's limits, and show them all.

    A limit that is not given stays as it is. What the owner has beyond its limits, it keeps.
    """

    async def change(store: "Store") -> "OwnerLimits":
        limits = _changed((await store.owners.get(name)).limits, bots, versions, packed, submissions)
        await store.owners.limit(name, limits)
        return limits

    typer.echo(f"{name}  {_told(_in_store(data, redis, change))}")


@command(app, "arena owner token alice", name="token")
def new_token(name: Name, data: Data = DEFAULT_DATA, redis: RedisUrl = None) -> None:
    """Give an owner a new token; the old one stops working at once."""
    typer.echo(_in_store(data, redis, lambda store: store.owners.rotate(name)))


@command(app, "arena owner end alice")
def end(name: Name, data: Data = DEFAULT_DATA, redis: RedisUrl = None) -> None:
    """End an owner for good.

    Its token and those of its bots stop working at once. What its bots have played stays, and versions that are in a
    league play on.
    """
    _in_store(data, redis, lambda store: store.owners.end(name))
    typer.echo(f"{name} has been ended")


def _in_store(data: Path, redis: str | None, work: "Callable[[Store], Awaitable[T]]") -> T:
    from arena.cli.aio import run

    async def worked() -> T:
        async with existing_store(data, redis) as store:
            return await work(store)

    return run(worked())


async def _usage(store: "Store", name: str) -> dict[str, Any]:
    import msgspec

    owner = await store.owners.get(name)
    return {**_row(owner), "usage": msgspec.to_builtins(await store.owners.usage(name))}


async def _usage_at(server: Server) -> dict[str, Any]:
    from datetime import UTC, datetime

    from hanafuda.arena.v1.owner_pb2 import GetOwnerRequest

    async with server.connect() as remote:
        owner = (await remote.call(remote.owners.GetOwner, GetOwnerRequest())).owner
    limits, usage = owner.limits, owner.usage
    return {
        "name": owner.name,
        "created_at": datetime.fromtimestamp(owner.created_at.seconds, UTC).isoformat(),
        "ended": False,
        "limits": {
            "bots": limits.bots,
            "versions": limits.versions,
            "packed_bytes": limits.packed_bytes,
            "submissions": limits.submissions_per_hour,
        },
        "usage": {
            "bots": usage.bots,
            "packed_bytes": usage.packed_bytes,
            "submissions": usage.submissions_last_hour,
        },
    }


async def _all(store: "Store") -> "list[Owner]":
    found: list[Owner] = []
    after = ""
    while True:
        page = await store.owners.list(after=after)
        found += page.items
        if not page.next:
            return found
        after = page.next


def _changed(
    limits: "OwnerLimits", bots: int | None, versions: int | None, packed: int | None, submissions: int | None
) -> "OwnerLimits":
    import msgspec

    given = {
        "bots": bots,
        "versions": versions,
        "packed_bytes": None if packed is None else packed * _MIB,
        "submissions": submissions,
    }
    return msgspec.structs.replace(limits, **{name: value for name, value in given.items() if value is not None})


def _told(limits: "OwnerLimits") -> str:
    return (
        f"{limits.bots} bots, {limits.versions} versions of each, {limits.packed_bytes // _MIB} MiB packed, "
        f"{limits.submissions} submissions in an hour"
    )


def _row(owner: "Owner") -> dict[str, Any]:
    from datetime import UTC, datetime

    import msgspec

    return {
        "name": owner.name,
        "created_at": datetime.fromtimestamp(owner.created_us // 1_000_000, UTC).isoformat(),
        "ended": bool(owner.ended_us),
        "limits": msgspec.to_builtins(owner.limits),
    }
