"""Decisions as Arrow's columns, written natively: the same rows as `arena.export.rows.decision_rows`."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from arena.export.columns import TABLES
from arena.export.played import PlayedMatch
from arena.replays.verify import start
from core_ext import VARIANTS, variant_info
from core_ext.columns import DecisionColumns
from core_ext.observation import COUNTER_NAMES, ZONE_KINDS
from core_ext.table import PHASES

_TEXTS = tuple(dict.fromkeys(text for variant in VARIANTS for text in variant_info(variant).actions))
"""The texts of all actions, each once."""
_VARIANTS = {variant: number for number, variant in enumerate(VARIANTS)}
_TIME = pa.timestamp("us", "UTC")
_LABEL = pa.dictionary(pa.int32(), pa.string())
_SMALL_LABEL = pa.dictionary(pa.uint8(), pa.string())
_TEXT = pa.dictionary(pa.uint16(), pa.string())
_CARDS = pa.list_(pa.uint8())
_TYPES: Mapping[str, Any] = {
    "match": _LABEL,
    "league": _LABEL,
    "round": pa.int64(),
    "board": _LABEL,
    "time": _TIME,
    "variant": _LABEL,
    "number": pa.int64(),
    "month": pa.uint16(),
    "attempt": pa.uint16(),
    "dealer": pa.int8(),
    "seat": pa.int8(),
    "bot": _LABEL,
    "version": _LABEL,
    "phase": _SMALL_LABEL,
    "zones": pa.list_(
        pa.struct([("kind", _SMALL_LABEL), ("seat", pa.int8()), ("cards", _CARDS), ("count", pa.uint8())])
    ),
    "counters": pa.list_(pa.struct([("name", _SMALL_LABEL), ("seat", pa.int8()), ("value", pa.int64())])),
    "legal": pa.list_(pa.uint16()),
    "legal_texts": pa.list_(_TEXT),
    "action": pa.uint16(),
    "action_text": _TEXT,
    "ms": pa.int64(),
    "end": _LABEL,
    "offender": pa.int8(),
    "result": pa.int64(),
    "place": pa.uint16(),
}
assert tuple(_TYPES) == tuple(TABLES["decisions"].columns)


def _texts() -> NDArray[np.uint16]:
    """By variant and action code, the place of its text in `_TEXTS`."""
    places = {text: place for place, text in enumerate(_TEXTS)}
    table = np.zeros((len(VARIANTS), max(len(variant_info(variant).actions) for variant in VARIANTS)), np.uint16)
    for variant, number in _VARIANTS.items():
        actions = variant_info(variant).actions
        table[number, : len(actions)] = [places[text] for text in actions]
    return table


class DecisionBatches:
    """Collects the decisions of matches."""

    schema = pa.schema(list(_TYPES.items()))

    def __init__(self) -> None:
        self._columns = DecisionColumns()
        self._matches: list[PlayedMatch] = []
        self._text_places = _texts()
        self._texts = pa.array(_TEXTS)

    @property
    def rows(self) -> int:
        """How many are kept."""
        return self._columns.rows

    def add(self, match: PlayedMatch) -> int:
        """Keep the match's rows; return how many. Raises what `arena.replays.verify.positions` raises."""
        record = match.record
        self._columns.add(start(record), record.packed, record.decisions)
        self._matches.append(match)
        return record.decisions

    def take(self) -> Any:
        """The rows as a record batch; then none are kept."""
        total, columns, matches = self._columns.rows, self._columns.take(), self._matches
        self._matches = []
        counts = np.array([match.record.decisions for match in matches])
        firsts = np.cumsum(counts) - counts
        of_match = np.repeat(np.arange(len(matches), dtype=np.int32), counts)
        seat = np.frombuffer(columns["seat"], np.int8)
        seats = [len(match.record.names) for match in matches]
        of_seat = (np.array([0, *accumulate(seats)], np.int32)[of_match] + seat).astype(np.int32)
        variant = np.array([_VARIANTS[match.record.variant] for match in matches])[of_match]
        legal, legal_at = np.frombuffer(columns["legal"], np.uint16), np.frombuffer(columns["legal_at"], np.int32)
        action = np.frombuffer(columns["action"], np.uint16)

        def label(value: Callable[[PlayedMatch], str]) -> Any:
            return _labels([value(match) or None for match in matches], of_match)

        def each_seat(value: Callable[[PlayedMatch, int], Any]) -> list[Any]:
            return [value(match, seat) for match, count in zip(matches, seats, strict=True) for seat in range(count)]

        def each(kind: Any, value: Callable[[PlayedMatch], object]) -> Any:
            return pa.array([value(match) for match in matches], kind).take(pa.array(of_match))

        def by_seat(kind: Any, value: Callable[[PlayedMatch, int], int]) -> Any:
            return pa.array(each_seat(value), kind).take(pa.array(of_seat))

        arrays = {
            "match": label(lambda match: match.record.match_id),
            "league": label(lambda match: match.league),
            "round": each(pa.int64(), lambda match: match.round or None),
            "board": label(lambda match: match.board),
            "time": each(_TIME, lambda match: datetime.fromtimestamp(match.time, UTC)),
            "variant": label(lambda match: match.record.variant),
            "number": pa.array(np.arange(1, total + 1) - np.repeat(firsts, counts)),
            "month": _numbers(columns["month"], pa.uint16()),
            "attempt": pa.array(np.frombuffer(columns["attempt"], np.uint8).astype(np.uint16)),
            "dealer": _numbers(columns["dealer"], pa.int8()),
            "seat": _numbers(columns["seat"], pa.int8()),
            "bot": _labels(each_seat(lambda match, seat: match.record.names[seat]), of_seat),
            "version": _labels(each_seat(lambda match, seat: match.version(seat) or None), of_seat),
            "phase": _of(columns["phase"], PHASES),
            "zones": _zones(columns),
            "counters": _counters(columns),
            "legal": pa.ListArray.from_arrays(pa.array(legal_at), pa.array(legal)),
            "legal_texts": pa.ListArray.from_arrays(
                pa.array(legal_at), self._texts_of(np.repeat(variant, np.diff(legal_at)), legal)
            ),
            "action": pa.array(action),
            "action_text": self._texts_of(variant, action),
            "ms": _milliseconds(matches),
            "end": label(lambda match: str(match.record.end)),
            "offender": each(pa.int8(), lambda match: match.record.offender),
            "result": by_seat(pa.int64(), lambda match, seat: match.record.results[seat]),
            "place": by_seat(pa.uint16(), lambda match, seat: match.placing[seat]),
        }
        return pa.RecordBatch.from_arrays(list(arrays.values()), schema=self.schema)

    def _texts_of(self, variants: NDArray[Any], codes: NDArray[np.uint16]) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array(self._text_places[variants, codes]), self._texts)


