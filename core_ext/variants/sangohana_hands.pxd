# The hands of sangohana: eight cards, three of one kind and five of another.
from libc.stdint cimport uint64_t

from core_ext.cards cimport ANIMALS_MASK, CHAFF_MASK, LIGHTS_MASK, RIBBONS_MASK, popcount

# In the order of KINDS.
cdef enum Kind:
    LIGHT
    ANIMAL
    RIBBON
    CHAFF
    KIND_COUNT

cdef enum:
    THREE_OR_FIVE = 1 << 0 | 1 << 3 | 1 << 5    # how many cards of a kind a hand may have, as bits

# What is a hand, and what it is worth, under a match's options.
cdef struct HandRules:
    int rows[<int>KIND_COUNT][<int>KIND_COUNT]      # by the kinds of the three and the five
    int points[16]                                  # by row
    bint strict_pairs
    int strict_kiri_times
    bint strict_three

cdef struct Hand:
    int row                 # of the table
    int points
    int times_five
    int times_three


cdef inline uint64_t cards_of(int kind) noexcept nogil:
    if kind == LIGHT or kind == ANIMAL:
        return LIGHTS_MASK if kind == LIGHT else ANIMALS_MASK
    return RIBBONS_MASK if kind == RIBBON else CHAFF_MASK


cdef inline int pairs(uint64_t chaff) noexcept nogil:
    """How many months have two chaff that make a pair: they are k = 2 and k = 3, of month 12 too."""
    return popcount(chaff & chaff >> 1 & <uint64_t>0x444444444444)


cdef inline bint is_hand(const HandRules* rules, uint64_t cards) noexcept nogil:
    """Whether eight cards are a hand."""
    cdef int chaff = popcount(cards & CHAFF_MASK)
    if not (
        THREE_OR_FIVE >> chaff
        & THREE_OR_FIVE >> popcount(cards & RIBBONS_MASK)
        & THREE_OR_FIVE >> popcount(cards & ANIMALS_MASK)
        & THREE_OR_FIVE >> popcount(cards & LIGHTS_MASK)
        & 1
    ):
        return False
    if chaff == 5:
        return pairs(cards & CHAFF_MASK) > rules.strict_pairs
    return chaff == 0 or not rules.strict_three or pairs(cards & CHAFF_MASK) > 0


cdef int compile_hands(HandRules* rules, options) except -1
cdef Hand read_hand(const HandRules* rules, uint64_t cards) noexcept nogil
cdef int title_of(const Hand* hand, uint64_t cards) noexcept nogil
