"""`arena bot …`"""

import re
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from arena.challenges import Challenges
from arena.cli import analysis, bot_run, completion, tune
from arena.cli.commands import command
from arena.cli.failures import WrongUseError
from arena.cli.interrupts import saying_if_stopped
from arena.cli.output import print_answer, say
from arena.cli.targets import Arena, StoreOptions
from arena.cli.values import BOTS, DEFAULT_DATA, SHORT, AsJson, Data, Uncaged, Variant, confinement_of
from arena.printable import printable
from bots import is_house_name

if TYPE_CHECKING:
    from arena.remote.client import Client
    from arena.store import Bot, Store

_MAX_OWNER_LENGTH = 128
_NAME = "my-bot"
"""What a new bot is called in the files to start from."""

Language = Literal["python", "javascript", "c", "c-wasm", "rust", "go"]
_STARTERS: dict[Language, tuple[str, tuple[str, ...], str]] = {
    "python": ("arena.sdk", ("template",), "bot.py"),
    "javascript": ("bots", ("starters/nodejs",), "bot.js"),
    "c": ("bots", ("starters/c",), "bot.c"),
    "c-wasm": ("bots", ("starters/c", "starters/wasm"), "bot.c"),
    "rust": ("bots", ("starters/rust",), "bot.rs"),
    "go": ("bots", ("starters/go",), "bot.go"),
}
"""By language: the package and its folders of files to start from, the later ones over the earlier, and the program."""
_BUILDS = {
    "c": ("gcc -O2 -static -o {}", "bot"),
    "c-wasm": ("clang --target=wasm32-wasi --sysroot=/usr -O2 -o {}", "bot.wasm"),
    "rust": ("rustc -O --edition 2021 -C strip=symbols -C target-feature=+crt-static -o {}", "bot"),
    "go": ("CGO_ENABLED=0 go build -o {}", "bot"),
}
"""How what has to be built is built, and what comes of it."""

_CHALLENGERS = {
    Challenges.OWNER: "its owner's bots",
    Challenges.ANYONE: "anyone",
    Challenges.NONE: "nobody",
}

app = typer.Typer(name="bot", help="Write, check and register bots.", no_args_is_help=True)

Name = Annotated[
    str,
    typer.Argument(
        autocompletion=completion.registered,
        metavar="NAME",
        help="The bot's name: letters, digits, dots, underscores, hyphens.",
    ),
]

Version = Annotated[
    str, typer.Argument(metavar="VERSION", help="The version, or the beginning of its digest that no other has.")
]

TakesChallenges = Annotated[
    Challenges,
    typer.Option(
        metavar="|".join(Challenges).upper(),
        case_sensitive=False,
        help="From whom it takes challenges: the bots of its owner, anyone, or nobody.",
    ),
]


