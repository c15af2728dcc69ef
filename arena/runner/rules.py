"""What a bot that runs by itself takes, sends and enters: the table `[run]` of its `bot.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

import msgspec

from core_ext import VARIANTS, variant_info
from core_ext.errors import CoreError
from core_ext.options import resolve
from hanafuda.arena.v1 import league_pb2, play_pb2

RUN = "run"
"""The table of `bot.toml`."""
DEFAULT_AT_ONCE = 4

AtLeastOne = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=86_400_000)]
Patterns = tuple[str, ...]


class RulesError(Exception):
    """The table `[run]` cannot be used; the text names the key and what it takes."""


class Takes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[run.takes]`: which challenges of others are taken. Bots are named by patterns, `alice-*`."""

    variants: tuple[str, ...] = VARIANTS
    bots: Patterns = ("*",)
    not_bots: Patterns = ()
    min_decision_ms: Milliseconds = 0
    max_decision_ms: Milliseconds = 86_400_000
    min_bank_ms: Milliseconds = 0
    changed_options: bool = True
    """Whether also matches whose options differ from the variant's defaults."""

    def objection(self, start: play_pb2.MatchStart) -> str:
        """Why a challenge is not taken, in words; empty where it is."""
        if start.variant not in self.variants:
            return f"{start.variant} is not among the variants that it takes"
        for seat, name in enumerate(start.bots):
            if seat != start.seat and (not _matches(name, self.bots) or _matches(name, self.not_bots)):
                return f"{name} is not among the bots that it plays"
        clock = start.time_control
        if clock.per_decision_ms < self.min_decision_ms:
            return f"{clock.per_decision_ms} ms a decision are less than {self.min_decision_ms}"
        if clock.per_decision_ms > self.max_decision_ms:
            return f"{clock.per_decision_ms} ms a decision are more than {self.max_decision_ms}"
        if clock.bank_ms < self.min_bank_ms:
            return f"{clock.bank_ms} ms beside the decisions are less than {self.min_bank_ms}"
        if start.options and not self.changed_options:
            return f"its options differ: {', '.join(f'{name} = {value}' for name, value in start.options.items())}"
        return ""


