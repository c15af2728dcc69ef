# A seat's view as numbers: a plane of 48 cards for each zone, and a vector of counters.
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t

from core_ext.table cimport MAX_SEATS, Deal
from core_ext.variant cimport Variant
from core_ext.zones cimport COUNTER_NAME_COUNT

cdef enum:
    MAX_PLANES = 32
    MAX_NUMBERS = 96
    CARDS = 48          # the width of a plane, also where the deck has fewer cards
    NO_NUMBER = -1      # what a counter is written as that the view lacks

# What a plane shows.
cdef enum PlaneKind:
    PLANE_HAND
    PLANE_SHOWN
    PLANE_FIELD
    PLANE_TURNED
    PLANE_PILE
    PLANE_DISCARD
    PLANE_LAST_DISCARD
    PLANE_STOCK
    PLANE_KIND_COUNT


cdef class Layout:
    cdef readonly int planes
    cdef readonly int numbers
    cdef readonly int seats
    cdef int first_counter
    cdef bint has_discards
    cdef bint has_stock
    cdef int16_t sources[<int>MAX_SEATS][<int>MAX_PLANES]   # by viewer: where the cards of a plane are read
    # By viewer, a counter's name and its seat, from 1 (0: nobody's): where it is written, -1: nowhere.
    cdef int16_t slots[<int>MAX_SEATS][<int>COUNTER_NAME_COUNT][<int>MAX_SEATS + 1]
    cdef float blank[MAX_NUMBERS]       # numbers before anything is written: 0, and where counters come NO_NUMBER


cdef void write_tensors(
    Variant rules, const Deal* full, int seat, Layout layout, uint8_t* planes, float* numbers
) noexcept nogil
