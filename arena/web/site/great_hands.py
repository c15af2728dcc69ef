"""The great hands of a league: those that scored most in a month, with the cards that made them."""

from collections.abc import Sequence
from itertools import chain

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.replays import ReplayError, decode
from arena.replays.deals import deals_of
from arena.store import Scope
from arena.store.errors import BoardStillOpenError, UnknownReplayError
from arena.web.site.documents import ReplayDocument
from arena.web.site.reader import Reader, replay_document
from arena.web.work import MadeOnce
from core_ext import variant_info
from core_ext.cards import card_text
from core_ext.errors import CoreError

MAX_SHOWN = 5
MAX_LISTED = 1_000
"""So many of a division's newest matches are considered."""
MAX_OPENED = 60
"""Of these, so many are looked into: those in which somebody ended with the most."""
_MAX_MATCHES_CACHED = 2_000
_MAX_DIVISIONS_CACHED = 64
_LAST = "\U0010ffff"
_EVER = 10**18


class GreatHand(msgspec.Struct, frozen=True):
    """What a bot scored in a month of a match, the last attempt at it; `cards` are those of its `yaku`, by id."""

    replay: str
    month: int
    bot: str
    against: tuple[str, ...]
    points: int
    yaku: tuple[tuple[str, str], ...]
    """Each by its id and its name."""
    cards: tuple[str, ...]


class GreatHands:
    """The great hands of each division, looked for anew when more of its matches are over."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._of_match: MadeOnce[str, tuple[GreatHand, ...]] = MadeOnce(_MAX_MATCHES_CACHED)
        self._of_division: MadeOnce[tuple[str, str, str, int], tuple[GreatHand, ...]] = MadeOnce(_MAX_DIVISIONS_CACHED)

    async def of(self, league: str, created: str, variant: str, played: int) -> tuple[GreatHand, ...]:
        """Return the greatest hands of a division of which so many matches are `played`, the greatest first."""

        async def find() -> tuple[GreatHand, ...]:
            scope = Scope.league(league, variant)
            infos = await self._reader.store.replays.latest(scope, before=(_EVER, _LAST), limit=MAX_LISTED)
            matches = [replay_document(info) for info in infos if info.readable]
            matches.sort(key=lambda match: max(match.results, default=0), reverse=True)
            hands = [await self._in(match, created) for match in matches[:MAX_OPENED]]
            return tuple(sorted(chain.from_iterable(hands), key=lambda hand: -hand.points)[:MAX_SHOWN])

        return await self._of_division.get((league, created, variant, played), find) if played else ()

    async def _in(self, match: ReplayDocument, created: str) -> tuple[GreatHand, ...]:
        async def read() -> tuple[GreatHand, ...]:
            try:
                raw = await self._reader.store.replays.get(match.replay)
            except (UnknownReplayError, BoardStillOpenError):
                return ()  # it has expired since it was listed
            return await run_in_threadpool(_hands, match, raw)

        return await self._of_match.get(f"{created} {match.replay}", read)


def _hands(match: ReplayDocument, raw: bytes) -> tuple[GreatHand, ...]:
    """Return the `MAX_SHOWN` greatest hands of a match."""
    try:
        deals = list(deals_of(decode(raw)))
    except (ReplayError, CoreError):
        return ()  # of an earlier version of the rules: this program cannot tell what was scored
    titles = _titles(match.variant)
    hands = []
    for deal in {deal.month: deal for deal in deals if deal.end is not None}.values():
        assert deal.end is not None
        for seat, points in enumerate(deal.end.values):
            rows = [score for score in deal.scores if score.seat == seat and score.name in titles]
            if points > 0 and rows:
                cards = sorted({card for row in rows for card in row.cards})
                hands.append(
                    GreatHand(
                        replay=match.replay,
                        month=deal.month,
                        bot=match.bots[seat],
                        against=_others(match.bots, seat),
                        points=points,
                        yaku=tuple((row.name, titles[row.name]) for row in rows),
                        cards=tuple(map(card_text, cards)),
                    )
                )
    return tuple(sorted(hands, key=lambda hand: -hand.points)[:MAX_SHOWN])


def _others(names: Sequence[str], seat: int) -> tuple[str, ...]:
    return tuple(name for rival, name in enumerate(names) if rival != seat)


def _titles(variant: str) -> dict[str, str]:
    info = variant_info(variant)
    return {row.id: row.name for row in info.yaku} | dict(info.titles)
