from libc.stdint cimport uint8_t, uint64_t

from core_ext.events cimport Log
from core_ext.table cimport Deal
from core_ext.variant cimport Variant
from core_ext.zones cimport View

cdef enum:
    MAX_SAMPLES = 1 << 18      # the rarest secret question is far more likely than one in so many


cdef void mask_deal(Variant rules, const Deal* full, Deal* deal, int seat) noexcept nogil
cdef void look(Variant rules, const Deal* deal, View* view) noexcept nogil
cdef object observe(Variant rules, const View* view, int seat, tuple legal, tuple events)
cdef int restore(Variant rules, Deal* deal, observation, const Log* log) except -1
cdef object in_range(what, value, low, high)
cdef int within(dict counters, name, seat, high) except -1
cdef int sample(Variant rules, Deal* deal, int seat, uint64_t rng, Log* log) except -1
cdef int unseen_cards(const Deal* masked, int cards, uint8_t* unseen) except -1
cdef void lay_out(Deal* deal, const uint8_t* unseen) noexcept nogil
cdef bint fill(
    Variant rules, const Deal* masked, uint8_t* unseen, int count, int seat, uint64_t* rng, Deal* deal, Log* log
) noexcept nogil
cdef bint fits(
    Variant rules, const Deal* masked, uint8_t* unseen, int count, int seat, uint64_t* rng, Deal* deal, Log* log
) noexcept nogil
