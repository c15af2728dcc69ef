"""Random play of whole matches, in short; in full it is `python -m benchmarks.random_play --matches 100000`."""

import pytest

from benchmarks import random_play
from core_ext import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_matches_end_inside_the_safeguards_and_keep_the_laws(variant):
    found = random_play.tally(variant, "short", 0, 120)
    assert found.matches == 120
    assert found.deals >= 12 * 120
    assert found.most_deals <= random_play.MAX_DEALS
    assert 0 < found.deal_decisions <= random_play.MAX_DECISIONS


@pytest.mark.parametrize(
    ("name", "bound", "law"),
    [
        ("MAX_DECISIONS", 15, "a deal is longer"),
        ("MAX_DEALS", 11, "a match is longer"),
        ("TWELVE_DEALS", {2: 100}, "bytes of replay"),
    ],
)
def test_a_law_that_does_not_hold_is_told_with_the_seed(monkeypatch, name, bound, law):
    monkeypatch.setattr(random_play, name, bound)
    with pytest.raises(random_play.BrokenLawError, match=f"koikoi, seed 'short/7': AssertionError: .*{law}"):
        random_play.tally("koikoi", "short", 7, 1)


def test_tallies_of_batches_add_up():
    parts = list(random_play.tallies("kyogi", random_play.BATCH + 5, "short", 2))
    assert [part.matches for part in parts] == [random_play.BATCH, 5]
    whole = random_play.Tally()
    for part in parts:
        whole.add(part)
    assert whole.matches == random_play.BATCH + 5
    assert whole.decisions == sum(part.decisions for part in parts)
    assert whole.most_deals == max(part.most_deals for part in parts)
