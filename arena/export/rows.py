"""The rows of a match, by the names of their columns. Cards are numbers: 4 m + k is card k of month m, both from 0."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, TypeAlias

from arena.export.played import PlayedMatch
from arena.replays.deals import deals_of
from arena.replays.verify import positions

Row: TypeAlias = dict[str, Any]


def match_rows(match: PlayedMatch) -> Iterator[Row]:
    """The match in one row. `options` has what differs from the variant's defaults; the rest is by seat."""
    record = match.record
    yield {
        **_place(match),
        "rules_version": record.rules_version,
        "options": json.dumps(record.options, ensure_ascii=False, sort_keys=True),
        "seed": record.seed.hex(),
        "bots": list(record.names),
        "owners": list(match.owners) if match.owners else None,
        "versions": [match.version(seat) for seat in range(len(record.names))],
        "decisions": record.decisions,
        "end": str(record.end),
        "offender": record.offender,
        "results": list(record.results),
        "placing": list(match.placing),
        "hash": record.running_hash,
    }


def decision_rows(match: PlayedMatch) -> Iterator[Row]:
    """A row a decision, as its seat saw it. `result` and `place` are those that the seat came to have in the match.

    Raises what `arena.replays.verify.positions` raises.
    """
    record, places, common = match.record, match.placing, _place(match)
    versions = [match.version(seat) or None for seat in range(len(record.names))]
    for number, (state, choice) in enumerate(positions(record), 1):
        if choice < 0:
            return
        seat = state.current_player
        view = state.observation(seat, state.event_count)
        texts = state.legal_texts()
        yield {
            **common,
            "number": number,
            "month": view.month,
            "attempt": view.attempt,
            "dealer": view.dealer,
            "seat": seat,
            "bot": record.names[seat],
            "version": versions[seat],
            "phase": view.phase,
            "zones": [
                {"kind": zone.kind, "seat": zone.seat, "cards": list(zone.cards), "count": zone.count}
                for zone in view.zones
            ],
            "counters": [{"name": name, "seat": of, "value": value} for name, of, value in view.counters],
            "legal": list(view.legal),
            "legal_texts": texts,
            "action": view.legal[choice],
            "action_text": texts[choice],
            "ms": record.clock_ms[number - 1] if record.clock_ms else None,
            "end": str(record.end),
            "offender": record.offender,
            "result": record.results[seat],
            "place": places[seat],
        }


def deal_rows(match: PlayedMatch) -> Iterator[Row]:
    """A row a deal; of one in which the match ended early `ending`, `winner` and `scores` are not known.

    `hands` are those dealt and `balances` those after the deal, both by seat. Raises what `positions` raises.
    """
    seats, common = range(len(match.record.names)), _place(match)
    for deal in deals_of(match.record):
        end = deal.end
        yield {
            **common,
            "month": deal.month,
            "attempt": deal.attempt,
            "dealer": deal.deal.seat,
            "bots": list(match.record.names),
            "field": list(deal.deal.cards),
            "hands": [list(deal.hands.get(seat, ())) for seat in seats],
            "ending": end.name if end else None,
            "winner": end.seat if end else None,
            "scores": list(end.values) if end else None,
            "balances": list(deal.balances),
        }


def _place(match: PlayedMatch) -> Row:
    return {
        "match": match.record.match_id,
        "league": match.league or None,
        "round": match.round or None,
        "board": match.board or None,
        "time": datetime.fromtimestamp(match.time, UTC),
        "variant": match.record.variant,
    }
