# cython: language_level=3, boundscheck=False, wraparound=False
"""Every hand that can be dealt, read one by one by the variant's own reader of hands."""
from core_ext.variants.registry import make

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from core_ext.cards cimport lowest
from core_ext.matching cimport DEALT_HAND_KINDS, Matching


cdef void count_hands(Matching rules, int64_t* counts) noexcept nogil:
    """Count the hands by what they are read as; a hand is a mask, the next larger one of as many cards follows."""
    cdef uint64_t hand = (<uint64_t>1 << rules.hand_cards) - 1
    cdef uint64_t end = <uint64_t>1 << rules.cards
    cdef uint64_t carried, low
    while hand < end:
        counts[rules._dealt_hand(hand)] += 1
        low = hand & -hand
        carried = hand + low
        hand = carried | (hand ^ carried) >> lowest(hand) + 2


def hand_counts(variant, options=None):
    cdef Matching rules
    cdef int64_t counts[DEALT_HAND_KINDS]
    made = make(variant, options, None)
    if not isinstance(made, Matching):
        raise ValueError(f"{variant} has no dealt hands")
    rules = made
    memset(counts, 0, sizeof(counts))
    with nogil:
        count_hands(rules, counts)
    return tuple([counts[number] for number in range(DEALT_HAND_KINDS)])
