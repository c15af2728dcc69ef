# A month of koikoi45: its own fields, and what they and a hand say of exchanges (三替え).
from libc.stdint cimport int64_t, uint8_t, uint64_t

from core_ext.cards cimport LANES, month_counts, popcount
from core_ext.matching cimport Course
from core_ext.table cimport Deal
from core_ext.variant cimport FIRST_YAKU_NAME

cdef enum:
    LAST_MONTH = 12
    HAND_CARDS = 8
    MOST_EXCHANGES = 21                         # in one seat's turn to exchange (koikoi45 R6)
    EXCHANGE_NAME = FIRST_YAKU_NAME + 13 + 2    # of events, after the yaku and the dealt hands


cdef struct Own:
    Course course
    uint64_t played[2]      # sampling only: what each seat has played from its hand
    uint8_t exchanges[2]    # by seat; what came of them lies at the bottom of the stock, the dealer's last
    uint8_t closed          # seats, as bits, that exchange no more; veiled: the viewer's alone
    uint8_t doublings       # of the month's multiplier
    uint8_t rain            # asked to stop or go on is not the seat whose turn it is, but the other
    uint8_t lenient         # sampling only: this try may leave exchanges unexplained
    uint8_t cup_void        # a koi has followed a rain: the cup yaku count for nobody


cdef inline Own* own_of(const Deal* deal) noexcept nogil:
    return <Own*>deal.own


cdef inline int64_t multiplier_of(const Deal* deal) noexcept nogil:
    """At most 2^25: months, births and lights double 8 times at most, koi 17 times (koikoi45 R8)."""
    return <int64_t>1 << own_of(deal).doublings


cdef inline bint is_four_pairs(uint64_t hand) noexcept nogil:
    """Whether the hand, of eight cards, is two cards of each of four months."""
    cdef uint64_t counts = month_counts(hand)
    return popcount(counts >> 1 & ~counts & LANES) == 4


cdef inline uint64_t threes(uint64_t hand) noexcept nogil:
    """Not zero when the hand holds three or four of some month."""
    cdef uint64_t counts = month_counts(hand)
    return (counts & counts >> 1 | counts >> 2) & LANES


cdef inline int first_given(const Deal* deal) noexcept nogil:
    """The place in the deck of the first card that an exchange put under the stock."""
    return deal.end - own_of(deal).exchanges[0] - own_of(deal).exchanges[1]


cdef inline int given_by(const Deal* deal, int place) noexcept nogil:
    """The seat whose exchange put the card at this place of the deck under the stock."""
    return deal.dealer if place >= deal.end - own_of(deal).exchanges[deal.dealer] else 1 - deal.dealer

