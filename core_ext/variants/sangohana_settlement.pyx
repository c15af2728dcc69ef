# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a month of sangohana pays at its end."""
from libc.stdint cimport int64_t, uint8_t, uint64_t

from core_ext.variants.sangohana_table import TERMS, TITLES, YAKU

from core_ext.events cimport (
    EVENT_PAY, EVENT_SCORE, EVENT_WIN, EventRow, Log, add_value, emit, log_by_seat, log_total, log_value,
)
from core_ext.table cimport MAX_SEATS, OWN_WORDS, Deal, after
from core_ext.variant cimport FIRST_YAKU_NAME
from core_ext.variants.sangohana_hands cimport Hand, HandRules, read_hand, title_of

# Names of events beside the yaku.
cdef enum:
    FIRST_TITLE = FIRST_YAKU_NAME + 10
    POT = FIRST_TITLE + 3
    LAST_POT

assert sizeof(Own) <= 8 * OWN_WORDS
assert FIRST_TITLE == FIRST_YAKU_NAME + len(YAKU) and POT == FIRST_TITLE + len(TITLES)
assert TERMS[POT - FIRST_TITLE :] == ("pot", "last_pot")


cdef void pay_win(const HandRules* rules, Deal* deal, int added, uint64_t discard, Log* log) noexcept nogil:
    """Every other seat pays the asked seat its hand, and it takes the pot; a dealer is paid for that once more."""
    cdef Own* mine = own(deal)
    cdef int winner = deal.asked
    cdef Hand hand = read_hand(rules, deal.hand[winner])
    cdef int value = hand.points * hand.times_five * hand.times_three + added
    cdef int extra = mine.run_outs if winner == deal.dealer else 0
    cdef int pot = pot_of(deal)
    cdef int64_t paid[MAX_SEATS]
    cdef EventRow* row
    cdef int seat
    for seat in range(deal.seats):
        deal.score[seat] = -(value + extra)
        paid[seat] = -extra
    deal.score[winner] = (value + extra) * (deal.seats - 1) + pot
    deal.shown[winner] = deal.hand[winner]
    if log != NULL:
        row = emit(log, EVENT_WIN, winner, deal.hand[winner], discard)
        row.name = <uint8_t>name_of(&hand, deal.hand[winner])
        add_value(row, hand.points)
        add_value(row, hand.times_five)
        add_value(row, hand.times_three)
        add_value(row, added)
        log_value(log, EVENT_SCORE, winner, 0, FIRST_YAKU_NAME + hand.row, value)
        log_total(log, winner, value, 0, 1, deal.seats - 1)
        if pot:
            paid[winner] = pot + extra * (deal.seats - 1)
            log_by_seat(log, EVENT_PAY, winner, POT, paid, deal.seats)
    mine.run_outs = 0


cdef void pay_run_out(Deal* deal, Log* log) noexcept nogil:
    """Every seat pays into the pot; after the last month it goes to the final winner instead."""
    cdef int64_t shares[MAX_SEATS]
    cdef int seat
    if deal.month < MONTHS:
        for seat in range(deal.seats):
            deal.score[seat] = shares[seat] = -2 if seat == deal.dealer else -1
        own(deal).run_outs += 1
    else:
        share_last_pot(deal, shares)
    if pot_of(deal):
        log_by_seat(log, EVENT_PAY, -1, POT if deal.month < MONTHS else LAST_POT, shares, deal.seats)


cdef void share_last_pot(const Deal* deal, int64_t* shares) noexcept nogil:
    """The pot to the seats with the most chips; the rest to the first from the last dealer on (sangohana R4)."""
    cdef int64_t best = deal.balance[0]
    cdef int winners = 0
    cdef int first = deal.dealer
    cdef int seat
    for seat in range(deal.seats):
        best = max(best, deal.balance[seat])
    for seat in range(deal.seats):
        winners += deal.balance[seat] == best
    for seat in range(deal.seats):
        shares[seat] = pot_of(deal) // winners if deal.balance[seat] == best else 0
    while deal.balance[first] != best:
        first = after(deal, first)
    shares[first] += pot_of(deal) % winners


cdef int name_of(const Hand* hand, uint64_t cards) noexcept nogil:
    """The hand's name in events."""
    cdef int title = title_of(hand, cards)
    return FIRST_YAKU_NAME + hand.row if title < 0 else FIRST_TITLE + title
