# What an action does, as numbers: which of a fixed list of named features are active, each as often as it stands there.
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from core_ext.encoding cimport Encoding, Seen, Standing
from core_ext.scoring cimport MAX_YAKU, YakuTable
from core_ext.table cimport MAX_SEATS, Deal

cdef enum:
    MAX_ACTION_ACTIVE = 160     # no action has more active features

# What is the same for every action of a decision.
cdef struct Setting:
    uint64_t on_field
    uint64_t in_hand
    uint64_t unseen
    int stage                                       # where the features of this part of the deal begin
    uint8_t standing[<int>MAX_SEATS][<int>MAX_YAKU]     # of each seat's rows, from the viewer on

# Sums of weights that several actions of a decision share, found when they are first wanted.
cdef struct Sums:
    uint64_t has_card[2]
    uint32_t has_row[2]
    int32_t card[2][48]
    int32_t row[2][<int>MAX_YAKU]


cdef class ActionEncoding:
    cdef readonly tuple names       # of the features, by number
    cdef readonly int size          # how many there are; 0 where hands are collected
    cdef Encoding encoding
    cdef const YakuTable* yaku
    cdef int stage_size
    cdef int card_at[2]             # of cards that go to the pile, and that are laid on the field
    cdef int month_at[2]
    cdef int row_at[2][<int>MAX_SEATS][<int>MAX_YAKU]

    cdef void set_up(self, const Deal* deal, int seat, Setting* setting) noexcept nogil
    # The same from what the seat sees already.
    cdef void set_up_seen(
        self, const Deal* deal, int seat, const Seen* seen, const Standing* standing, Setting* setting
    ) noexcept nogil
    # Writes the numbers of the active features of an action of the asked seat, and returns how many.
    cdef int encode(self, const Deal* deal, const Setting* setting, int action, uint16_t* active) noexcept nogil
    cdef int month_feature(self, const Setting* setting, int way, int card) noexcept nogil
    # The sum of the weights of these features, with sums that begin empty with each decision.
    cdef int32_t total(
        self, const Deal* deal, const Setting* setting, int action, const int32_t* weights, Sums* sums
    ) noexcept nogil
