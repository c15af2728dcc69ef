"""`arena bot …`"""

import re
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.challenges import Challenges
from arena.cli.commands import command
from arena.cli.documents import print_answer
from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.places import Arena, StoreOptions
from arena.cli.values import AsJson, Uncaged, Variant, confinement_of
from bots import is_house_name

if TYPE_CHECKING:
    from arena.conformance.check import Report
    from arena.launcher.path_bots import Confinement
    from arena.launcher.sources import PathBot
    from arena.match.question import Question
    from arena.seats.watched import Step
    from arena.store import Store

_LONGEST_OWNER = 128
_NAME = "my-bot"
"""What a new bot is called in the files to start from."""


Language = Literal["python", "javascript", "c", "c-wasm"]
_STARTERS: dict[Language, tuple[str, tuple[str, ...], str]] = {
    "python": ("arena.sdk", ("template",), "bot.py"),
    "javascript": ("bots", ("starters/nodejs",), "bot.js"),
    "c": ("bots", ("starters/c",), "bot.c"),
    "c-wasm": ("bots", ("starters/c", "starters/wasm"), "bot.c"),
}
"""By language: the package and its folders of files to start from, the later ones over the earlier, and the program."""
_BUILDS = {
    "c": ("gcc -O2 -static -o {}", "bot"),
    "c-wasm": ("clang --target=wasm32-wasi --sysroot=/usr -O2 -o {}", "bot.wasm"),
}
"""How what has to be built is built, and what comes of it."""

app = typer.Typer(name="bot", help="Write, check and register bots.", no_args_is_help=True)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The bot's name: letters, digits, dots, underscores, hyphens.")
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
    for template in (one for starter in starters for one in files(package).joinpath(starter).iterdir()):
        if template.is_file():
            written = folder / template.name
            written.write_bytes(template.read_bytes())
            if written.name == MANIFEST:
                written.write_text(written.read_text().replace(f'"{_NAME}"', f'"{_name_of(folder)}"'))
            if written.suffix == ".js" and written.name == program:
                written.chmod(0o755)
    path = quote(str(folder / program))
    if language in _BUILDS:
        build, built = _BUILDS[language]
        typer.echo(f"A bot is in {folder}. Build it: {build.format(quote(str(folder / built)))} {path}")
        typer.echo("It plays over its standard input and output, in the arena's cage: see docs/protocol.md.")
        typer.echo(f"Play it: arena match play {quote(str(folder))} house:greedy --seed 7")
        return
    typer.echo(f"A bot is in {folder}. Play it: arena match play {path} house:greedy --seed 7")


