# A month of hachihachi: its own fields, and what it pays at its end.
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from core_ext.events cimport Log
from core_ext.matching cimport Course, Matching
from core_ext.table cimport Deal
from core_ext.variant cimport FIRST_YAKU_NAME
from core_ext.variants.hachihachi_hands cimport LAST_NUMBER, LAST_POVERTY
from core_ext.variants.hachihachi_hatto cimport MOST_TURNS, ROWS
from core_ext.variants.hachihachi_money cimport Rate

cdef enum:
    HAND_CARDS = 7
    FIELD_CARDS = 6
    DEALT_CARDS = 3 * HAND_CARDS + FIELD_CARDS


# All of it is public but for what is the course's own.
cdef struct Own:
    Course course
    uint64_t threes[3]              # of declared hands, as long as they can become a 飛込み
    uint16_t turns[<int>MOST_TURNS] # packed; as many as cards have been turned
    uint8_t number[3]               # what the seat declared: its row by number, 0 for none
    uint8_t poverty[3]              # and by poverty
    uint8_t field                   # the kind of field
    uint8_t bind                    # carried out of the month
    uint8_t pot
    uint8_t dives                   # 飛込み so far

# Names of events beside the yaku: dealt hands by their numbers from 1, then the terms.
cdef enum Name:
    FIRST_HAND = FIRST_YAKU_NAME + ROWS - 1
    SOHACHI = FIRST_HAND + LAST_NUMBER + LAST_POVERTY + 1
    FUTAHACHI
    SUJUROKU
    TOBIKOMI
    NUKE
    FIRST_FIELD
    CARD_POINTS = FIRST_FIELD + 3
    POT
    FUKIKESHI

cdef int hand_kan[LAST_NUMBER + LAST_POVERTY + 1]      # by number among all dealt hands


cdef inline Own* own_of(const Deal* deal) noexcept nogil:
    return <Own*>deal.own


cdef inline int hand_of_poverty(int poverty) noexcept nogil:
    """The number among all dealt hands of a row of the poverty series."""
    return LAST_NUMBER + poverty if poverty else 0


cdef inline int sage_of(const Deal* deal) noexcept nogil:
    """The seat whose 下げ stands, -1 when none does: once said, it stands until the month ends."""
    cdef int seat
    for seat in range(3):
        if deal.koi[seat]:
            return seat
    return -1


# `rate` is that of the month's field.
cdef void stop(Matching rules, const Rate* rate, Deal* deal, Log* log) noexcept nogil
cdef void cancel(Matching rules, const Rate* rate, Deal* deal, int seat, Log* log) noexcept nogil
cdef void end_by_shiso(Matching rules, const Rate* rate, Deal* deal, int seat, Log* log) noexcept nogil
cdef void run_out(Matching rules, const Rate* rate, Deal* deal, Log* log) noexcept nogil
cdef uint64_t played_by(const Deal* deal, int seat) noexcept nogil
