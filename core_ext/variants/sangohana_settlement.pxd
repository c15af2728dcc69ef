# A month of sangohana: its own fields, and what it pays at its end.
from libc.stdint cimport int64_t, uint8_t, uint64_t

from core_ext.events cimport Log
from core_ext.table cimport PHASE_DISCARD, Deal
from core_ext.variants.sangohana_hands cimport HandRules

cdef enum:
    HAND_CARDS = 7
    MONTHS = 12
    LAST_TURN = 200         # ends the month whatever happens (sangohana R2)


cdef struct Own:
    uint8_t turns           # finished in this month
    uint8_t run_outs        # months that the pot is from
    uint8_t fresh           # the card that the seat in turn has just drawn or taken; veiled: NO_CARD where not known
    uint8_t took            # whether it was taken
    uint8_t as_dealt        # in the first round, seats, as bits, that hold the cards they were dealt (sangohana R6)
    uint8_t known           # veiled only: seats, as bits, of which the viewer knows whether they do
    uint8_t suspects        # veiled only: seats, as bits, one of which must be asked for a claim; none: nobody need be
    uint8_t discarded       # how many discards lie there
    uint8_t discards[48]    # the last one last


cdef inline Own* own(const Deal* deal) noexcept nogil:
    return <Own*>deal.own


cdef inline int last_discard(const Deal* deal) noexcept nogil:
    return own(deal).discards[own(deal).discarded - 1]


cdef inline int in_turn(const Deal* deal) noexcept nogil:
    """The seat whose turn it is, or whose it is once the last discard stands."""
    return (deal.dealer + own(deal).turns) % deal.seats


cdef inline int before(const Deal* deal, int seat) noexcept nogil:
    return (seat if seat else deal.seats) - 1


cdef inline bint is_over_unclaimed(const Deal* deal) noexcept nogil:
    """Whether the month ends with the last discard, if nobody wins it (sangohana R2, R3)."""
    return deal.top == deal.end or own(deal).turns == LAST_TURN


cdef inline bint is_first_round(const Deal* deal) noexcept nogil:
    """Whether a discard may be won, or may have been, before the dealer's second turn begins."""
    return own(deal).turns + (deal.phase == PHASE_DISCARD) <= deal.seats


cdef inline int pot_of(const Deal* deal) noexcept nogil:
    """What lies in the pot: two from the dealer and one from every other seat for each run-out month."""
    return own(deal).run_outs * (deal.seats + 1)


cdef void pay_win(const HandRules* rules, Deal* deal, int added, uint64_t discard, Log* log) noexcept nogil
cdef void pay_run_out(Deal* deal, Log* log) noexcept nogil
cdef void share_last_pot(const Deal* deal, int64_t* shares) noexcept nogil