def _name_of(folder: Path) -> str:
    """The name of a new bot: its folder's, without what no name of a bot has."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("-._")[:64] or _NAME


@command(app, "arena bot check my-bot", "arena bot check ./my_bot.py --variant kyogi")
def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot's path: a file, or a folder with its bot.toml.")],
    variant: Variant = "koikoi",
    uncaged: Uncaged = False,
) -> None:
    """Test that a bot keeps the protocol.

    Plays it through matches in a cage, and with --uncaged through lost connections too. Of a folder, it plays what
    `arena bot submit` would send in. Shows the decision at which it fails. Exit status 1 if it does.
    """
    from arena.cli.aio import run
    from arena.launcher.sources import PathBot, folder_bot, parse_source
    from core_ext import variant_info

    source = folder_bot(Path(bot).resolve(), bot) if Path(bot).is_dir() else parse_source(bot)
    if not isinstance(source, PathBot):
        raise WrongUseError(
            f"there is no folder {bot!r}; a bot's program is named by its path, for example ./my_bot.py"
        )
    variant_info(variant)  # an unknown one is refused before the bot is started
    if variant not in (source.variants or (variant,)):
        raise WrongUseError(f"{bot} does not play {variant}: its bot.toml has {', '.join(source.variants)}")
    _report(bot, run(_check(source, variant, confinement_of(uncaged))))


@command(app, "arena bot create my-bot --owner alice")
def create(
    name: Name,
    place: StoreOptions,
    owner: Annotated[
        str, typer.Option(metavar="NAME", help="Whose bot it is; field leagues keep bots of one owner apart.")
    ] = "",
    challenges: TakesChallenges = Challenges.OWNER,
) -> None:
    """Register a bot and print its token.

    The token is shown only once: the arena keeps just its hash.
    """
    if len(owner) > _LONGEST_OWNER or not owner.isprintable():
        raise WrongUseError(f"an owner is one line of at most {_LONGEST_OWNER} printable characters")
    if is_house_name(name):
        raise WrongUseError(f"the name {name!r} is a house bot's; choose another")

    async def created(store: "Store") -> str:
        _, token = await store.bots.create(name, owner=owner)
        if challenges is not Challenges.OWNER:
            await store.bots.take_challenges(name, challenges)
        return token

    typer.echo(place.do(created, create=True))


@command(app, "arena bot set my-bot --challenges anyone", name="set")
def change(name: Name, challenges: TakesChallenges, arena: Arena) -> None:
    """Change from whom a bot takes challenges."""
    from hanafuda.arena.v1.bot_pb2 import Challenges as OnTheWire
    from hanafuda.arena.v1.bot_pb2 import UpdateBotRequest

    request = UpdateBotRequest(bot=name, challenges=OnTheWire.Value(f"CHALLENGES_{challenges.name}"))
    arena.do(lambda client: client.call(client.bots.UpdateBot, request))


@command(app, "arena bot token my-bot", name="token")
def new_token(name: Name, arena: Arena) -> None:
    """Give a bot a new token; the old one stops working at once."""
    from hanafuda.arena.v1.bot_pb2 import RotateBotTokenRequest

    request = RotateBotTokenRequest(bot=name)
    typer.echo(arena.do(lambda client: client.call(client.bots.RotateBotToken, request)).token)


@command(app, "arena bot list --json", name="list")
def list_bots(arena: Arena, as_json: AsJson = False) -> None:
    """List the registered bots."""
    from hanafuda.arena.v1.bot_pb2 import ListBotsRequest

    bots = arena.do(lambda client: client.all(client.bots.ListBots, ListBotsRequest(), lambda page: page.bots))
    document = {"bots": [{"name": bot.name, "owner": bot.owner} for bot in bots]}
    print_answer(as_json, document, (f"{bot.name}  {bot.owner}".rstrip() for bot in bots))


def _show(outcome: "Step") -> None:
    typer.echo(f"{'FAILED' if outcome.fault else 'ok':<6}  {outcome.name}")


def _show_wait(question: "Question") -> None:
    where = f"decision {question.number} of match {question.spec.match_id}"
    typer.echo(f"waits   for {where}: the bot has {question.limit_ms / 1000:g} s for it")


def _report(bot: str, report: "Report") -> None:
    if report.reproducible is False:
        typer.echo("note    it played one match in two different ways: draw from decision.random to be reproducible")
    if report.passed:
        typer.echo(f"{bot} keeps the protocol")
        return
    failed = report.outcomes[-1]
    parts = [f"{bot}: {failed.fault}", failed.decision, report.output and f"it wrote:\n{report.output}"]
    raise CheckFailedError("\n".join(filter(None, parts)))


async def _check(bot: "PathBot", variant: str, confinement: "Confinement") -> "Report":
    """Check a bot, uncaged if that is asked for or no cage can be had. SubmissionError for a folder that is no pack."""
    from contextlib import closing
    from functools import partial

    from arena.conformance.check import check_bot
    from arena.launcher.cage.errors import CageError
    from arena.launcher.cage.paths import program_in
    from arena.launcher.cage.shared import SharedCages
    from arena.launcher.path_bots import CAGE_HINT, Confinement
    from arena.packs.packing import pack, unpack
    from arena.scratch import scratch_folder

    checked = partial(check_bot, bot, variant, show=_show, show_wait=_show_wait)
    with scratch_folder() as scratch, closing(SharedCages()) as cages:
        if bot.manifest is not None:
            unpack(pack(bot.path).data, scratch / "bot")
        if confinement is not Confinement.UNCAGED:
            try:
                program = None if bot.manifest is None else program_in(scratch / "bot", bot.manifest)
                report = await checked(cages=cages.get(), program=program)
            except CageError as error:
                typer.echo(f"{bot.path.name} is checked without a cage: {' '.join(str(error).split())}", err=True)
            else:
                if report.outcomes[0].fault:
                    typer.echo(CAGE_HINT, err=True)
                return report
        return await checked()
