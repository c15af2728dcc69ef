# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a seat shows of a declared hand in hachihachi."""
from libc.stdint cimport uint64_t

from core_ext.cards import ANIMALS, LIGHTS, RIBBONS, cards_mask, parse_cards
from core_ext.variants.hachihachi_table import BY_NUMBER, BY_POVERTY

assert [LIGHTS_MASK, ANIMALS_MASK, RIBBONS_MASK] == [cards_mask(kind) for kind in (LIGHTS, ANIMALS, RIBBONS)]
assert WILLOW_MASK == cards_mask(parse_cards("11L 11A 11R 11x")) and PHOENIX == cards_mask(parse_cards("12L"))
assert len(BY_NUMBER) == LAST_NUMBER and len(BY_POVERTY) == LAST_POVERTY


cdef uint64_t shown_by_number(uint64_t hand, int number) noexcept nogil:
    """What a row of the number series shows of a hand that is one."""
    cdef uint64_t counts = month_counts(hand)
    if number == 0:
        return 0
    if number == KUTTSUKI:
        return hand & ((counts >> 1 & ~counts & LANES) * 15)
    if number == TESHI:
        return hand & ((counts >> 2 & LANES) * 15)
    if number == HANEKEN or number == ICHINISHI or number == SHISO:
        return hand
    return threes_in(hand)


cdef uint64_t hideable(int poverty) noexcept nogil:
    """The cards among which are those that a row of the poverty series keeps hidden."""
    if poverty == AKA or poverty == TANICHI:
        return RIBBONS_MASK
    if poverty == TOICHI:
        return ANIMALS_MASK
    return LIGHTS_MASK if poverty == HIKAICHI else 0


cdef uint64_t shown_by_poverty(uint64_t hand, int poverty, uint64_t ribbons) noexcept nogil:
    """What a row of the poverty series shows of a hand; in 赤 these ribbons too (hachihachi R9, R10)."""
    cdef uint64_t hidden = hand & hideable(poverty)
    if poverty == 0:
        return 0
    if poverty == AKA:
        return hand ^ hidden | ribbons
    if hidden & ~WILLOW_MASK:
        hidden &= ~WILLOW_MASK
    return hand ^ hidden