class Sends(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[run.sends]`: the opponents that are challenged in turn, one every so many seconds, few enough at once."""

    opponents: tuple[str, ...]
    variant: str = "koikoi"
    options: dict[str, Any] = {}
    every_s: Annotated[float, msgspec.Meta(ge=0.1, le=86_400)] = 60.0
    at_once: AtLeastOne = 1
    decision_ms: Milliseconds | None = None
    bank_ms: Milliseconds | None = None


class Enters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[run.enters]]`: leagues that are entered when they open: by name, by what they play, by who is in them."""

    leagues: Patterns = ("*",)
    variants: tuple[str, ...] = VARIANTS
    late: bool = False
    """Whether also leagues that are under way."""
    max_entrants: AtLeastOne = 10_000
    max_rounds: AtLeastOne = 10_000

    def variants_of(self, league: league_pb2.League) -> tuple[str, ...]:
        """The divisions to enter in a league; none where it is left alone."""
        is_open = league.status == league_pb2.LEAGUE_STATUS_OPEN
        is_under_way = self.late and league.status == league_pb2.LEAGUE_STATUS_RUNNING
        if not (is_open or is_under_way) or not _matches(league.name, self.leagues):
            return ()
        if len(league.entrants) >= self.max_entrants:
            return ()
        return tuple(
            division.variant
            for division in league.divisions
            if division.variant in self.variants and division.rounds <= self.max_rounds
        )


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[run]`. Without it every challenge is taken, none is sent, and no league is entered."""

    at_once: AtLeastOne = DEFAULT_AT_ONCE
    takes: Takes | None = Takes()
    sends: Sends | None = None
    enters: tuple[Enters, ...] = ()
    look_s: Annotated[float, msgspec.Meta(ge=0.1, le=86_400)] = 30.0
    """How often it looks for leagues."""

    def objection(self, start: play_pb2.MatchStart) -> str:
        """Why a challenge of somebody else is declined, in words; empty where it is played."""
        return "it takes no challenge" if self.takes is None else self.takes.objection(start)


def read_rules(path: Path) -> Rules:
    """Read the table `[run]` of a file. Raises RulesError, and OSError."""
    try:
        document = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # no UTF-8, no TOML, or nested too deep
        raise RulesError(f"{path}: this is not TOML: {error}") from error
    return rules_of(document.get(RUN, {}), str(path))


def rules_of(table: object, source: str) -> Rules:
    """The rules of a table; RulesError names its source and the key."""
    try:
        rules = msgspec.convert(table, Rules)
    except msgspec.ValidationError as error:
        raise RulesError(f"{source}: [{RUN}]: {_in_words(error)}") from error
    for key, variants in _variants(rules):
        for variant in variants:
            if variant not in VARIANTS:
                raise RulesError(f"{source}: [{key}]: there is no variant {variant!r}; there are {', '.join(VARIANTS)}")
    if (sends := rules.sends) is not None:
        if not sends.opponents:
            raise RulesError(f"{source}: [{RUN}.sends]: opponents is empty: name one, for example house:greedy")
        try:
            resolve(variant_info(sends.variant), sends.options)
        except CoreError as error:
            raise RulesError(f"{source}: [{RUN}.sends]: {error}") from error
    return rules


def _in_words(error: msgspec.ValidationError) -> str:
    """What msgspec says, with `$.takes.bots` as `takes.bots`."""
    return str(error).replace("`$.", "`").replace("Object contains unknown field", "there is no key")


def _variants(rules: Rules) -> Sequence[tuple[str, Sequence[str]]]:
    named: list[tuple[str, Sequence[str]]] = []
    if rules.takes is not None:
        named.append((f"{RUN}.takes", rules.takes.variants))
    if rules.sends is not None:
        named.append((f"{RUN}.sends", (rules.sends.variant,)))
    named.extend((f"{RUN}.enters", rule.variants) for rule in rules.enters)
    return named


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def described(rules: Rules) -> Mapping[str, str]:
    """The rules in words, by what they are about."""
    takes, sends = rules.takes, rules.sends
    lines = {"plays": f"at most {rules.at_once} matches at once"}
    if takes is None:
        lines["takes"] = "no challenge"
    else:
        lines["takes"] = _taken(takes)
    lines["sends"] = (
        "no challenge"
        if sends is None
        else f"a challenge in {sends.variant} every {sends.every_s:g} s, to {', '.join(sends.opponents)} in turn, at "
        f"most {sends.at_once} at once"
    )
    lines["enters"] = (
        "; ".join(
            f"{', '.join(rule.leagues)} ({', '.join(rule.variants)}){', also late' if rule.late else ''}"
            for rule in rules.enters
        )
        or "no league"
    )
    return lines


def _taken(takes: Takes) -> str:
    """Which challenges are taken; of clocks and options only what is asked of them."""
    what = "every challenge" if takes.bots == ("*",) else f"challenges of {', '.join(takes.bots)}"
    but = f" but those of {', '.join(takes.not_bots)}" if takes.not_bots else ""
    games = "" if takes.variants == VARIANTS else f" in {', '.join(takes.variants)}"
    asked = []
    if takes.min_decision_ms:
        asked.append(f"at least {takes.min_decision_ms} ms a decision")
    if takes.max_decision_ms != Takes().max_decision_ms:
        asked.append(f"at most {takes.max_decision_ms} ms a decision")
    if takes.min_bank_ms:
        asked.append(f"a bank of at least {takes.min_bank_ms} ms")
    if not takes.changed_options:
        asked.append("default options only")
    return what + but + games + (f", with {', '.join(asked)}" if asked else "")
