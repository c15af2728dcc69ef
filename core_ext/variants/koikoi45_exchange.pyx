# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Whether a hand of koikoi45 can have come of its exchanges."""
from libc.stdint cimport uint8_t, uint64_t

from core_ext.cards cimport NO_CARD, popcount
from core_ext.table cimport Deal


cdef bint can_have_exchanged(const Deal* deal, int seat) noexcept nogil:
    """Whether the hand that the seat had after its exchanges can have come of giving the cards that it gave.

    A hand that is not known whole, because older events are not, may have.
    """
    cdef uint64_t hand = deal.hand[seat] | own_of(deal).played[seat]
    cdef uint8_t held[LAST_MONTH]
    cdef uint8_t given[2 * MOST_EXCHANGES]
    cdef int count = 0
    cdef int place, month
    if popcount(hand) != HAND_CARDS:
        return True
    for month in range(LAST_MONTH):
        held[month] = <uint8_t>popcount(hand >> 4 * month & 15)
    for place in range(first_given(deal), deal.end):
        if given_by(deal, place) == seat:
            if deal.deck[place] == NO_CARD:
                return True
            given[count] = deal.deck[place] >> 2
            count += 1
    return can_be_undone(held, given, count)


cdef bint can_be_undone(uint8_t* held, const uint8_t* given, int count) noexcept nogil:
    """Takes exchanges back, the last first: some card goes back to the stock, and two beside the one given were there."""
    cdef int month
    cdef bint found = False
    if count == 0:
        return True
    for month in range(LAST_MONTH):
        if found or not held[month]:
            continue
        held[month] -= 1
        if held[given[count - 1]] >= 2:
            held[given[count - 1]] += 1
            found = can_be_undone(held, given, count - 1)
            held[given[count - 1]] -= 1
        held[month] += 1
    return found
