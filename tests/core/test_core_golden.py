"""Perft and playthroughs against tests/golden; ``python tests/core/golden.py`` writes them anew."""

import golden
import pytest

from core_ext import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_counts_are_the_frozen_ones(variant):
    assert golden.perft_text(variant) == (golden.FOLDER / f"{variant}.perft.txt").read_text()


@pytest.mark.parametrize("variant", VARIANTS)
def test_playthroughs_are_the_frozen_ones(variant):
    lines = golden.playthrough_text(variant).splitlines()
    assert lines == (golden.FOLDER / f"{variant}.playthrough.txt").read_text().splitlines()


def test_no_variant_lacks_a_golden_file_and_no_file_a_variant():
    for kind in ("perft", "playthrough"):
        assert {path.name for path in golden.FOLDER.glob(f"*.{kind}.txt")} == {
            f"{name}.{kind}.txt" for name in VARIANTS
        }
