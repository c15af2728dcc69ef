# The dealt hands (手役) of hachihachi: what a hand of seven cards can be declared as, and what is shown of it.
from libc.stdint cimport uint64_t

from core_ext.cards cimport ANIMALS_MASK, LANES, LIGHTS_MASK, RIBBONS_MASK, leading_zeros, month_counts, popcount

# Numbered in the order of the tables, first by number; 0 is no hand.
cdef enum Number:
    SANBON = 1
    TATESANBON
    KUTTSUKI
    TESHI
    HANEKEN
    ICHINISHI
    SHISO
    FUTASANBON
    SANBON_TATESANBON
    FUTATATESANBON
    LAST_NUMBER = FUTATATESANBON

cdef enum Poverty:
    AKA = LAST_NUMBER + 1
    TANICHI
    TOICHI
    HIKAICHI
    KARASU
    LAST_HAND = KARASU

cdef extern from *:
    """
    #define HACHIHACHI_WILLOW 0x0f0000000000ULL
    /* The lanes of months 4, 5, 7 and 12, whose threes stand; the last one's without the phoenix. */
    #define HACHIHACHI_STANDING 0x100001011000ULL
    #define HACHIHACHI_PHOENIX 0x100000000000ULL
    /* By fours, threes and pairs: 12 f + 4 t + p. */
    static const unsigned char hachihachi_patterns[24] = {
        0, 0, 0, 3,  1, 1, 5, 0,  8, 0, 0, 0,
        4, 6, 0, 0,  7, 0, 0, 0,  0, 0, 0, 0};
    """
    const uint64_t WILLOW_MASK "HACHIHACHI_WILLOW"
    const uint64_t STANDING "HACHIHACHI_STANDING"
    const uint64_t PHOENIX "HACHIHACHI_PHOENIX"
    const unsigned char patterns "hachihachi_patterns"[24]


cdef inline uint64_t threes_in(uint64_t cards) noexcept nogil:
    """The cards of the months of which there are just three."""
    cdef uint64_t counts = month_counts(cards)
    return cards & ((counts & counts >> 1 & LANES) * 15)


cdef inline uint64_t whole_threes(uint64_t threes, uint64_t pile) noexcept nogil:
    """Those of some threes that a pile holds whole."""
    cdef uint64_t missing = threes & ~pile
    missing |= missing >> 1
    return threes & ~(((missing | missing >> 2) & LANES) * 15)


cdef inline int number_of(uint64_t hand) noexcept nogil:
    """The hand's row of the number series, 0 for none."""
    cdef uint64_t counts = month_counts(hand)
    cdef uint64_t twos = counts >> 1 & LANES
    cdef uint64_t threes = twos & counts
    cdef int number = patterns[
        12 * popcount(counts & LANES << 2) + 4 * popcount(threes) + popcount(twos & ~threes)
    ]
    if number == SANBON or number == FUTASANBON:
        number += popcount(threes & STANDING & ~(hand & PHOENIX))
    return number


cdef inline int poverties_of(uint64_t hand) noexcept nogil:
    """The rows of the poverty series that the hand can be read as, a bit each; willow cards may be chaff."""
    cdef uint64_t rich = hand & (LIGHTS_MASK | ANIMALS_MASK | RIBBONS_MASK)
    cdef uint64_t willow = rich & WILLOW_MASK
    cdef uint64_t rest = rich ^ willow
    cdef int found
    if rest & (rest - 1):
        return 0 if rest & ~RIBBONS_MASK else 1 << AKA
    if rest & RIBBONS_MASK:
        return 1 << TANICHI | (1 << AKA if willow & RIBBONS_MASK else 0)
    if rest:
        return 1 << HIKAICHI if rest & LIGHTS_MASK else 1 << TOICHI
    found = 1 << KARASU
    if willow & LIGHTS_MASK:
        found |= 1 << HIKAICHI
    if willow & ANIMALS_MASK:
        found |= 1 << TOICHI
    if willow & RIBBONS_MASK:
        found |= 1 << TANICHI
    return found


cdef inline bint may_be_number_alone(uint64_t hand) noexcept nogil:
    """Whether a hand of both series is of the poverty series by willow cards taken for chaff alone (hachihachi R11)."""
    cdef uint64_t rich = hand & (LIGHTS_MASK | ANIMALS_MASK | RIBBONS_MASK)
    return rich & (rich - 1) and rich & ~RIBBONS_MASK and poverties_of(hand) and number_of(hand)


cdef inline int dearest_poverty(int poverties) noexcept nogil:
    """The last of some rows, 0 of none. No later row is cheaper, and 空素 goes before 光一, which has no 抜け."""
    return 63 - leading_zeros(poverties | 1)


cdef inline bint has_dives(int number) noexcept nogil:
    """Whether the row's threes can become a 飛込み."""
    return number == SANBON or number == TATESANBON or number == HANEKEN or number >= FUTASANBON


cdef inline bint has_escape(int poverty) noexcept nogil:
    """Whether the row can become a 抜け."""
    return poverty != 0 and poverty != HIKAICHI


cdef inline uint64_t shown_by_number(uint64_t hand, int number) noexcept nogil:
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


cdef inline uint64_t hideable(int poverty) noexcept nogil:
    """The cards among which are those that a row of the poverty series keeps hidden."""
    if poverty == AKA or poverty == TANICHI:
        return RIBBONS_MASK
    if poverty == TOICHI:
        return ANIMALS_MASK
    return LIGHTS_MASK if poverty == HIKAICHI else 0


cdef inline uint64_t shown_by_poverty(uint64_t hand, int poverty, uint64_t ribbons) noexcept nogil:
    """What a row of the poverty series shows of a hand; in 赤 these ribbons too (hachihachi R9, R10)."""
    cdef uint64_t hidden = hand & hideable(poverty)
    if poverty == 0:
        return 0
    if poverty == AKA:
        return hand ^ hidden | ribbons
    if hidden & ~WILLOW_MASK:
        hidden &= ~WILLOW_MASK
    return hand ^ hidden
