"""What a ladder's file says of it, and what a season takes over from the one before."""

from typing import Annotated

import msgspec

Tables = Annotated[int, msgspec.Meta(ge=1, le=512)]


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of a bot when a season begins: its rating in Elo, the standard error, and the boards behind it.

    `version` is that of a submitted bot which was rated, "" of any other bot.
    """

    mu: Annotated[float, msgspec.Meta(ge=-100_000, le=100_000)]
    sigma: Annotated[float, msgspec.Meta(ge=0.01, le=1_000)]
    boards: Annotated[int, msgspec.Meta(ge=0)] = 0
    version: str = ""


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A season of a ladder: at most `tables` tables a round, and where each entry's rating starts.

    With `everybody` each submitted bot that plays the variant enters by itself.
    """

    tables: Tables = 8
    everybody: bool = True
    start: dict[str, Start] = {}
