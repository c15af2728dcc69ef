# What a seat sees of a deal as numbers: which of a fixed list of named features are active.
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from core_ext.scoring cimport MAX_YAKU, YakuTable
from core_ext.table cimport MAX_SEATS, Deal
from core_ext.variant cimport Variant
from core_ext.zones cimport COUNTER_NAME_COUNT, MAX_COUNTERS

cdef enum:
    MAX_ACTIVE = 256        # no position has more active features
    MAX_THRESHOLDS = 16
    TABLE = MAX_SEATS       # the place of the table's own counters, after those of the seats
    MAX_SLOTS = 160         # of a position
    GROUPS = 3 + 2 * MAX_SEATS - 1

# Sets of cards of which each is a feature: after these the piles, then what others have shown, by seat from the viewer.
cdef enum Group:
    GROUP_HAND
    GROUP_FIELD
    GROUP_TURNED
    GROUP_PILE
    GROUP_SHOWN = GROUP_PILE + MAX_SEATS - 1    # of the seat after the viewer at + 1

# How far every seat has come with each yaku: so many of its cards, at most the row's cap; one more than that: never.
cdef struct Standing:
    uint64_t pile[MAX_SEATS]                    # of which this is true
    uint8_t counts[MAX_SEATS][MAX_YAKU]

# What a seat saw when it last looked: sets of cards, and slots that hold one active feature each, or 0 where none is.
cdef struct Seen:
    uint64_t cards[GROUPS]
    uint64_t in_hand                            # how many of each month, a nibble a month
    uint64_t on_field
    uint64_t unseen
    int64_t counters[<int>MAX_COUNTERS]         # by number in the view
    uint16_t slots[MAX_SLOTS]
    int slot_count                              # 0: it has not looked yet

# The features that have come and gone since it looked before.
cdef struct Changes:
    uint16_t came[MAX_ACTIVE]
    uint16_t gone[MAX_ACTIVE]
    int came_count
    int gone_count


cdef class Encoding:
    cdef Variant rules
    cdef readonly tuple names           # of the features, by number
    cdef readonly int size              # how many there are
    cdef bint discards                  # whether hands are collected, by drawing and discarding
    cdef int months                     # in a match, unless it is tied
    cdef uint64_t deck
    cdef YakuTable encoded              # of the matching games: the rows that are encoded, its first
    cdef const YakuTable* yaku          # the same
    cdef Standing untouched             # while no card has been taken
    cdef int cards_at[<int>GROUPS]
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

    cdef void take_rows(self, const YakuTable* table, int count) noexcept
    # Writes the numbers of the active features, and returns how many. Of the deal only what the seat may see is read, so
    # it may be a full deal, a sampled one or a masked one.
    cdef int encode(self, const Deal* deal, int seat, uint16_t* active) noexcept nogil
    # Brings up to date what a seat saw, of this deal or any other, and how far all have come; says what has changed.
    cdef void look(self, const Deal* deal, int seat, Standing* standing, Seen* seen, Changes* changes) noexcept nogil
    cdef void advance(self, const Deal* deal, Standing* standing) noexcept nogil
