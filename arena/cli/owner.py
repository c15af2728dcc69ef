"""`arena owner …`"""

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from arena.cli import completion
from arena.cli.commands import command
from arena.cli.failures import WrongUseError
from arena.cli.output import print_answer
from arena.cli.targets import Arena, StoreOptions
from arena.cli.values import AsJson

if TYPE_CHECKING:
    from arena.store import Owner, OwnerLimits, Store

_MIB = 1 << 20
_MAX_LIMIT = 1_000_000
"""The highest limit of each kind."""

app = typer.Typer(name="owner", help="Make owners of bots, and set their limits.", no_args_is_help=True)

Name = Annotated[
    str,
    typer.Argument(
        autocompletion=completion.owners,
        metavar="NAME",
        help="The owner's name: letters, digits, dots, underscores, hyphens.",
    ),
]
NameOrToken = Annotated[
    str,
    typer.Argument(
        autocompletion=completion.owners,
        metavar="NAME",
        help="The owner's name; none with --server, where the token says it.",
    ),
]


def _limit(text: str, metavar: str = "N") -> Any:
    """Return an option for a limit."""
    return typer.Option(metavar=metavar, min=0, max=_MAX_LIMIT, help=text)


class Limits(NamedTuple):
    """An owner's limits, as far as they are given."""

    bots: Annotated[int | None, _limit("The most bots that the owner may have.")] = None
    versions: Annotated[int | None, _limit("The most versions of each bot.")] = None
    packed: Annotated[int | None, _limit("The most of all versions together, packed.", "MIB")] = None
    submissions: Annotated[int | None, _limit("The most submissions in an hour.")] = None

    def over(self, limits: "OwnerLimits") -> "OwnerLimits":
        """Return the limits, with those that are given in place of the old ones."""
        import msgspec

        changes = {name: value for name, value in self._asdict().items() if value is not None}
        if "packed" in changes:
            changes["packed_bytes"] = changes.pop("packed") * _MIB
        return msgspec.structs.replace(limits, **changes)


@command(app, "arena owner create alice", "arena owner create bob --bots 3 --submissions 60")
def create(name: Name, target: StoreOptions, changes: Limits, as_json: AsJson = False) -> None:
    """Make an owner and print its token.

    The token is shown only once: the arena keeps just its hash. Limits that are not given have their defaults: 10 bots,
    100 versions of each, 512 MiB packed, 20 submissions in an hour.
    """
    from arena.store import OwnerLimits

    target.register(
        "owner", name, lambda store: store.owners.create(name, changes.over(OwnerLimits())), as_json=as_json
    )


@command(app, "arena owner list --json", name="list")
def list_owners(target: StoreOptions, as_json: AsJson = False) -> None:
    """List the owners, with their limits."""
    from arena.cli.infos import owner_document
    from arena.services.owners import owner_message
    from arena.store.paging import all_pages

    async def read(store: "Store") -> "list[Owner]":
        return [owner async for owner in all_pages(store.owners.list)]

    owners = target.read(read)
    listed = [owner_document(owner_message(owner), ended=bool(owner.ended_us)) for owner in owners]
    lines = (f"{owner.name}  {'ended' if owner.ended_us else _limits_text(owner.limits)}" for owner in owners)
    print_answer(as_json, {"owners": listed}, lines)


@command(app, "arena owner show alice")
def show(arena: Arena, name: NameOrToken = "", as_json: AsJson = False) -> None:
    """Show an owner's usage and limits."""
    from arena.cli.infos import owner_document
    from arena.services.owners import owner_message
    from hanafuda.arena.v1.owner_pb2 import GetOwnerRequest

    async def stored(store: "Store") -> dict[str, Any]:
        owner = await store.owners.get(name)
        return owner_document(owner_message(owner, await store.owners.usage(name)), ended=bool(owner.ended_us))

    _check_name(name, arena)
    if arena.server is None:
        account = arena.store.read(stored)
    else:
        answer = arena.server.do(lambda client: client.call(client.owners.GetOwner, GetOwnerRequest()))
        account = owner_document(answer.owner)
    limits, has = account["limits"], account["usage"]
    line = (
        f"{account['name']}  {has['bots']} of {limits['bots']} bots, at most {limits['versions']} versions of each, "
        f"{has['packed_bytes'] / _MIB:.1f} of {limits['packed_bytes'] // _MIB} MiB packed, "
        f"{has['submissions']} of {limits['submissions']} submissions in the last hour"
        f"{', ended' if account['ended'] else ''}"
    )
    print_answer(as_json, account, [line])


@command(app, "arena owner limits alice --bots 20")
def limits(name: Name, target: StoreOptions, changes: Limits) -> None:
    """Set an owner's limits, and show them all.

    A limit that is not given stays as it is. What the owner has beyond its limits, it keeps.
    """

    async def change(store: "Store") -> "OwnerLimits":
        limits = changes.over((await store.owners.get(name)).limits)
        await store.owners.limit(name, limits)
        return limits

    typer.echo(f"{name}  {_limits_text(target.do(change))}")


@command(app, "arena owner token alice", name="token")
def new_token(arena: Arena, name: NameOrToken = "") -> None:
    """Give an owner a new token; the old one stops working at once.

    With --server, the owner itself gets it.
    """
    from hanafuda.arena.v1.owner_pb2 import RotateOwnerTokenRequest

    _check_name(name, arena)
    if arena.server is None:
        typer.echo(arena.store.do(lambda store: store.owners.rotate(name)))
    else:
        request = RotateOwnerTokenRequest()
        typer.echo(arena.server.do(lambda client: client.call(client.owners.RotateOwnerToken, request)).token)


@command(app, "arena owner end alice")
def end(name: Name, target: StoreOptions) -> None:
    """End an owner for good.

    Its token and those of its bots stop working at once, and its single matches under way are abandoned. What its bots
    have played stays, and versions that are in a league play on.
    """

    async def ended(store: "Store") -> bool:
        before = (await store.owners.get(name)).ended_us
        await store.owners.end(name)
        return bool(before)

    typer.echo(f"{name} has been ended{' already' if target.do(ended) else ''}")


def _check_name(name: str, arena: Arena) -> None:
    """Check that a name is given for a store, and none for an arena, where the token says who the owner is.

    Raises WrongUseError.
    """
    if arena.server is None and not name:
        raise WrongUseError("name an owner of the store, or give --server and the owner's token")
    if arena.server is not None and name:
        raise WrongUseError("with --server, the owner is the one of the token: give no name")


def _limits_text(limits: "OwnerLimits") -> str:
    return (
        f"{limits.bots} bots, {limits.versions} versions of each, {limits.packed_bytes // _MIB} MiB packed, "
        f"{limits.submissions} submissions in an hour"
    )
