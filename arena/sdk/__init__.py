"""What a bot author imports. Depends on the generated stubs and gRPC alone.

A bot in ten lines::

    from arena.sdk import Bot, run

    class MyBot(Bot):
        def choose(self, decision):
            return decision.legal[0]

    run(MyBot())
"""

from arena.sdk.bot import Answer, Bot
from arena.sdk.cards import ANIMAL, CARDS, CHAFF, LIGHT, MONTHS, RIBBON, Card, card, cards
from arena.sdk.connection import BotClient, Endpoint
from arena.sdk.decision import Action, Clock, Decision, Event, Match, Zone
from arena.sdk.errors import ArenaAwayError, BotFailedError, DismissedError, RefusedError, SdkError
from arena.sdk.program import run

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
    "run",
]
