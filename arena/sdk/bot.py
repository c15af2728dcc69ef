"""What a bot author writes."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable

from arena.sdk.decision import Action, Decision, Event, Match
from hanafuda.arena.v1 import match_pb2

Answer = Action | int | str


class Bot(ABC):
    """A bot: write its `choose`, without which it cannot be made.

    `variants` are those it plays (empty: all), `max_matches` how many at once. A bot that keeps things between
    decisions keeps them by match, in `decision.match.data`.
    """

    variants: tuple[str, ...] = ()
    max_matches: int = 1
    updates: bool = False
    """Whether `happened` is to be called."""

    @abstractmethod
    def choose(self, decision: Decision) -> Answer | Awaitable[Answer]:
        """The answer to a decision: an Action of `decision.legal`, its code or its text. May be `async`."""

    def accepts(self, match: Match) -> bool:
        """Whether to play a challenge; asked once, before anything else of the match. By default: yes.

        A match that is not accepted ends as ABANDONED, which counts against no bot, and nothing more of it is sent. For
        matches of leagues it is not asked: an entry is a promise to play.
        """
        return True

    def started(self, match: Match) -> None:
        """A match begins."""

    def happened(self, match: Match, events: tuple[Event, ...]) -> None:
        """Something happened in a match; called only with `updates = True`."""

    def ended(self, match: Match, end: match_pb2.MatchEnd) -> None:
        """A match is over: `end.reason`, `end.results` and `end.placing` by seat."""
