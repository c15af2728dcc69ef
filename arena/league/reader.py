"""League files: read from TOML, refused with file, line and key where they are wrong."""

import difflib
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from reprlib import repr as shortened
from types import NoneType
from typing import Annotated, Any, Literal, NoReturn, cast, get_args, get_origin

import msgspec

from arena.league import schedule as schedules
from arena.league.boards import parse_secret
from arena.league.errors import BoardError, LeagueFileError, ScheduleError
from arena.league.ladder_terms import Ladder
from arena.league.methods.registry import PAIRINGS, method_of
from arena.league.schedule import Schedule
from arena.league.spec import (
    DEFAULT_VARIANT,
    LADDER,
    Division,
    Entry,
    LeagueSpec,
    LuckValue,
    OptionValue,
    default_name,
    default_pairing,
)
from arena.league.toml_lines import Path, holds, line_of
from arena.names import NAME_RULE, is_name, is_season
from core_ext import VARIANTS, variant_info
from core_ext.errors import OptionError
from core_ext.options import expanded


def _types(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(kind)}


# The keys of each table of a league file, and the types of their values as they stand there.
_ENTRY = _types(Entry) | {"variants": list[str]}
_DIVISION = {key: kind for key, kind in _types(Division).items() if key != "luck_value"}
_DIVISION |= {"options": dict[str, Any], "adjusted": bool}
_LADDER = {key: kind for key, kind in _types(Ladder).items() if key not in ("start", "shared")}
_TABLES = {
    "entries": list[Any],
    "divisions": list[dict[str, Any]],
    "schedule": dict[str, Any],
    "ladder": dict[str, Any],
}
_FILE = _DIVISION | _types(LeagueSpec) | _TABLES

_KINDS = {
    int: "a whole number",
    bool: "true or false",
    str: "a string",
    dict[str, Any]: "a table",
    str | dict[str, Any]: "a string or a table",
    list[Any]: "a list",
    list[str]: "a list of strings",
    list[dict[str, Any]]: "a list of tables",
    OptionValue: "true or false, a number, a string, or a list of these",
}
"""What each type of a value is called."""
_OF_A_DIVISION = ("variant", "seats", "options")
_MAX_SCHEDULED_NAME_LENGTH = 56
"""Leaves room for the number of an occurrence."""
_MAX_LADDER_NAME_LENGTH = 48
"""Leaves room for what the names of seasons have besides."""
_NOT_OF_A_LADDER = {
    "divisions": "a ladder is of one variant: open one ladder for each",
    "schedule": "a ladder begins its seasons by itself, one after the other: it has no schedule",
    "secret": "each season of a ladder draws a secret of its own",
    "beacon_round": "a ladder begins its seasons by itself, and somebody has to bring the beacon's signature",
    "pairing": "a ladder chooses its tables by what they would tell: it has no other pairing",
    "bracket": "a ladder has no bracket",
    "owners_apart": "a ladder keeps bots of one owner apart wherever it can",
    "bots_per_owner": "a ladder gives owners even shares of its tables, however many bots they have",
}
"""The keys of a league file that a ladder's does not have, and why."""


def parse_league(
    text: str, source: str, *, takes_entries: bool = False, luck_value: Callable[[str], LuckValue] | None = None
) -> LeagueSpec:
    """Read a league file; `source` names it in errors.

    `luck_value` gives a variant's value for divisions that are `adjusted`; without it none may be.

    Unless the league `takes_entries` beside those of its file, each of its divisions needs enough for a table. Raises
    LeagueFileError with the line and the key of the first fault.
    """
    return _Reader(text, source, luck_value).league(takes_entries)


def fault(text: str, source: str, path: Path, reason: str) -> LeagueFileError:
    """The error of a league file that can be read, but asks for what cannot be played.

    `path` is as in `toml_lines.holds`, but a division is named by its variant, `("divisions", "koikoi", "options", …)`,
    also in a file that has only one, and an option by its flat name.
    """
    values = tomllib.loads(text)
    path = _in_file(values, path)
    nested = tuple(part for key in path for part in (key.split(".") if isinstance(key, str) else (key,)))
    return _fault(text, source, values, path if holds(values, path) else nested, reason)