@command(app, "arena bot new my-bot", "arena bot new my-js-bot --language javascript")
def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to create.")],
    language: Annotated[
        Language, typer.Option(metavar="|".join(_STARTERS).upper(), case_sensitive=False, help="The bot's language.")
    ] = "python",
) -> None:
    """Write a bot that plays as it is, to start from."""
    from importlib.resources import files

    from arena.packs.manifest import MANIFEST

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WrongUseError(f"{folder} exists and is not an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    package, starters, program = _STARTERS[language]
    for template in (entry for starter in starters for entry in files(package).joinpath(starter).iterdir()):
        if template.is_file():
            written = folder / template.name
            written.write_bytes(template.read_bytes())
            if written.name == MANIFEST:
                written.write_text(written.read_text().replace(f'"{_NAME}"', f'"{_name_of(folder)}"'))
            if written.suffix == ".js" and written.name == program:
                written.chmod(0o755)
    path = quote(str(folder / program))
    typer.echo(f"A bot is in {folder}.")
    if language in _BUILDS:
        build, built = _BUILDS[language]
        typer.echo(f"Build it: {build.format(quote(str(folder / built)))} {path}")
        typer.echo("It plays over standard input and output, in a cage: see docs/protocol.md.")
        path = quote(str(folder))
    uncaged = " --uncaged" if language == "javascript" else ""
    typer.echo(f"Play it: arena match play {path} house:greedy --seed 7{uncaged}")
    if uncaged:
        typer.echo("No cage has Node.js: --uncaged runs a bot of your own with all your rights.")


def _name_of(folder: Path) -> str:
    """The name of a new bot: its folder's, without what no name of a bot has."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("-._")[:64] or _NAME


@command(app, "arena bot check my-bot", "arena bot check ./my_bot.py --variant kyogi")
def check(
    bot: Annotated[str, typer.Argument(autocompletion=completion.bots, metavar="BOT", help=f"The bot: {BOTS}.")],
    variant: Variant = "koikoi",
    uncaged: Uncaged = False,
    decision_ms: Annotated[int, typer.Option(metavar="MS", min=0, help="Time for each decision.")] = 2_000,
    bank_ms: Annotated[int, typer.Option(metavar="MS", min=0, help="Time for a match beyond that.")] = 10_000,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Test that a bot keeps the protocol.

    Plays it through matches in a cage, and with --uncaged, as house bots always, through lost connections too. Of a
    folder, it plays what `arena bot submit` would send in. Shows the decision at which it fails. Exit status 1 if it
    does. A bot that thinks for ever is found within 12 s: matches have 60 s beyond each decision's time, a check 10.
    """
    from arena.cli.aio import run
    from arena.cli.bot_check import show_check
    from arena.cli.values import time_control
    from core_ext import variant_info

    variant_info(variant)  # an unknown one is refused before the bot is started
    time = time_control(decision_ms, bank_ms)
    with saying_if_stopped(lambda: "stopped: nothing of the check is kept"):
        run(show_check(bot, variant, confinement_of(uncaged), time, StoreOptions(data), as_json=as_json))


command(
    app,
    "arena bot ask ./my_bot.py spring.koikoi.r1.t1.b1.a",
    "arena bot ask house:expert spring.koikoi.r1.t1.b1.a --decision 3",
    name="ask",
)(analysis.ask)


command(
    app,
    "arena bot run ./my-bot --server localhost:7777 --token @my-bot.token",
    "arena bot run my-bot --server localhost:7777 --dry-run",
    name="run",
)(bot_run.run_bot)


command(
    app,
    "arena bot tune ./my_bot.py --param k=0.5:3 --param n=1:40:int",
    "arena bot tune my-bot --trials 100 --plot tuning.svg",
    name="tune",
)(tune.tune)


@command(app, "arena bot create my-bot --owner alice")
def create(
    name: Name,
    place: StoreOptions,
    owner: Annotated[
        str,
        typer.Option(
            autocompletion=completion.owners,
            metavar="NAME",
            help="Whose bot it is; field leagues keep bots of one owner apart.",
        ),
    ] = "",
    challenges: TakesChallenges = Challenges.OWNER,
    as_json: AsJson = False,
) -> None:
    """Register a bot and print its token.

    The token is shown only once: the arena keeps just its hash.
    """
    if len(owner) > _MAX_OWNER_LENGTH or not owner.isprintable():
        raise WrongUseError(f"an owner is one line of at most {_MAX_OWNER_LENGTH} printable characters")
    if is_house_name(name):
        raise WrongUseError(f"the name {name!r} is a house bot's; choose another")

    async def created(store: "Store") -> "tuple[Bot, str]":
        made = await store.bots.create(name, owner=owner)
        if challenges is not Challenges.OWNER:
            await store.bots.take_challenges(name, challenges)
        return made

    place.register("bot", name, created, as_json=as_json)


@command(app, "arena bot set my-bot --challenges anyone", name="set")
def change(name: Name, challenges: TakesChallenges, arena: Arena) -> None:
    """Change from whom a bot takes challenges."""
    from hanafuda.arena.v1.bot_pb2 import Challenges as OnTheWire
    from hanafuda.arena.v1.bot_pb2 import UpdateBotRequest

    request = UpdateBotRequest(bot=name, challenges=OnTheWire.Value(f"CHALLENGES_{challenges.name}"))
    arena.do(lambda client: client.call(client.bots.UpdateBot, request))
    typer.echo(f"{name} takes challenges from {_CHALLENGERS[challenges]}")


@command(app, "arena bot token my-bot", name="token")
def new_token(name: Name, arena: Arena) -> None:
    """Give a bot a new token; the old one stops working at once."""
    from hanafuda.arena.v1.bot_pb2 import RotateBotTokenRequest

    request = RotateBotTokenRequest(bot=name)
    typer.echo(arena.do(lambda client: client.call(client.bots.RotateBotToken, request)).token)


@command(app, "arena bot list --json", name="list")
def list_bots(arena: Arena, as_json: AsJson = False) -> None:
    """List the registered bots.

    Shows each bot's owner, its active version, from whom it takes challenges if not from its owner's bots alone, and
    with --server whether it is connected.
    """
    from arena.cli.infos import bot_document
    from hanafuda.arena.v1.bot_pb2 import ListBotsRequest

    listed = arena.read(lambda client: client.list_all(client.bots.ListBots, ListBotsRequest(), lambda page: page.bots))
    bots = [bot_document(bot, is_called=arena.server is not None) for bot in listed]
    print_answer(as_json, {"bots": bots}, map(_line, bots))


def _line(bot: dict[str, Any]) -> str:
    parts = (
        f"{bot['name']}  {bot['owner']}".rstrip(),
        bot["active"] and f"active: {bot['active'][:SHORT]}",
        bot["connected"] and "connected",
        bot["challenges"] != Challenges.OWNER and f"challenges: {bot['challenges']}",
    )
    return "  ".join(filter(None, parts))


@command(
    app,
    "arena bot submit my-bot --activate",
    "arena bot submit my-bot --server arena.example:7777 --token @owner.token",
)
def submit(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The bot's folder, with its bot.toml.")],
    arena: Arena,
    activate: Annotated[
        bool, typer.Option("--activate", help="Let it play where the bot is named, once it has qualified.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Send in a bot as a version of it, which has to qualify.

    The version is the SHA-256 of the folder's content. It qualifies by playing each of its variants in a cage. With
    --server and an owner's token, the first submission of a new name makes the bot the owner's; a connection that is
    lost is taken up again. Exit status 1 if the version does not qualify.
    """
    from arena.cli.aio import run
    from arena.cli.submit import submit_here, submit_to
    from arena.packs.packing import pack

    packed = pack(folder)
    label = f"{packed.manifest.name}@{packed.version[:SHORT]}"
    say(f"packed   {packed.files} files, {len(packed.data):,} bytes: {label}")
    submitted = (
        submit_here(packed, activate, arena.store)
        if arena.server is None
        else submit_to(arena.server, packed, activate)
    )
    with saying_if_stopped(lambda: f"{label} has not qualified yet; the same command continues where it was"):
        status = run(submitted)
    lines = [f"{label} is {status}"]
    if status == "qualified":
        version = packed.version[:SHORT]
        lines.append(f"let it play: arena bot activate {packed.manifest.name} {version}{arena.flags}")
    print_answer(as_json, {"bot": packed.manifest.name, "version": packed.version, "status": status}, lines)


@command(app, "arena bot versions my-bot")
def versions(name: Name, arena: Arena, as_json: AsJson = False) -> None:
    """List the versions of a bot, the oldest first."""
    from arena.cli.infos import minute, version_document
    from hanafuda.arena.v1.bot_pb2 import ListVersionsRequest

    request = ListVersionsRequest(bot=name)
    listed = arena.read(lambda client: client.list_all(client.bots.ListVersions, request, lambda page: page.versions))
    rows = [version_document(version) for version in listed]
    lines = []
    for version, row in zip(listed, rows, strict=True):
        created = minute(version.created_at.seconds)
        marks = [row["status"], *(mark for mark in ("active", "reproducible") if row[mark])]
        reason = f": {_in_one_line(row['failure'])}" if row["failure"] else ""
        lines.append(f"{row['version'][:SHORT]}  {created}  {', '.join(marks)}{reason}")
    print_answer(as_json, {"bot": name, "versions": rows}, lines)


@command(app, "arena bot logs my-bot --last 1")
def logs(
    name: Name,
    arena: Arena,
    version: Annotated[str, typer.Option(metavar="VERSION", help="Only of a version, by its digest's beginning.")] = "",
    match: Annotated[str, typer.Option(metavar="ID", help="Only of this match.")] = "",
    last: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="The last N matches with output.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Show what a submitted bot wrote in its matches.

    The last match comes last. Its owner can read it when every match on the same cards is over. Of each match the
    beginning and the end are kept.
    """
    from arena.cli.infos import output_document
    from hanafuda.arena.v1.bot_pb2 import ListOutputsRequest

    request = ListOutputsRequest(bot=name, version=version, match_id=match, page_size=last)
    outputs = arena.do(lambda client: client.call(client.bots.ListOutputs, request)).outputs
    documents = [output_document(output) for output in reversed(outputs)]
    print_answer(as_json, {"bot": name, "outputs": documents}, _output_lines(name, documents))


def _output_lines(name: str, documents: list[dict[str, Any]]) -> Iterator[str]:
    if not documents:
        yield f"no version of {name} wrote anything in a match whose cards may be known"
    for document in documents:
        where = f"match {document['match']}" if document["match"] else "qualification"
        yield f"{name}@{document['version'][:SHORT]}, {where}:"
        for line in document["lines"]:
            for text in line["text"].splitlines():
                yield f"  {line['written_at']}  {printable(text.expandtabs(4))}"
        if document["left_out"]:
            yield f"  ({document['left_out']:,} bytes from the middle were not kept)"


def _in_one_line(failure: str) -> str:
    """The first line; where that announces what the bot wrote, with the last, which says most in a traceback."""
    first, *more = failure.splitlines()
    return f"{first} {more[-1].strip()}" if more and first.endswith(":") else first


@command(app, "arena bot activate my-bot 3f9c")
def activate(name: Name, version: Version, arena: Arena) -> None:
    """Let a qualified version play where its bot is named."""
    from hanafuda.arena.v1.bot_pb2 import ActivateVersionRequest

    request = ActivateVersionRequest(bot=name, version=version)
    changed = arena.do(lambda client: client.call(client.bots.ActivateVersion, request)).version
    typer.echo(f"{name}@{changed.version[:SHORT]} is active")


@command(app, "arena bot retire my-bot 3f9c")
def retire(name: Name, version: Version, arena: Arena) -> None:
    """Stop a version from entering leagues and matches. Activating it again undoes this."""
    from hanafuda.arena.v1.bot_pb2 import VERSION_STATUS_RETIRED, ListVersionsRequest, RetireVersionRequest

    async def change(client: "Client") -> tuple[str, bool]:
        listed = await client.list_all(
            client.bots.ListVersions, ListVersionsRequest(bot=name), lambda page: page.versions
        )
        request = RetireVersionRequest(bot=name, version=version)
        retired = (await client.call(client.bots.RetireVersion, request)).version.version
        return retired, any(info.version == retired and info.status == VERSION_STATUS_RETIRED for info in listed)

    retired, before = arena.do(change)
    typer.echo(f"{name}@{retired[:SHORT]} {'was retired already' if before else 'is retired'}")


@command(app, "arena bot take-out my-bot 3f9c")
def take_out(name: Name, version: Version, place: StoreOptions) -> None:
    """Bar a version for good. It forfeits its remaining matches; its past results stay."""

    async def change(store: "Store") -> str:
        stored = await store.versions.find(name, version)
        await store.versions.take_out(name, stored.version)
        return stored.version

    typer.echo(f"{name}@{place.do(change)[:SHORT]} is taken out")
