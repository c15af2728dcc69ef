# What an action does, as numbers: which of a fixed list of named features are active, each as often as it stands there.
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from core_ext.encoding cimport Encoding
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
    # Writes the numbers of the active features of an action of the asked seat, and returns how many.
    cdef int encode(self, const Deal* deal, const Setting* setting, int action, uint16_t* active) noexcept nogil
