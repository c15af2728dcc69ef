# A month of hachihachi: its own fields, and what it pays at its end, in points; and the end of a year.
from libc.stdint cimport int64_t, uint8_t, uint64_t

from core_ext.events cimport Log
from core_ext.matching cimport Course, Matching
from core_ext.table cimport Deal
from core_ext.variant cimport FIRST_YAKU_NAME
from core_ext.variants.hachihachi_hands cimport LAST_HAND
from core_ext.variants.hachihachi_hatto cimport MAX_TURNS, ROWS, Turn

cdef enum:
    HAND_CARDS = 7
    FIELD_CARDS = 6
    DEALT_CARDS = 3 * HAND_CARDS + FIELD_CARDS
    POINTS_TO_KAN = 12
    PAR = 88

# In the order of FIELDS.
cdef enum Field:
    FIELD_SHO
    FIELD_DAI
    FIELD_ZETSU

# What a menu makes of a field.
cdef struct Rate:
    int twice       # two times the multiplier
    int added       # kan for each yaku

# All of it is public but for what is the course's own.
cdef struct Own:
    Course course
    Turn turns[<int>MAX_TURNS]     # as many as cards have been turned
    uint8_t number[3]               # what the seat declared: its hand by number, 0 for none
    uint8_t poverty[3]              # and by poverty
    uint8_t field                   # the kind of field
    uint8_t bind                    # carried out of the month
    uint8_t pot

# Names of events beside the yaku: dealt hands by their numbers from 1, then the terms.
cdef enum Name:
    FIRST_HAND = FIRST_YAKU_NAME + ROWS - 1
    SOHACHI = FIRST_HAND + LAST_HAND + 1
    FUTAHACHI
    SUJUROKU
    TOBIKOMI
    NUKE
    FIRST_FIELD
    CARD_POINTS = FIRST_FIELD + 3
    POT
    FUKIKESHI

cdef int hand_kan[<int>LAST_HAND + 1]


cdef inline Own* own_of(const Deal* deal) noexcept nogil:
    return <Own*>deal.own


cdef inline int sage_of(const Deal* deal) noexcept nogil:
    """The seat whose 下げ stands, -1 when none does: once said, it stands until the month ends."""
    cdef int seat
    for seat in range(3):
        if deal.koi[seat]:
            return seat
    return -1


cdef inline int64_t rated(const Rate* rate, int64_t kan, int yaku) noexcept nogil:
    """So many kan for so many yaku, in points; 0 yaku for what menu F adds nothing to."""
    return (kan + yaku * rate.added) * rate.twice * (POINTS_TO_KAN // 2)


cdef int compile_rates(Rate* rates, menu) except -1
cdef int field_of(uint64_t field, int bind, int* carried) noexcept nogil
cdef int card_points(uint64_t pile) noexcept nogil
cdef uint64_t dives_in(const Deal* deal, int seat, uint64_t pile) noexcept nogil
cdef uint64_t played_by(const Deal* deal, int seat) noexcept nogil
cdef void year_results(const int64_t* balances, int pot, int dealer, int shiso, int64_t* results) noexcept nogil

# `rate` is that of the month's field.
cdef void stop(Matching rules, const Rate* rate, Deal* deal, Log* log) noexcept nogil
cdef void cancel(Matching rules, const Rate* rate, Deal* deal, int seat, Log* log) noexcept nogil
cdef void end_by_shiso(Matching rules, const Rate* rate, Deal* deal, int seat, Log* log) noexcept nogil
cdef void run_out(Matching rules, const Rate* rate, Deal* deal, Log* log) noexcept nogil
