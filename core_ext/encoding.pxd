# What a seat sees of a deal as numbers: which of a fixed list of named features are active.
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from core_ext.scoring cimport MAX_YAKU, YakuTable
from core_ext.table cimport MAX_SEATS, Deal
from core_ext.variant cimport Variant
from core_ext.zones cimport COUNTER_NAME_COUNT

cdef enum:
    MAX_ACTIVE = 256        # no position has more active features
    MAX_THRESHOLDS = 16
    TABLE = MAX_SEATS       # the place of the table's own counters, after those of the seats


cdef class Encoding:
    cdef Variant rules
    cdef readonly tuple names           # of the features, by number
    cdef readonly int size              # how many there are
    cdef bint discards                  # whether hands are collected, by drawing and discarding
    cdef int months                     # in a match, unless it is tied
    cdef uint64_t deck
    cdef const YakuTable* yaku          # of the matching games
    cdef int hand_at
    cdef int field_at
    cdef int pile_at[<int>MAX_SEATS]    # by seat, counted from the viewer in turn order
    cdef int shown_at[<int>MAX_SEATS]
    cdef int turned_at
    cdef int months_at
    cdef int rows_at[<int>MAX_SEATS][<int>MAX_YAKU]
    cdef int row_cap[<int>MAX_YAKU]     # the highest count that is told apart; the feature after it: never made
    cdef int kinds_at
    cdef int unseen_at
    cdef int shown_kinds_at[<int>MAX_SEATS]
    cdef int hands_at
    cdef int pairs_at
    cdef int counter_at[<int>COUNTER_NAME_COUNT][<int>TABLE + 1]    # -1: not in the encoding
    cdef int threshold_count[<int>COUNTER_NAME_COUNT]
    cdef int64_t thresholds[<int>COUNTER_NAME_COUNT][<int>MAX_THRESHOLDS]
    cdef int phase_at
    cdef int held_at
    cdef int dealer_at
    cdef int seats_at
    cdef int left_at
    cdef int lead_at

    # Writes the numbers of the active features, and returns how many. Of the deal only what the seat may see is read, so
    # it may be a full deal, a sampled one or a masked one.
    cdef int encode(self, const Deal* deal, int seat, uint16_t* active) noexcept nogil
    cdef int encode_piles(self, const Deal* deal, int seat, uint16_t* active, int n) noexcept nogil
    cdef int encode_hands(self, const Deal* deal, int seat, uint64_t unseen, uint16_t* active, int n) noexcept nogil
    cdef int encode_counters(self, const Deal* deal, int seat, uint16_t* active, int n) noexcept nogil
