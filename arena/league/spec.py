"""What a league is, as its file describes it."""

import hashlib
from pathlib import PurePosixPath
from typing import Annotated, Literal

import msgspec

from arena.league.ladder_terms import Ladder, Shared, Start
from arena.league.schedule import Schedule
from arena.names import season_name
from core_ext import variant_info

DEFAULT_VARIANT = "koikoi"
POD_SIZES = (3, 4)
HOUSE = "house:"
LADDER = "ladder"
"""The pairing method of a ladder's seasons, which no league file names."""

OptionValue = bool | int | float | str | tuple[bool | int | float | str, ...]

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
BracketSize = Annotated[int, msgspec.Meta(ge=2, le=1_000)]
BeaconRound = Annotated[int, msgspec.Meta(ge=1, le=10_000_000_000)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=3_600_000)]
CoverMilliseconds = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
BoardSets = Literal["mirror", "field"]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot that enters: its name in the tables, how to find it, the seed of its own randomness, and what it plays.

    `bot` is `house:NAME`, a path, a registered name, or `NAME@VERSION`. The seed defaults to the name, so
    two entries of one house bot play differently. `variants` are those of the league's divisions that the bot enters,
    in their order.
    """

    name: str
    bot: str
    seed: str
    variants: tuple[str, ...]


class LuckValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What positions are worth where luck is measured: how that is worked out, and the SHA-256 of the weights in hex.

    The same name and weights give every match the same luck.
    """

    name: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.name} of SHA-256 {self.sha256}"


class Division(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One variant's part of a league: at most `rounds` rounds of tables for `seats` bots.

    `pairing` names the method (`methods.registry.PAIRINGS`) where it is not the default one of the seats; `bracket` is
    how many bots a knock-out has. With `owners_apart` bots of one owner are paired as if they had met in every round.

    With `mirror` board sets a table plays `boards` boards of its own in every order of the seats, with `field` as many
    boards once each, the same as other tables of the round.

    With a `luck_value` margins are shown without the luck of the cards as well. It is fixed before the first card
    falls: one that is chosen once results are seen can be chosen to favour somebody.
    """

    variant: str = DEFAULT_VARIANT
    seats: int = 2
    rounds: Count = 5
    boards: Count = 4
    board_sets: BoardSets = "mirror"
    options: dict[str, OptionValue] = {}
    pairing: str | None = None
    bracket: BracketSize | None = None
    owners_apart: bool = False
    luck_value: LuckValue | None = None

    @property
    def pairing_method(self) -> str:
        """The name of the pairing method."""
        return default_pairing(self.seats) if self.pairing is None else self.pairing

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many bots a table may have, the usual number first.

        A pod of another size would have hardly a table to be measured by on the same boards, so `field` has none.
        """
        least, highest, _ = variant_info(self.variant).seats
        others = (size for size in POD_SIZES if size != self.seats and least <= size <= highest)
        return (self.seats,) if self.seats == 2 or self.board_sets == "field" else (self.seats, *others)


class LeagueSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A league as its owner described it; `name` is its identity.

    The divisions are in the order of `core_ext.VARIANTS`, one a variant. `lot` seeds the lots of pairing and standings.
    `secret` is 64 hex digits and marks the league as a test. `beacon_round` is the round of drand's quicknet that the
    cards follow from besides. An owner has at most `bots_per_owner` bots in it. A bot whose connection is lost has
    `reconnect_ms` to come back; questions that others must not notice are covered by slots of `cover_ms`. A league with
    a `schedule` is not played itself: its occurrences are. One with `ladder` is a ladder, or a season of one.
    """

    name: str
    entries: tuple[Entry, ...]
    divisions: tuple[Division, ...]
    lot: str
    secret: str | None = None
    beacon_round: BeaconRound | None = None
    bots_per_owner: Count | None = None
    per_decision_ms: Milliseconds = 2_000
    bank_ms: Milliseconds = 60_000
    reconnect_ms: Milliseconds = 10_000
    cover_ms: CoverMilliseconds = 300
    policy: Literal["strict", "lenient"] = "strict"
    schedule: Schedule | None = None
    ladder: Ladder | None = None

    @property
    def is_test(self) -> bool:
        """Whether the owner fixed the secret and so could know every card."""
        return self.secret is not None

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of the divisions, in their order."""
        return tuple(division.variant for division in self.divisions)

    def division(self, variant: str | None = None) -> Division:
        """The division of a variant, or the only one; KeyError if there is none such."""
        divisions = [division for division in self.divisions if variant in (None, division.variant)]
        if len(divisions) != 1:
            raise KeyError(variant)
        return divisions[0]

    def occurrence(self, number: int) -> "LeagueSpec":
        """The league that a schedule plays for the `number`th time, from 1: `NAME.NUMBER`, with lots of its own."""
        return msgspec.structs.replace(self, name=f"{self.name}.{number}", lot=f"{self.lot}.{number}", schedule=None)

    def season(self, number: int, start: dict[str, Start], shared: Shared | None = None) -> "LeagueSpec":
        """The `number`th season of a ladder, from 1, with lots of its own: a league that starts from these ratings."""
        assert self.ladder is not None
        ladder = msgspec.structs.replace(self.ladder, start=start, shared=shared or Shared())
        return msgspec.structs.replace(
            self, name=season_name(self.name, number), lot=f"{self.lot}.{number}", ladder=ladder
        )


def kept_values(spec: LeagueSpec, stored: LeagueSpec) -> LeagueSpec:
    """Return the league with the values for luck that the `stored` one has, if any: a release brings others."""
    values = {division.variant: division.luck_value for division in stored.divisions}
    divisions = tuple(
        msgspec.structs.replace(division, luck_value=values.get(division.variant) or division.luck_value)
        if division.luck_value
        else division
        for division in spec.divisions
    )
    return msgspec.structs.replace(spec, divisions=divisions)


def default_pairing(seats: int) -> str:
    """The pairing method of a division that names none."""
    return "swiss" if seats == 2 else "pods"


def default_name(bot: str) -> str:
    """The name an entry has when it gives none: `greedy` of `house:greedy`, `./greedy.py` and `greedy@3f9c21aa`."""
    if bot.startswith(HOUSE):
        return bot.removeprefix(HOUSE)
    return PurePosixPath(bot).name.removesuffix(".py") if "/" in bot else bot.removesuffix(".py").partition("@")[0]


def canonical(spec: LeagueSpec) -> bytes:
    """The league as JSON with sorted keys: equal for files that mean the same, whatever their layout.

    Keys left at their defaults are left out, so a later default for a new key does not change a known league.
    """
    return msgspec.json.encode(spec, order="sorted")


def digest(spec: LeagueSpec) -> str:
    """SHA-256 of the canonical form in hex: a changed file under a known name shows here."""
    return hashlib.sha256(canonical(spec)).hexdigest()