def _in_file(values: Mapping[str, Any], path: Path) -> Path:
    if path[:1] != ("divisions",) or len(path) < 2:
        return path
    listed = [division.get("variant", DEFAULT_VARIANT) for division in values.get("divisions", ())]
    return ("divisions", listed.index(path[1]), *path[2:]) if listed else path[2:]


class _Reader:
    def __init__(self, text: str, source: str, luck_value: Callable[[str], LuckValue] | None = None) -> None:
        self.text = text
        self.source = source
        self.luck_value = luck_value
        self.values: dict[str, Any] = {}

    def league(self, takes_entries: bool) -> LeagueSpec:
        self.values = values = self._values()
        file = self._table((), values, _FILE)
        if "name" not in file:
            raise LeagueFileError(self.source, None, "name", "this key is missing")
        name, lot = file["name"], file.get("lot", file["name"])
        self._check_name(("name",), name)
        if is_season(name) or ("schedule" in file and is_season(f"{name}.")):
            self._refuse(("name",), f"{name!r} is what a season of a ladder is called: choose another name")
        if "secret" in file:
            try:
                parse_secret(file["secret"])
            except BoardError as error:
                self._refuse(("secret",), str(error))
            file["secret"] = file["secret"].lower()
        if "beacon_round" in file and "schedule" in file:
            reason = "a schedule starts its leagues by itself, and somebody has to bring the beacon's signature"
            self._refuse(("beacon_round",), reason)
        if not lot or "\n" in lot:
            self._refuse(("lot",), "must be one line, and not empty")
        ladder = self._ladder(file)
        if ladder is not None and "pairing" not in file:
            file["pairing"] = LADDER
        divisions = self._divisions(file)
        entries = self._entries(file.get("entries", []), tuple(division.variant for division in divisions))
        self._check_fields(divisions, entries, may_be_few=takes_entries or "schedule" in file or ladder is not None)
        file |= {"lot": lot, "divisions": divisions, "entries": entries}
        file |= {"schedule": self._schedule(file), "ladder": ladder}
        return LeagueSpec(**{key: file[key] for key in LeagueSpec.__struct_fields__ if key in file})

    def _values(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            # tomllib of Python 3.11 gives the place in the message only, and none at the end of the document.
            place = re.search(r" \(at line (\d+), column (\d+)\)", str(error))
            line = int(place[1]) if place else self.text.count("\n") + 1
            raise LeagueFileError(self.source, line, None, f"not TOML: {error}") from error
        except (ValueError, RecursionError) as error:
            reason = "a number has too many digits, or values are nested too deep"
            raise LeagueFileError(self.source, None, None, reason) from error

    def _table(self, path: Path, values: Mapping[str, Any], types: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a table that may have these keys, each of its type."""
        for key in values:
            if key not in types:
                self._refuse((*path, key), f"unknown key{_closest(key, types)}")
        return {key: self._typed((*path, key), value, types[key]) for key, value in values.items()}

    def _typed(self, path: Path, value: object, expected: Any) -> Any:
        try:
            return msgspec.convert(value, expected)
        except msgspec.ValidationError:
            self._refuse(path, f"must be {_kind(expected)}, not {shortened(value)}")

    def _divisions(self, file: Mapping[str, Any]) -> tuple[Division, ...]:
        shared = {key: value for key, value in file.items() if key in _DIVISION}
        if "divisions" not in file:
            return (self._division((), shared, ()),)
        if not file["divisions"]:
            self._refuse(("divisions",), "a league has at least one division")
        for key in _OF_A_DIVISION:
            if key in shared:
                self._refuse(
                    (key,), "is allowed at the top only in a file without [[divisions]]; set it in each of them"
                )
        divisions: dict[str, Division] = {}
        for index, values in enumerate(file["divisions"]):
            path: Path = ("divisions", index)
            keys = self._table(path, values, _DIVISION)
            division = self._division(path, shared | keys, shared.keys() - keys.keys())
            if division.variant in divisions:
                self._refuse((*path, "variant"), f"a second division of {division.variant}")
            divisions[division.variant] = division
        return tuple(divisions[variant] for variant in sorted(divisions, key=VARIANTS.index))

    def _division(self, path: Path, keys: Mapping[str, Any], shared: Collection[str]) -> Division:
        """Return the division at a path; `shared` are keys that it has from the top of the file."""
        variant = keys.get("variant", DEFAULT_VARIANT)
        if variant not in VARIANTS:
            self._refuse((*path, "variant"), f"unknown variant {variant!r}{_closest(variant, VARIANTS)}")
        least, highest, default = variant_info(variant).seats
        seats = keys.get("seats", default)
        if not least <= seats <= highest:
            takes = f"{least} to {highest}" if least < highest else str(least)
            self._refuse((*path, "seats"), f"{variant} is played by {takes}, not {seats}")

        def refuse(key: str, instead: str, reason: str) -> NoReturn:
            """Refuse the value of a key, in the line of another one where the file leaves it at its default."""
            places: list[Path] = [(name,) if name in shared else (*path, name) for name in (key, instead)]
            self._refuse(next((place for place in places if holds(self.values, place)), places[0]), reason)

        pairing = None if keys.get("pairing") == default_pairing(seats) else keys.get("pairing")
        options = self._options((*path, "options"), keys.get("options", {}), variant)
        value = None
        if keys.get("adjusted"):
            if self.luck_value is None:
                refuse("adjusted", "adjusted", "there is no value here by which luck could be measured")
            value = self.luck_value(variant)
        settled = {"variant": variant, "seats": seats, "options": options, "pairing": pairing, "luck_value": value}
        division = Division(**{key: setting for key, setting in ({**keys, **settled}).items() if key != "adjusted"})
        if division.board_sets == "field" and division.boards % seats:
            reason = (
                f"with field board sets each of the {seats} bots of a table sits in each seat equally often, so boards "
                f"must be a multiple of {seats}, not {division.boards}"
            )
            refuse("boards", "board_sets", reason)
        if pairing == LADDER and "ladder" in self.values:
            return division
        method = PAIRINGS.get(division.pairing_method)
        if method is None:
            refuse("pairing", "pairing", f"unknown pairing {pairing!r}{_closest(str(pairing), PAIRINGS)}")
        if (fault := method.fault(division)) is not None:
            refuse(fault[0], "pairing", fault[1])
        return division

    def _options(self, base: Path, options: Mapping[str, Any], variant: str) -> dict[str, OptionValue]:
        """Return the options, flat and sorted, with those of a named set in its place."""
        flat: dict[str, OptionValue] = {}
        for path, value in _leaves((), options):
            name = ".".join(path)
            if name in flat:
                self._refuse((*base, *path), "this option is given twice, flat and nested")
            flat[name] = self._typed((*base, *path), value, OptionValue)
        try:
            complete = expanded(variant_info(variant), flat)
        except OptionError as error:
            self._refuse((*base, error.name), str(error))
        return dict(sorted(cast("Mapping[str, OptionValue]", complete).items()))

    def _entries(self, entries: list[Any], variants: tuple[str, ...]) -> tuple[Entry, ...]:
        by_name: dict[str, Entry] = {}
        for index, value in enumerate(entries):
            path: Path = ("entries", index)
            value = self._typed(path, value, str | dict[str, Any])
            entry = self._entry(path, {"bot": value} if isinstance(value, str) else value, variants)
            if entry.name in by_name:
                self._refuse(
                    path,
                    f'a second entry with the name {entry.name!r}: rename it, {{ name = "…", bot = "{entry.bot}" }}',
                )
            by_name[entry.name] = entry
        return tuple(by_name.values())

    def _entry(self, path: Path, value: Mapping[str, Any], variants: tuple[str, ...]) -> Entry:
        value = self._table(path, value, _ENTRY)
        bot = value.get("bot", "")
        if not bot:
            self._refuse(path, 'an entry needs a bot: "house:NAME", a path, a registered name, or "NAME@VERSION"')
        name = value.get("name", default_name(bot))
        cure = "" if "name" in value else f'; give it another: {{ name = "…", bot = "{bot}" }}'
        self._check_name((*path, "name") if "name" in value else path, name, cure)
        seed = value.get("seed", name)
        if not seed:
            self._refuse((*path, "seed"), "a seed must not be empty")
        return Entry(name, bot, seed, self._entered((*path, "variants"), value.get("variants", variants), variants))

    def _entered(self, path: Path, wanted: Collection[str], variants: tuple[str, ...]) -> tuple[str, ...]:
        if not wanted:
            self._refuse(path, "an entry plays at least one variant")
        for variant in wanted:
            if variant not in variants:
                self._refuse(path, f"the league has no division of {variant!r}{_closest(variant, variants)}")
        return tuple(variant for variant in variants if variant in wanted)

    def _check_fields(self, divisions: Iterable[Division], entries: Collection[Entry], *, may_be_few: bool) -> None:
        for division in divisions:
            needed = min(division.sizes)
            entered = sum(division.variant in entry.variants for entry in entries)
            reason = method_of(division).field_fault(division, entered)
            if entered < needed and not may_be_few:
                reason = f"the division of {division.variant} needs at least {needed} entries, found {entered}"
            if reason is not None:
                self._refuse(("entries",), reason)

    def _schedule(self, file: Mapping[str, Any]) -> Schedule | None:
        if "schedule" not in file:
            return None
        if len(file["name"]) > _MAX_SCHEDULED_NAME_LENGTH:
            self._refuse(
                ("name",), f"the leagues of a schedule are numbered: at most {_MAX_SCHEDULED_NAME_LENGTH} characters"
            )
        try:
            return schedules.parse(self._table(("schedule",), file["schedule"], schedules.KEYS))
        except ScheduleError as error:
            self._refuse(("schedule",) if error.key is None else ("schedule", error.key), error.reason)

    def _ladder(self, file: Mapping[str, Any]) -> Ladder | None:
        if "ladder" not in file:
            return None
        for key, reason in _NOT_OF_A_LADDER.items():
            if key in file:
                self._refuse((key,), reason)
        if len(file["name"]) > _MAX_LADDER_NAME_LENGTH:
            self._refuse(
                ("name",), f"the seasons of a ladder are numbered: at most {_MAX_LADDER_NAME_LENGTH} characters"
            )
        return Ladder(**self._table(("ladder",), file["ladder"], _LADDER))

    def _check_name(self, path: Path, name: str, cure: str = "") -> None:
        if not is_name(name):
            self._refuse(path, f"{name!r} is not a valid name: {NAME_RULE}{cure}")

    def _refuse(self, path: Path, reason: str) -> NoReturn:
        raise _fault(self.text, self.source, self.values, path, reason)


def _fault(text: str, source: str, values: Mapping[str, Any], path: Path, reason: str) -> LeagueFileError:
    """The error at a key, or at the nearest one around it that the file has."""
    around = next((path[:end] for end in range(len(path), 0, -1) if holds(values, path[:end])), None)
    return LeagueFileError(source, None if around is None else line_of(text, around), _dotted(path), reason)


def _kind(expected: Any) -> str:
    """What a value of a type, or None, is called."""
    parts = get_args(expected)
    if NoneType in parts:
        return _kind(parts[0])
    if get_origin(expected) is Literal:
        return " or ".join(map(repr, parts))
    if get_origin(expected) is Annotated:
        return f"a whole number from {parts[1].ge} to {parts[1].le}"
    return _KINDS[expected]


def _leaves(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterable[tuple[tuple[str, ...], object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves((*path, key), value)
        else:
            yield (*path, key), value


def _closest(key: str, candidates: Iterable[str]) -> str:
    names = sorted(candidates)
    close = [name for name in names if key and name.startswith(key)] or difflib.get_close_matches(key, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(names)}"


def _dotted(path: Path) -> str:
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text
