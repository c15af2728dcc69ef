"""The luck of a division's matches as far as it was worked out."""

from collections.abc import Mapping, Sequence

import msgspec

from arena.league.adjustment import Luck
from arena.league.spec import LuckValue
from arena.league.values import MatchPlan, RoundPlan
from arena.store import Store
from arena.store.records import match_key


def value_key(value: LuckValue) -> str:
    """Return what a value is called in the store."""
    return f"{value.name}:{value.sha256}"


async def known_luck(store: Store, league: str, variant: str, value: LuckValue, plans: Sequence[RoundPlan]) -> Luck:
    """Return the luck that is known of the matches of these rounds."""
    return luck_in(await store.findings.luck(league, variant, value_key(value)), plans)


def luck_in(raw: Mapping[str, bytes], plans: Sequence[RoundPlan]) -> Luck:
    """Return what is known of these rounds, as the store keeps it."""
    by_match: dict[MatchPlan, tuple[float, ...]] = {}
    for plan in plans:
        for table in plan.tables:
            for name, match in table.named():
                luck = raw.get(match_key(plan.number, name))
                if luck is not None:
                    by_match[match] = msgspec.msgpack.decode(luck, type=tuple[float, ...])
    return by_match
