"""`bot.toml`: what a submitted bot is called, how it starts, and what it plays."""

import tomllib
from reprlib import repr as shortened

import msgspec

from arena.names import NAME_RULE, is_name
from arena.packs.errors import ManifestError
from core_ext import VARIANTS

MANIFEST = "bot.toml"
LARGEST_MANIFEST = 1 << 13
"""Bytes. The time to read a key of many parts grows with the square of their number."""

RUNTIMES = ("python", "native", "wasm")

_MAX_ARGUMENTS = 32
_MAX_ARGUMENT_LENGTH = 1_000
_MAX_ABOUT_LENGTH = 500


class Manifest(msgspec.Struct, frozen=True):
    """The table `[bot]` of a manifest."""

    name: str
    command: tuple[str, ...]
    """What is run in the folder; its first word is `python` or the path of a program in the pack."""
    runtime: str = "python"
    variants: tuple[str, ...] = ()
    """The variants that it plays; none stands for all."""
    about: str = ""
    """One line for people."""
    single_threaded: bool = False
    """Whether it does without other threads and processes, which are refused to it then."""


_TABLES = {"bot", "parameters", "run"}
"""The tables of a manifest: what the bot is; what can be tuned; its rules where it runs by itself."""
_KEYS = {field.name: field for field in msgspec.structs.fields(Manifest)}
_KINDS = {str: "a string", tuple[str, ...]: "a list of strings", bool: "true or false"}
"""What each type of a key is called."""


def read_manifest(text: bytes) -> Manifest:
    """Read the content of `bot.toml`; ManifestError."""
    if len(text) > LARGEST_MANIFEST:
        raise ManifestError(f"{MANIFEST} has more than {LARGEST_MANIFEST:,} bytes")
    try:
        values = tomllib.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ManifestError(f"{MANIFEST}: this is no UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(f"{MANIFEST}: this is not TOML: {error}") from error
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{MANIFEST}: a number has too many digits, or values are nested too deep") from error
    if not isinstance(values.get("bot"), dict) or not values.keys() <= _TABLES:
        others = " and ".join(f"[{table}]" for table in sorted(_TABLES - {"bot"}))
        raise ManifestError(f"{MANIFEST}: everything has to stand in its table [bot], or in {others}")
    if (fault := _fault_of_keys(values["bot"])) is not None:
        raise ManifestError(f"{MANIFEST}: {fault}")
    manifest = msgspec.convert(values["bot"], Manifest)
    if (fault := _fault(manifest)) is not None:
        raise ManifestError(f"{MANIFEST}: {fault}")
    return manifest


def _fault_of_keys(bot: dict[str, object]) -> str | None:
    for key, value in bot.items():
        if key not in _KEYS:
            return f"there is no key {shortened(key)}; there are {', '.join(_KEYS)}"
        try:
            msgspec.convert(value, _KEYS[key].type)
        except msgspec.ValidationError:
            return f"{key} must be {_KINDS[_KEYS[key].type]}, not {shortened(value)}"
    missing = [key for key, field in _KEYS.items() if field.required and key not in bot]
    return f"{missing[0]} is missing" if missing else None


def _fault(manifest: Manifest) -> str | None:
    if not is_name(manifest.name):
        return f"the name {manifest.name!r} must be {NAME_RULE}"
    command = manifest.command
    if not command or len(command) > _MAX_ARGUMENTS:
        return f"command has {len(command)} words; it must have 1 to {_MAX_ARGUMENTS}"
    if any(not word or len(word) > _MAX_ARGUMENT_LENGTH or not word.isprintable() for word in command):
        return f"each word of command must be 1 to {_MAX_ARGUMENT_LENGTH} printable characters"
    if manifest.runtime not in RUNTIMES:
        return f"there is no runtime {manifest.runtime!r}; there are {', '.join(RUNTIMES)}"
    if (manifest.runtime == "python") != (command[0] == "python"):
        return f"the runtime is {manifest.runtime}, and command begins with {command[0]!r}: both say python, or neither"
    if manifest.single_threaded and manifest.runtime == "wasm":
        return "single_threaded is for the runtimes python and native: leave it out, wasm has no threads"
    for variant in manifest.variants:
        if variant not in VARIANTS:
            return f"there is no variant {variant!r}; there are {', '.join(VARIANTS)}"
    if len(set(manifest.variants)) != len(manifest.variants):
        return "a variant is named twice"
    if len(manifest.about) > _MAX_ABOUT_LENGTH or not manifest.about.isprintable():
        return f"about must be one line of at most {_MAX_ABOUT_LENGTH} printable characters"
    return None
