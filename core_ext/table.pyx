# cython: language_level=3, boundscheck=False, wraparound=False
"""The table that every variant plays at: phases, the ways a deal can end, and dealing."""
from core_ext.errors import DeckError

from libc.stdint cimport uint8_t, uint64_t

from core_ext.cards cimport NO_CARD, bit

PHASES = tuple("over ended dealt_hand exchange play turned settle cancel draw discard claim".split())
ENDINGS = tuple("stop cancel declare win run_out redeal safeguard void".split())
assert len(PHASES) == PHASE_COUNT and len(ENDINGS) == ENDED_COUNT


cdef int first_dealer(const uint8_t* deck, int cards, int seats, uint8_t* draws) noexcept nogil:
    """The seat that draws the earliest month from the top of the deck, in seat order; seats that tie for it draw again.

    When too few cards are left for another round, it is the first seat still in. ``draws`` gets the seat of each card
    drawn, and NO_CARD after the last one.
    """
    cdef int still_in = (1 << seats) - 1
    cdef int drawn = 0
    cdef int waiting, seat, month, best, tied
    while True:
        best = 12
        tied = 0
        waiting = 0
        for seat in range(seats):
            waiting += still_in >> seat & 1
        if waiting == 1 or drawn + waiting > cards:
            break
        for seat in range(seats):
            if not still_in >> seat & 1:
                continue
            draws[drawn] = <uint8_t>seat
            month = deck[drawn] >> 2
            drawn += 1
            if month < best:
                best = month
                tied = 1 << seat
            elif month == best:
                tied |= 1 << seat
        still_in = tied
    draws[drawn] = NO_CARD
    seat = 0
    while not still_in >> seat & 1:
        seat += 1
    return seat


def first_draws(deck, int seats):
    cdef uint8_t cards[48]
    cdef uint8_t draws[49]
    cdef int i, dealer
    if not 0 < len(deck) <= 48 or not 2 <= seats <= MAX_SEATS:
        raise DeckError(f"{seats} seats cannot draw from {len(deck)} cards")
    for i in range(len(deck)):
        if not 0 <= deck[i] < 48:
            raise DeckError(f"no card has the id {deck[i]}")
        cards[i] = deck[i]
    dealer = first_dealer(cards, len(deck), seats, draws)
    drawn = []
    i = 0
    while draws[i] != NO_CARD:
        drawn.append((draws[i], cards[i]))
        i += 1
    return drawn, dealer


cdef uint64_t take_cards(Deal* deal, int count) noexcept nogil:
    """The next cards from the top of the deck."""
    cdef uint64_t cards = 0
    cdef int i
    for i in range(count):
        cards |= bit(deal.deck[deal.top + i])
    deal.top += <uint8_t>count
    return cards
