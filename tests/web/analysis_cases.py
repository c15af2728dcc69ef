"""Matches whose analyses are known, of few playouts: a shelf as full as a store's would be after readers asked."""

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from arena.analysis import judge, luck_of
from arena.replays import ReplayRecord, encode
from arena.web.viewer.analysis.findings import Findings, Judged, value_name

PLAYOUTS = 200


class FullShelf:
    """Analyses in memory."""

    def __init__(self, records: Iterable[ReplayRecord] = ()) -> None:
        self.kept = {
            (sha256(encode(record)).hexdigest(), value_name(record.variant)): msgspec.msgpack.encode(findings(record))
            for record in records
        }

    async def analysis(self, replay: str, value: str) -> bytes | None:
        return self.kept.get((replay, value))

    async def keep_analysis(self, replay: str, value: str, analysis: bytes) -> None:
        self.kept[replay, value] = analysis


def findings(record: ReplayRecord, playouts: int = PLAYOUTS) -> Findings:
    """What an analysis of so many playouts finds."""
    return Findings(tuple(map(Judged.of, judge(record, playouts))), luck_of(record))
