from libc.stdint cimport uint64_t

from core_ext.events cimport Log
from core_ext.table cimport Deal
from core_ext.variant cimport Variant

cdef void veil(Variant rules, Deal* deal, int seat) noexcept nogil
cdef object observe(Variant rules, const Deal* deal, int seat, int turn, tuple legal, tuple events)
cdef int restore(Variant rules, Deal* deal, observation) except -1
cdef int sample(Variant rules, Deal* deal, int seat, uint64_t rng, Log* log) except -1
