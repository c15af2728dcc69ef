"""What submitted bots wrote in matches, for their owners. Of each bot the latest matches are kept."""

import re
import time

import msgspec

from arena.store.client import Section
from arena.store.errors import InvalidCursorError
from arena.store.keys import bot_outputs, check_name
from arena.store.records import Page

MAX_OUTPUTS = 64
"""So many matches of each bot are kept."""
_LAST = "+"
_ID = re.compile(r"[1-9][0-9]{0,18}-[0-9]{1,19}")
"""Of an entry in a stream; shorter than the greatest numbers that the server takes."""


class OutputPart(msgspec.Struct, frozen=True, array_like=True):
    """A part of what a bot wrote, as it was read at one moment, in microseconds."""

    time_us: int
    text: bytes


class Output(msgspec.Struct, frozen=True, array_like=True):
    """What a version of a bot wrote in a match; in its qualification where `match` is empty."""

    version: str
    match: str
    ended_us: int
    parts: tuple[OutputPart, ...]
    left_out: int = 0
    """Bytes from the middle that are not kept."""


class Outputs(Section):
    """The outputs of all bots."""

    async def add(self, bot: str, output: Output) -> None:
        """Keep what a bot wrote, in place of the oldest of its outputs where there are too many."""
        body = msgspec.msgpack.encode(output)
        await self._client.call("XADD", bot_outputs(bot), "MAXLEN", MAX_OUTPUTS, "*", "output", body)

    async def page(
        self, bot: str, *, version: str = "", match: str = "", after: str = "", limit: int = 100
    ) -> Page[Output]:
        """Return outputs of a bot, the latest first: those of a version or a match, where one is given.

        A version may be named by the beginning of its digest. Raises InvalidNameError, InvalidCursorError.
        """
        key = bot_outputs(check_name("bot", bot))
        if after and _ID.fullmatch(after) is None:
            raise InvalidCursorError(after)
        entries = await self._client.call("XREVRANGE", key, f"({after}" if after else _LAST, "-")
        outputs: list[tuple[str, Output]] = []
        for id_, fields in entries:
            output = msgspec.msgpack.decode(fields[b"output"], type=Output)
            if output.version.startswith(version) and match in ("", output.match):
                outputs.append((id_.decode(), output))
        items = tuple(output for _, output in outputs[:limit])
        return Page(items, outputs[limit - 1][0] if len(outputs) > limit else "")

    async def older(self, bot: str, age_s: float) -> int:
        """Return how many bytes of a bot's outputs were written more than so many seconds ago."""
        entries = await self._client.call("XRANGE", bot_outputs(bot), "-", _before(age_s))
        return sum(len(fields[b"output"]) for _, fields in entries)

    async def drop_older(self, bot: str, age_s: float) -> None:
        """Remove a bot's outputs that were written more than so many seconds ago."""
        await self._client.call("XTRIM", bot_outputs(bot), "MINID", _before(age_s))


def _before(age_s: float) -> str:
    return f"{max(0, round((time.time() - age_s) * 1000))}-0"
