"""The file with the settings of `arena serve` and `arena web`, and where each setting comes from.

Each option is a setting, and has one name everywhere: `--tls-cert` of `arena serve` is `tls_cert` in the table
`[serve]`, and ARENA_SERVE_TLS_CERT in the environment. The store that both use, `data` and `redis`, stands above the
tables. What is typed counts for more than the environment, and that for more than the file.
"""

import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

import typer

from arena.cli.failures import WrongUseError
from arena.cli.targets import StoreOptions
from arena.league.toml_lines import line_of
from arena.private_files import check_private

COMMANDS = ("serve", "web")
"""The commands that have a table in the file."""
_FILE = "arena.config"
"""Where a context keeps the file that it was configured by."""
_META = frozenset({"config", "help"})
"""Options that are no settings."""


class _Loaded(NamedTuple):
    """A file that was read."""

    file: Path
    text: str

    def place(self, path: tuple[str, ...]) -> str:
        """Where a key stands."""
        return f"{self.file}, line {line_of(self.text, path)}"


class Setting(NamedTuple):
    """A setting as a command has it: its value, and where that comes from."""

    name: str
    value: str
    origin: str


def _load(context: typer.Context, file: Path | None) -> Path | None:
    """Take the command's settings from the file, if there is one. WrongUseError names the line and the key."""
    if file is None:
        return None
    loaded, document = _read(file)
    commands = context.find_root().command.commands  # type: ignore[attr-defined]
    settings: dict[str, Any] = {}
    for path, value in _keys(document):
        table = path[0] if len(path) > 1 else context.info_name
        options = {option.name: option for option in commands[table].params}
        allowed = {name for name in options if name not in _META and (name in StoreOptions._fields) == (len(path) == 1)}
        if path[-1] not in allowed:
            raise WrongUseError(f"{loaded.place(path)}: {_unknown(path, allowed)}")
        value = _checked(loaded, path, options[path[-1]], context, value)
        if table == context.info_name:
            settings[path[-1]] = value
    context.default_map = settings
    context.meta[_FILE] = loaded
    return file


ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="ARENA_CONFIG",
        is_eager=True,
        callback=_load,
        help="Take settings from this TOML file; `arena config show` shows them.",
    ),
]


def _read(file: Path) -> tuple[_Loaded, dict[str, Any]]:
    try:
        text = file.read_text("utf-8")
        return _Loaded(file, text), tomllib.loads(text)
    except OSError as error:
        raise WrongUseError(f"{file} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WrongUseError(f"{file} is no TOML: {error}") from error


def _keys(document: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The paths of all settings with their values."""
    for key, value in document.items():
        if key in COMMANDS and isinstance(value, dict):
            yield from (((key, inner), inner_value) for inner, inner_value in value.items())
        else:
            yield (key,), value


def _unknown(path: tuple[str, ...], allowed: set[str]) -> str:
    where = f"[{path[0]}] has" if len(path) > 1 else "outside of [serve] and [web] there is"
    close = get_close_matches(path[-1], allowed, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(sorted(allowed))}"
    return f"{where} no setting {path[-1]!r}; {hint}"


def _checked(loaded: _Loaded, path: tuple[str, ...], option: Any, context: typer.Context, value: Any) -> Any:
    """The value of a key as its option takes it. Raises WrongUseError, PrivateFileError."""
    name = ".".join(path)
    if isinstance(value, dict) or (isinstance(value, list) and not option.multiple):
        raise WrongUseError(f"{loaded.place(path)}: {name} takes one value")
    if option.is_flag and not isinstance(value, bool):
        raise WrongUseError(f"{loaded.place(path)}: {name} is true or false")
    if path[-1] == "redis" and urlsplit(str(value)).password:
        check_private(loaded.file)
    value = [value] if option.multiple and not isinstance(value, list) else value
    try:
        option.process_value(context, value)
    except typer.BadParameter as error:
        raise WrongUseError(f"{loaded.place(path)}: {name}: {error.message}") from error
    return value


def settings_of(context: typer.Context, prefix: str) -> list[Setting]:
    """The settings of a command whose options were read; `prefix` is that of its environment variables."""
    return [
        Setting(option.name, _shown(option.name, context.params[option.name]), _origin(context, option, prefix))
        for option in context.command.params
        if option.name is not None and option.name not in _META
    ]


def _shown(name: str, value: Any) -> str:
    """A value for people; of a store's URL without the password."""
    if name == "redis" and value is not None and (password := urlsplit(value).password):
        return str(value).replace(password, "***", 1)
    if value is None:
        return "-"
    return ", ".join(map(str, value)) or "-" if isinstance(value, list | tuple) else str(value)


def _origin(context: typer.Context, option: Any, prefix: str) -> str:
    source = context.get_parameter_source(option.name)
    match "" if source is None else source.name:
        case "COMMANDLINE":
            return "command line"
        case "ENVIRONMENT":
            return option.envvar or f"{prefix}_{option.name.upper()}"
        case "DEFAULT_MAP":
            loaded: _Loaded = context.meta[_FILE]
            shared = option.name in StoreOptions._fields
            return loaded.place((option.name,) if shared else (str(context.info_name), option.name))
    return "default"
