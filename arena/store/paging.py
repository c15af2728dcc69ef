"""Cursors over sorted sets; a page never repeats or skips what was there when the listing began."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from arena.store.client import Client
from arena.store.errors import InvalidCursorError
from arena.store.records import Page

T = TypeVar("T")

_SCORE = re.compile(r"[+-]inf|-?\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,2})?", re.ASCII)
"""A score as the server writes it; Python and the server would read others."""


async def all_pages(listing: Callable[..., Awaitable[Page[T]]]) -> AsyncIterator[T]:
    """Yield the items of all pages of a listing, a function that takes the cursor as `after`."""
    after = ""
    while True:
        page = await listing(after=after)
        for item in page.items:
            yield item
        if not page.next:
            return
        after = page.next


def split(cursor: str) -> tuple[str, str]:
    """Return the parts of a cursor `PLACE REST`, of which the first has no space in it; InvalidCursorError."""
    place, space, remainder = cursor.partition(" ")
    if not space:
        raise InvalidCursorError(cursor)
    return place, remainder


async def names(client: Client, key: str, after: str, limit: int) -> tuple[list[str], str]:
    """Return the members of an index whose scores are all 0, in byte order, and the cursor of the next page."""
    start = f"({after}" if after else "-"
    answer = await client.call("ZRANGE", key, start, "+", "BYLEX", "LIMIT", 0, limit + 1)
    members = [member.decode() for member in answer[:limit]]
    return members, members[-1] if len(answer) > limit else ""


async def scored(client: Client, key: str, after: str, limit: int, *, newest: bool = False) -> tuple[list[str], str]:
    """Return the members of an index in the order of their scores, or `newest` first, and the cursor of the next page.

    The cursor holds a score and a member, as several members may have one score.
    """
    members, cursor = await with_scores(client, key, after, limit, newest=newest)
    return list(members), cursor


async def with_scores(
    client: Client, key: str, after: str, limit: int, *, newest: bool = False
) -> tuple[dict[str, float], str]:
    """Return what `scored` returns, each member with its score."""
    first, end, order = ("+inf", "-inf", ("BYSCORE", "REV")) if newest else ("-inf", "+inf", ("BYSCORE",))
    start, last = (first, "") if not after else split(after)
    if _SCORE.fullmatch(start) is None:
        raise InvalidCursorError(after)
    members: dict[str, float] = {}
    offset = 0
    score = ""
    while True:
        answer = await client.call("ZRANGE", key, start, end, *order, "LIMIT", offset, limit + 1, "WITHSCORES")
        for raw, value in zip(answer[::2], answer[1::2], strict=True):
            member = raw.decode()
            if float(value) == float(start) and (member >= last if newest else member <= last):
                continue
            if len(members) == limit:
                return members, f"{score} {next(reversed(members))}"
            members[member] = float(value)
            score = value.decode()
        if len(answer) <= 2 * limit:
            return members, ""
        offset += len(answer) // 2
