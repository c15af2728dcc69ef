"""Reading what stands on a command line."""

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from arena.cli import completion, output
from arena.cli.failures import WrongUseError
from arena.private_files import read_secret

if TYPE_CHECKING:
    from arena.launcher.path_bots import Confinement
    from arena.match.model import Policy, TimeControl


def _read_url(context: typer.Context, option: typer.CallbackParam, text: str | None) -> str | None:
    """The URL of a store, which `@FILE` reads from a file; PrivateFileError, and BadParameter for a typed password."""
    if text is None:
        return None
    if text.startswith("@"):
        return read_secret(Path(text[1:]))
    source = context.get_parameter_source(option.name or "")
    if source is not None and source.name == "COMMANDLINE" and ":" in text.rpartition("@")[0].partition("//")[2]:
        raise typer.BadParameter(
            "every user of this machine can read a password there: give @FILE, a file of mode 0600, or ARENA_REDIS"
        )
    return text


Variant = Annotated[
    str,
    typer.Option(
        metavar="VARIANT",
        help="The game: koikoi, koikoi45, kyogi, hachihachi, sangohana.",
        autocompletion=completion.variants,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="K=V",
        help="A house option, repeatable; V is JSON, else a string. `arena tables` lists them.",
    ),
]
Data = Annotated[
    Path, typer.Option(metavar="DIR", envvar="ARENA_DATA", help="The folder in which the arena keeps its state.")
]
RedisUrl = Annotated[
    str | None,
    typer.Option(
        "--redis",
        metavar="URL",
        envvar="ARENA_REDIS",
        callback=_read_url,
        help="Use this Redis or Valkey instead of the embedded server; @FILE reads the URL from a file.",
    ),
]


class LanguageCode(StrEnum):
    """A language in which pages are written."""

    EN = "en"
    JA = "ja"


InLanguage = Annotated[
    LanguageCode, typer.Option("--language", metavar="LANGUAGE", help="The language in which it is written: en or ja.")
]
AsJson = Annotated[
    bool, typer.Option("--json", callback=output.request_document, help="Print one JSON document and nothing else.")
]

Lenient = Annotated[
    bool, typer.Option("--lenient", help="Play the default action when a bot fails, three times before it forfeits.")
]
Uncaged = Annotated[
    bool, typer.Option("--uncaged", help="Run bots by path with all your rights instead of in a cage, to debug them.")
]
Seats = Annotated[int | None, typer.Option(metavar="N", help="The number of seats, where the game leaves a choice.")]
EnteredBot = Annotated[
    str,
    typer.Argument(
        autocompletion=completion.bots,
        metavar="BOT",
        help="house:NAME, a path, a registered name, or NAME@VERSION.",
    ),
]
"""The bot that enters a league or a ladder."""
LeagueName = Annotated[
    str, typer.Argument(autocompletion=completion.leagues, metavar="NAME", help="The league's name.")
]

SigningKeyText = Annotated[
    str | None,
    typer.Option("--key", metavar="KEY", help="Demand the signature of this arena: hfk_… of `arena doctor`."),
]

DEFAULT_DATA = Path("arena-data")
BOTS = "house:NAME, a path, a folder, or a submitted NAME or NAME@VERSION"
OWN_BOTS = "house:NAME, a path or a folder"
"""How bots are named wherever a command starts them, for its help."""
_MAX_VALUE_LENGTH = 1_000
SHORT = 12
"""Digits of a version where people read it."""


def confinement_of(uncaged: bool) -> "Confinement":
    """Where a command on one's own machine runs bots by path."""
    from arena.launcher.path_bots import Confinement

    return Confinement.UNCAGED if uncaged else Confinement.CAGED


class MatchOptions(NamedTuple):
    """How matches on this machine are played."""

    option: Options = None
    decision_ms: Annotated[int, typer.Option(metavar="MS", min=0, help="Time for each decision.")] = 2_000
    bank_ms: Annotated[int, typer.Option(metavar="MS", min=0, help="Time for the whole match beyond that.")] = 60_000
    start_ms: Annotated[
        int, typer.Option(metavar="MS", min=1, max=3_600_000, help="Time for a bot to start and connect.")
    ] = 30_000
    lenient: Lenient = False
    uncaged: Uncaged = False
    data: Data = DEFAULT_DATA

    def time(self) -> "TimeControl":
        """The time control. Raises WrongUseError."""
        return time_control(self.decision_ms, self.bank_ms)

    def policy(self) -> "Policy":
        """What becomes of a bot that fails."""
        from arena.match.model import Policy

        return Policy.LENIENT if self.lenient else Policy.STRICT


def time_control(decision_ms: int | None, bank_ms: int | None) -> "TimeControl":
    """A time control; what is not given is as by default. Raises WrongUseError."""
    from arena.match.model import TimeControl

    default = TimeControl()
    try:
        return TimeControl(
            default.per_decision_ms if decision_ms is None else decision_ms,
            default.bank_ms if bank_ms is None else bank_ms,
        )
    except ValueError as error:
        raise WrongUseError(str(error)) from error


def options_of(pairs: Sequence[str] | None) -> dict[str, object]:
    """Return `["months=3", "sanko=exact"]` as a mapping. A value is JSON, else it is taken as a string."""
    options: dict[str, object] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise WrongUseError(f"--option takes NAME=VALUE, not {pair!r}")
        if len(value) > _MAX_VALUE_LENGTH:
            raise WrongUseError(f"--option {name} has a value of {len(value)} characters")
        if name in options:
            raise WrongUseError(f"--option {name} is given twice")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):  # no JSON, or of more digits or brackets than can mean anything
            options[name] = value
    return options


def check_file(path: Path, what: str) -> None:
    """Check that what is at the path, if anything is, can be read to its end. `what` it should be. WrongUseError."""
    if path.is_dir():
        raise WrongUseError(f"{path} is a folder, not {what}")
    if path.is_char_device() or path.is_block_device():
        raise WrongUseError(f"{path} is a device, not {what}")


def names_of(option: str, text: str, *, repeats: bool = False) -> tuple[str, ...]:
    """`"koikoi, kyogi"` as names; WrongUseError where one is empty, or repeated without `repeats`."""
    names = tuple(part.strip() for part in text.split(","))
    if not all(names):
        raise WrongUseError(f"{option} takes names with a comma between each two, not {text!r}")
    if not repeats:
        for name in names:
            if names.count(name) > 1:
                raise WrongUseError(f"{option} names {name!r} twice")
    return names


def signing_key_of(text: str | None) -> bytes | None:
    """The public key that `--key` demands, None where it demands none; WrongUseError."""
    from arena.signatures import SignatureError, parse_key

    try:
        return None if text is None else parse_key(text)
    except SignatureError as error:
        raise WrongUseError(f"--key: {error}") from error
