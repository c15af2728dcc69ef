# What a seat of koikoi45 may know.
from libc.stdint cimport uint64_t

from core_ext.events cimport Log
from core_ext.matching cimport Matching
from core_ext.table cimport Deal


cdef class Views(Matching):
    cdef bint can_exchange(self, const Deal* deal, int seat) noexcept nogil
    cdef bint ask_in_secret(self, Deal* deal, int seat) noexcept nogil
    cdef void assume_passed(self, Deal* deal, int seat, Log* log) noexcept nogil
    cdef int restore_bottom(self, Deal* deal, observation) except -1
    cdef int restore_played(self, Deal* deal, events) except -1
