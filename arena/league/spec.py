"""League files: what a league is, read from TOML, refused with file, line and key where it is wrong."""

import difflib
import hashlib
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, NoReturn

import msgspec

from arena.league.boards import parse_secret
from arena.league.errors import BoardError, LeagueFileError
from arena.league.toml_lines import Path, key_lines

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
NAME_RULE = "a letter or digit, then up to 63 letters, digits, dots, underscores and hyphens"
DEFAULT_VARIANT = "koikoi"
HOUSE = "house:"

OptionValue = bool | int | float | str | tuple[bool | int | float | str, ...]

Count = Annotated[int, msgspec.Meta(ge=1)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0)]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot that enters: its name in the tables, how to find it, and the seed of its own randomness.

    `bot` is `house:NAME`, a path, or a registered name. The seed defaults to the name, so two entries of one house
    bot play differently.
    """

    name: str
    bot: str
    seed: str


class Division(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One variant's part of a league: `rounds` rounds of tables that play `boards` board sets each."""

    variant: str = DEFAULT_VARIANT
    rounds: Count = 5
    boards: Count = 4
    board_sets: Literal["mirror", "field"] = "mirror"
    options: dict[str, OptionValue] = {}


class LeagueSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A league as its owner described it; `name` is its identity.

    `lot` seeds the lots of pairing and standings. `secret` is 64 hex digits and marks the league as a test.
    """

    name: str
    entries: tuple[Entry, ...]
    divisions: tuple[Division, ...]
    lot: str
    secret: str | None = None
    per_decision_ms: Milliseconds = 2_000
    bank_ms: Milliseconds = 60_000
    policy: Literal["strict", "lenient"] = "strict"

    @property
    def is_test(self) -> bool:
        """Whether the owner fixed the secret and so could know every card."""
        return self.secret is not None

    def division(self, variant: str | None = None) -> Division:
        """The division of a variant, or the only one; KeyError if there is none such."""
        found = [division for division in self.divisions if variant in (None, division.variant)]
        if len(found) != 1:
            raise KeyError(variant)
        return found[0]


class _File(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of a league file with one division, and their types."""

    name: str
    entries: list[Any]
    variant: str = DEFAULT_VARIANT
    rounds: Count = 5
    boards: Count = 4
    board_sets: Literal["mirror", "field"] = "mirror"
    options: dict[str, Any] = {}
    lot: str | None = None
    secret: str | None = None
    per_decision_ms: Milliseconds = 2_000
    bank_ms: Milliseconds = 60_000
    policy: Literal["strict", "lenient"] = "strict"


def parse_league(text: str, source: str, variants: Collection[str] | None = None) -> LeagueSpec:
    """Read a league file; `source` names it in errors, `variants` are those that can be played (None: any).

    Raises LeagueFileError with the line and the key of the first fault.
    """
    return _Reader(text, source, variants).league()


def fault(text: str, source: str, path: Path, reason: str) -> LeagueFileError:
    """What to say of a league file that `parse_league` takes and that asks for what cannot be; `path` as in
    `key_lines`, an option by its flat name."""
    nested = tuple(part for key in path for part in (key.split(".") if isinstance(key, str) else (key,)))
    lines = key_lines(text)
    return _fault(source, lines, path if path in lines else nested, reason)


def canonical(spec: LeagueSpec) -> bytes:
    """The league as JSON with sorted keys: equal for files that mean the same, whatever their layout.

    Keys left at their defaults are left out, so a later default for a new key does not change a known league.
    """
    return msgspec.json.encode(spec, order="sorted")


def digest(spec: LeagueSpec) -> str:
    """SHA-256 of the canonical form in hex: a changed file under a known name shows here."""
    return hashlib.sha256(canonical(spec)).hexdigest()


