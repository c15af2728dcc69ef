"""What a bot author imports. Depends on the generated stubs and gRPC alone.

A bot in ten lines::

    from arena.sdk import Bot, run


    class MyBot(Bot):
        def choose(self, decision):
            return decision.legal[0]


    run(MyBot())
"""

from typing import TYPE_CHECKING

from arena.sdk.bot import Answer, Bot
from arena.sdk.cards import ANIMAL, CARDS, CHAFF, LIGHT, MONTHS, RIBBON, Card, card, cards
from arena.sdk.decision import Action, Clock, Decision, Event, Match, Zone
from arena.sdk.errors import ArenaAwayError, BotFailedError, DismissedError, RefusedError, SdkError
from arena.sdk.parameters import parameter
from arena.sdk.program import run

if TYPE_CHECKING:
    from arena.sdk.connection import BotClient, Endpoint

__all__ = [
    "ANIMAL",
    "CARDS",
    "CHAFF",
    "LIGHT",
    "MONTHS",
    "RIBBON",
    "Action",
    "Answer",
    "ArenaAwayError",
    "Bot",
    "BotClient",
    "BotFailedError",
    "Card",
    "Clock",
    "Decision",
    "DismissedError",
    "Endpoint",
    "Event",
    "Match",
    "RefusedError",
    "SdkError",
    "Zone",
    "card",
    "cards",
    "parameter",
    "run",
]


def __getattr__(name: str) -> object:
    """What needs gRPC is imported when it is first asked for: a bot in a cage has none."""
    if name in ("BotClient", "Endpoint"):
        from arena.sdk import connection

        return getattr(connection, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
