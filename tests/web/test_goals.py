"""Each variant's page begins with what one plays for, told in five sentences, with cards to look at."""

import pytest
from site_client import SiteUnderTest

from arena.web.site.goals import GOALS
from core_ext import VARIANTS, variant_info
from core_ext.cards import CARD_NAMES


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_begin_with_five_sentences_and_cards_of_the_variant(site: SiteUnderTest, variant: str) -> None:
    goal = GOALS[variant]
    assert len(goal.sentences) == 5
    assert set(goal.cards) <= set(CARD_NAMES[: variant_info(variant).cards])
    page = site.get(f"/rules/{variant}")
    assert " ".join(goal.sentences) in page.words
    assert page.text.index("What you play for") < page.text.index("<h2>Yaku</h2>")


@pytest.mark.parametrize("variant", ["koikoi", "koikoi45", "kyogi", "hachihachi"])
def test_the_cards_that_are_shown_make_a_yaku(variant: str) -> None:
    shown = {CARD_NAMES.index(card) for card in GOALS[variant].cards}
    assert any(set(row.cards) == shown == set(row.cards[: row.need]) for row in variant_info(variant).yaku)
