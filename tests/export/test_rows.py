"""The rows of recorded matches: the same as the matches, in every variant."""

from itertools import pairwise
from pathlib import Path

import pytest

from arena.export import TABLES, played_match
from arena.replays import ReplayRecord, decode
from arena.replays.verify import positions
from core_ext import VARIANTS

GOLDEN = Path(__file__).parents[1] / "golden" / "replays"


def golden(variant: str) -> list[tuple[Path, ReplayRecord]]:
    """The golden replays of a variant."""
    paths = [
        path for path in sorted(GOLDEN.glob(f"{variant}*.hreplay")) if path.name.split(".")[0].split("-")[0] == variant
    ]
    return [(path, decode(path.read_bytes())) for path in paths]


@pytest.mark.parametrize("variant", VARIANTS)
def test_decisions_of_every_variant_are_the_matches_move_by_move(variant: str) -> None:
    for path, record in golden(variant):
        rows = list(TABLES["decisions"].rows(played_match(record, 0.0)))
        assert len(rows) == record.decisions > 0, path
        for row, (state, choice) in zip(rows, positions(record), strict=False):
            assert row["legal"] == state.legal_actions()
            assert row["action"] == row["legal"][choice]
            assert row["action_text"] == row["legal_texts"][choice] == state.action_text(row["action"])
            view = state.observation(state.current_player)
            assert [tuple(zone.values()) for zone in row["zones"]] == [
                (zone.kind, zone.seat, list(zone.cards), zone.count) for zone in view.zones
            ]
            assert [tuple(counter.values()) for counter in row["counters"]] == list(view.counters)
        assert {row["result"] for row in rows} <= set(record.results)
        if record.offender >= 0:
            places = {row["seat"]: row["place"] for row in rows}
            assert places[record.offender] == len(record.names)


@pytest.mark.parametrize("variant", VARIANTS)
def test_scores_of_deals_add_up_to_the_balances_in_every_variant(variant: str) -> None:
    for _, record in golden(variant):
        rows = list(TABLES["deals"].rows(played_match(record, 0.0)))
        assert rows
        for before, after in pairwise(rows):
            if after["scores"] is not None:
                assert after["balances"] == [a + b for a, b in zip(before["balances"], after["scores"], strict=True)]
