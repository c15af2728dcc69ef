"""The comparison of a busy node with an idle one, in short; in full it is `python -m benchmarks.busy_node`."""

import math

import pytest

from arena.launcher.cage.cages import spare_processors
from benchmarks import busy_node

BOARDS = 2


@pytest.mark.usefixtures("bubblewrap")
def test_a_league_beside_searching_bots_is_played_as_alone_and_both_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Short, as qualifying takes hundreds of decisions.
    monkeypatch.setattr(busy_node, "BUDGETS_MS", {"strong": 12, "weak": 8})
    monkeypatch.setattr(busy_node, "OTHERS_MS", 8)
    monkeypatch.setattr(busy_node, "MONTHS", 1)
    found = busy_node.compare(BOARDS, others=2)
    assert (found.alone.others, found.alone.margins.keys()) == (0, found.busy.margins.keys())
    for played in found:
        assert len(played.margins) == BOARDS
        assert 1 <= played.at_once <= spare_processors(), "no more think at once than there are processors for them"
        for bot, charged in played.charged_ms.items():
            assert len(charged) == len(played.searched[bot]), "every decision was searched, and charged, once"
    shown = {row.name: row.value for row in busy_node.results(found)}
    assert all(math.isfinite(value) for value in shown.values())
    for name in ("searched_ratio.strong", "searched_ratio.weak", "margin_difference", "margin_difference_error"):
        assert f"busy_node.{name}" in shown
    for bot in found.alone.charged_ms:
        assert (f"busy_node.charged_ratio.{bot}" in shown) == (shown[f"busy_node.alone.charged.{bot}"] > 0)
