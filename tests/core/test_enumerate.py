"""Every hand that can be dealt, counted by what the variant reads it as."""

from math import comb

import pytest
import reference_kyogi

from core_ext import enumerate as hands
from core_ext import variant_info
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
    assert hands.dealt_hands("kyogi") == KYOGI
    counts = hands.hand_counts("kyogi")
    assert sum(counts) == comb(48, 8) == 377_348_994
    assert counts[0] == comb(48, 8) - sum(KYOGI.values())
    assert list(KYOGI) == list(variant_info("kyogi").dealt_hands)


def test_koikoi45s_dealt_hands_are_as_many_as_there_are_ways_to_choose_them():
    fours = 11 * comb(41, 4) - comb(11, 2)
    pairs = comb(11, 4) * 6**4
    assert hands.dealt_hands("koikoi45") == {"teshi": fours, "nikoniko": pairs}
    assert hands.dealt_hands("koikoi45", {"points.teshi": 0}) == {"teshi": 0, "nikoniko": pairs}


def test_koikois_teshi_are_as_many_as_there_are_ways_to_choose_them():
    assert hands.dealt_hands("koikoi") == {"teshi": 12 * comb(44, 4) - comb(12, 2)}
    assert hands.dealt_hands("koikoi", {"teshi": False}) == {"teshi": 0}


def test_the_reference_knows_the_same_patterns():
    names = {name for name, _ in reference_kyogi.DEALT_HANDS.values()}
    assert names == set(KYOGI)


@pytest.mark.parametrize("variant", ["hachihachi", "sangohana"])
def test_dealt_hands_that_have_no_single_id_are_not_counted_by_one(variant):
    with pytest.raises(ValueError, match=variant):
        hands.dealt_hands(variant)


def test_a_variant_that_does_not_exist_is_refused_by_name():
    with pytest.raises(UnknownVariantError, match="nothing"):
        hands.dealt_hands("nothing")