class _Reader:
    def __init__(self, text: str, source: str, variants: Collection[str] | None) -> None:
        self.text = text
        self.source = source
        self.variants = variants
        self.lines: dict[Path, int] = {}

    def league(self) -> LeagueSpec:
        file = self._file(self._values())
        self._check_name(("name",), file.name)
        if self.variants is not None and file.variant not in self.variants:
            self._refuse(("variant",), f"unknown variant {file.variant!r}{_closest(file.variant, self.variants)}")
        if file.board_sets == "field":
            self._refuse(
                ("board_sets",),
                'only "mirror" is played: a field result needs the same board at the other tables of the round',
            )
        if file.secret is not None:
            try:
                parse_secret(file.secret)
            except BoardError as error:
                self._refuse(("secret",), str(error))
        if file.lot is not None and (not file.lot or "\n" in file.lot):
            self._refuse(("lot",), "must be one line, and not empty")
        return LeagueSpec(
            name=file.name,
            entries=self._entries(file.entries),
            divisions=(Division(file.variant, file.rounds, file.boards, file.board_sets, self._options(file.options)),),
            lot=file.name if file.lot is None else file.lot,
            secret=None if file.secret is None else file.secret.lower(),
            per_decision_ms=file.per_decision_ms,
            bank_ms=file.bank_ms,
            policy=file.policy,
        )

    def _values(self) -> dict[str, Any]:
        try:
            values = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            # tomllib of Python 3.11 gives the place in the message only, and none at the end of the document.
            place = re.search(r" \(at line (\d+), column (\d+)\)", str(error))
            line = int(place[1]) if place else self.text.count("\n") + 1
            raise LeagueFileError(self.source, line, None, f"not TOML: {error}") from error
        self.lines = key_lines(self.text)
        return values

    def _file(self, values: Mapping[str, Any]) -> _File:
        fields = {field.name: field for field in msgspec.structs.fields(_File)}
        for key in values:
            if key not in fields:
                self._refuse((key,), f"unknown key{_closest(key, fields)}")
        for name, field in fields.items():
            if name in values:
                self._typed((name,), values[name], field.type)
            elif field.required:
                raise LeagueFileError(self.source, None, name, "this key is missing")
        return msgspec.convert(values, _File)

    def _typed(self, path: Path, value: object, expected: Any) -> Any:
        try:
            return msgspec.convert(value, expected)
        except msgspec.ValidationError as error:
            self._refuse(path, str(error))

    def _options(self, options: Mapping[str, Any]) -> dict[str, OptionValue]:
        flat: dict[str, OptionValue] = {}
        for path, value in _leaves((), options):
            name = ".".join(path)
            if name in flat:
                self._refuse(("options", *path), "this option is given twice, flat and nested")
            flat[name] = self._typed(("options", *path), value, OptionValue)
        return dict(sorted(flat.items()))

    def _entries(self, entries: list[Any]) -> tuple[Entry, ...]:
        found: dict[str, Entry] = {}
        for index, value in enumerate(entries):
            path: Path = ("entries", index)
            value = self._typed(path, value, str | dict[str, Any])
            entry = self._entry(path, {"bot": value} if isinstance(value, str) else value)
            if entry.name in found:
                self._refuse(
                    path,
                    f'a second entry with the name {entry.name!r}: name it, {{ name = "…", bot = "{entry.bot}" }}',
                )
            found[entry.name] = entry
        if len(found) < 2:
            self._refuse(("entries",), f"a league needs at least two entries, found {len(found)}")
        return tuple(found.values())

    def _entry(self, path: Path, value: Mapping[str, Any]) -> Entry:
        known = Entry.__struct_fields__
        for key, part in value.items():
            if key not in known:
                self._refuse((*path, key), f"unknown key{_closest(key, known)}")
            self._typed((*path, key), part, str)
        bot = value.get("bot", "")
        if not bot:
            self._refuse(path, 'an entry needs a bot: "house:NAME", a path, or a registered name')
        name = value.get("name", default_name(bot))
        self._check_name((*path, "name") if "name" in value else path, name)
        seed = value.get("seed", name)
        if not seed:
            self._refuse((*path, "seed"), "a seed must not be empty")
        return Entry(name, bot, seed)

    def _check_name(self, path: Path, name: str) -> None:
        if NAME.fullmatch(name) is None:
            self._refuse(path, f"{name!r} is no name: {NAME_RULE}")

    def _refuse(self, path: Path, reason: str) -> NoReturn:
        raise _fault(self.source, self.lines, path, reason)


def default_name(bot: str) -> str:
    """The name an entry has when it gives none: of `house:greedy` and of `./bots/greedy.py`, `greedy`."""
    return bot.removeprefix(HOUSE) if bot.startswith(HOUSE) else PurePosixPath(bot).name.removesuffix(".py")


def _fault(source: str, lines: Mapping[Path, int], path: Path, reason: str) -> LeagueFileError:
    """The error at a key, or at the nearest one around it that has a line."""
    line = next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), None)
    return LeagueFileError(source, line, _dotted(path), reason)


def _leaves(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterable[tuple[tuple[str, ...], object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves((*path, key), value)
        else:
            yield (*path, key), value


def _closest(key: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = difflib.get_close_matches(key, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(names)}"


def _dotted(path: Path) -> str:
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text
