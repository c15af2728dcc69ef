"""`bot.toml`: what a submitted bot is called, how it starts, and what it plays."""

import re

import msgspec

from arena.packs.errors import ManifestError
from core_ext import VARIANTS

MANIFEST = "bot.toml"
LARGEST_MANIFEST = 1 << 13
"""Bytes. The time to read a key of many parts grows with the square of their number."""

RUNTIMES = ("python", "native", "wasm")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_MOST_ARGUMENTS = 32
_LONGEST_ARGUMENT = 1_000
_LONGEST_ABOUT = 500


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class _File(msgspec.Struct, forbid_unknown_fields=True):
    bot: Manifest


def read_manifest(text: bytes) -> Manifest:
    """Read the content of `bot.toml`; ManifestError."""
    if len(text) > LARGEST_MANIFEST:
        raise ManifestError(f"{MANIFEST} has more than {LARGEST_MANIFEST:,} bytes")
    try:
        manifest = msgspec.toml.decode(text, type=_File).bot
    except UnicodeDecodeError as error:
        raise ManifestError(f"{MANIFEST}: this is no UTF-8 text") from error
    except msgspec.DecodeError as error:
        raise ManifestError(f"{MANIFEST}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{MANIFEST}: a number has too many digits, or values are nested too deep") from error
    if (fault := _fault(manifest)) is not None:
        raise ManifestError(f"{MANIFEST}: {fault}")
    return manifest


def _fault(manifest: Manifest) -> str | None:
    if _NAME.fullmatch(manifest.name) is None:
        return (
            f"the name {manifest.name!r} must be 1 to 64 letters, digits, '.', '_' or '-', the first a letter or digit"
        )
    command = manifest.command
    if not command or len(command) > _MOST_ARGUMENTS:
        return f"command has {len(command)} words; it must have 1 to {_MOST_ARGUMENTS}"
    if any(not word or len(word) > _LONGEST_ARGUMENT or not word.isprintable() for word in command):
        return f"each word of command must be 1 to {_LONGEST_ARGUMENT} printable characters"
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
    if len(manifest.about) > _LONGEST_ABOUT or not manifest.about.isprintable():
        return f"about must be one line of at most {_LONGEST_ABOUT} printable characters"
    return None
