"""What a ladder's file says of it, and what a season takes over from the one before."""

from typing import Annotated

import msgspec

Tables = Annotated[int, msgspec.Meta(ge=1, le=512)]


Elo = Annotated[float, msgspec.Meta(ge=-100_000, le=100_000)]


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of a bot when a season begins: its rating in Elo, the standard error, and the boards behind it.

    `version` is that of a submitted bot which was rated, "" of any other bot. `level` is the rating by boards alone,
    without any prior, and `ties` are what they have told of its difference to other bots, by the standard error of
    that; of every two bots, the one that is first in the alphabet has the tie.
    """

    mu: Elo
    sigma: Annotated[float, msgspec.Meta(ge=0.01, le=1_000)]
    boards: Annotated[int, msgspec.Meta(ge=0)] = 0
    version: str = ""
    level: Elo = 1500.0
    ties: dict[str, Annotated[float, msgspec.Meta(ge=0.01, le=100_000)]] = {}


class Shared(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The dispersion of the games of a board (`arena.league.rating_bars`), over so many boards of seasons before."""

    dispersion: Annotated[float, msgspec.Meta(ge=0.01, le=100)] = 1.0
    sets: Annotated[int, msgspec.Meta(ge=0)] = 0


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A season of a ladder: at most `tables` tables a round, and what was known before it.

    With `everybody` each submitted bot that plays the variant enters by itself.
    """

    tables: Tables = 8
    everybody: bool = True
    start: dict[str, Start] = {}
    shared: Shared = Shared()
