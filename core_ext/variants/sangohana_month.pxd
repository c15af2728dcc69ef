# A month of sangohana: its own fields, and hands: eight cards, three of one kind and five of another.
from libc.stdint cimport uint8_t, uint64_t

from core_ext.cards cimport ANIMALS_MASK, CHAFF_MASK, LIGHTS_MASK, RIBBONS_MASK, popcount
from core_ext.table cimport PHASE_DISCARD, Deal

cdef enum:
    HAND_CARDS = 7
    MONTHS = 12
    LAST_TURN = 200         # ends the month whatever happens (sangohana R2)

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


cdef struct Own:
    uint8_t turns           # finished in this month
    uint8_t run_outs        # months that the pot is from
    uint8_t fresh           # the card that the seat in turn has just drawn or taken; masked: NO_CARD where not known
    uint8_t took            # whether it was taken
    uint8_t as_dealt        # in the first round, seats, as bits, that hold the cards they were dealt (sangohana R6)
    uint8_t known           # masked only: seats, as bits, of which the viewer knows whether they do
    uint8_t suspects        # masked only: seats, as bits, one of which must be asked for a claim; none: nobody need be
    uint8_t discards[48]    # the last one last; as many as the field has cards


cdef inline Own* own(const Deal* deal) noexcept nogil:
    return <Own*>deal.own


cdef inline int last_discard(const Deal* deal) noexcept nogil:
    return own(deal).discards[popcount(deal.field) - 1]


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