def _labels(values: Sequence[str | None], of_row: NDArray[np.int32]) -> Any:
    """The texts by row, where `of_row` says which one."""
    names = list(dict.fromkeys(value for value in values if value is not None))
    places = {name: place for place, name in enumerate(names)}
    place = np.array([places.get(value, -1) if value is not None else -1 for value in values], np.int32)[of_row]
    return pa.DictionaryArray.from_arrays(pa.array(place, mask=place < 0), pa.array(names, pa.string()))


def _numbers(column: bytes, kind: Any) -> Any:
    """Numbers as they lie in memory."""
    return pa.Array.from_buffers(kind, len(column) * 8 // kind.bit_width, [None, pa.py_buffer(column)])


def _of(column: bytes, names: Sequence[str]) -> Any:
    return pa.DictionaryArray.from_arrays(_numbers(column, pa.uint8()), pa.array(names))


def _zones(columns: Mapping[str, bytes]) -> Any:
    zones = pa.StructArray.from_arrays(
        [
            _of(columns["zone_kind"], ZONE_KINDS),
            _numbers(columns["zone_seat"], pa.int8()),
            pa.ListArray.from_arrays(_numbers(columns["cards_at"], pa.int32()), _numbers(columns["cards"], pa.uint8())),
            _numbers(columns["zone_count"], pa.uint8()),
        ],
        fields=list(_TYPES["zones"].value_type),
    )
    return pa.ListArray.from_arrays(_numbers(columns["zones_at"], pa.int32()), zones)


def _counters(columns: Mapping[str, bytes]) -> Any:
    counters = pa.StructArray.from_arrays(
        [
            _of(columns["counter_name"], COUNTER_NAMES),
            _numbers(columns["counter_seat"], pa.int8()),
            _numbers(columns["counter_value"], pa.int64()),
        ],
        fields=list(_TYPES["counters"].value_type),
    )
    return pa.ListArray.from_arrays(_numbers(columns["counters_at"], pa.int32()), counters)


def _milliseconds(matches: Sequence[PlayedMatch]) -> Any:
    return pa.concat_arrays(
        [
            pa.array(record.clock_ms, pa.int64()) if record.clock_ms else pa.nulls(record.decisions, pa.int64())
            for record in (match.record for match in matches)
        ]
    )
