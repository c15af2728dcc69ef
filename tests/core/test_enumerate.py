"""Every hand that can be dealt, counted by what the variant reads it as."""

from math import comb

import pytest
import reference_kyogi

from core_ext import variant_info
from core_ext.enumerate import hand_counts
from core_ext.errors import UnknownVariantError

KYOGI = {
    "haneken": 3_421_440,
    "teshi": 1_584_000,
    "futasanbon": 760_320,
    "kuttsuki": 641_520,
    "futasanbon_kuttsuki": 63_360,
    "teshi_kuttsuki": 23_760,
    "shiso": 21_120,
    "futateshi": 66,
}


def test_kyogis_dealt_hands_are_as_many_as_its_table_says_of_all_hands_of_eight():
    counts = hand_counts("kyogi")
    assert counts[1 : len(KYOGI) + 1] == tuple(KYOGI.values())
    assert sum(counts) == comb(48, 8) == 377_348_994
    assert counts[0] == comb(48, 8) - sum(KYOGI.values())
    assert list(KYOGI) == list(variant_info("kyogi").dealt_hands)


def test_koikoi45s_dealt_hands_are_as_many_as_there_are_ways_to_choose_them():
    fours = 11 * comb(41, 4) - comb(11, 2)
    pairs = comb(11, 4) * 6**4
    assert hand_counts("koikoi45")[1:4] == (fours, pairs, 0)
    assert hand_counts("koikoi45", {"points.teshi": 0})[1:3] == (0, pairs)


def test_koikois_teshi_are_as_many_as_there_are_ways_to_choose_them():
    assert hand_counts("koikoi")[1:3] == (12 * comb(44, 4) - comb(12, 2), 0)
    assert hand_counts("koikoi", {"teshi": False})[1] == 0


def test_the_reference_knows_the_same_patterns():
    names = {name for name, _ in reference_kyogi.DEALT_HANDS.values()}
    assert names == set(KYOGI)


def test_a_variant_without_dealt_hands_has_none_to_count():
    with pytest.raises(ValueError, match="sangohana"):
        hand_counts("sangohana")


def test_a_variant_that_does_not_exist_is_refused_by_name():
    with pytest.raises(UnknownVariantError, match="nothing"):
        hand_counts("nothing")
