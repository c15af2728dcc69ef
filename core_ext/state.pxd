from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from core_ext.events cimport Log
from core_ext.table cimport MAX_LEGAL, Deal
from core_ext.variant cimport Variant


# The codes applied in a deal.
cdef struct Codes:
    uint16_t* items
    int count
    int capacity


# A finished deal of a match, and those before it: immutable, shared by every clone.
cdef class DealRecord:
    cdef DealRecord previous
    cdef int first_event        # of the match so far
    cdef Log log
    cdef Codes codes


cdef class State:
    cdef Variant rules
    cdef bytes _seed            # None for a state that was not dealt from a seed
    cdef uint8_t key[32]        # of all chance to come
    cdef Deal deal
    cdef DealRecord past
    cdef Log log                # of the current deal
    cdef Codes codes
    cdef int legal_count        # -1: not listed yet
    cdef uint16_t legal[MAX_LEGAL]

    cdef int list_legal(self) noexcept nogil
    cdef int apply_code(self, Py_ssize_t code) except -1
    cdef int close_deals(self) except -1
    cdef int first_event(self) noexcept
    cdef int refuse(self, Py_ssize_t code) except -1
    cdef int refuse_choice(self, Py_ssize_t number, int choice) except -1
    cdef object view(self, int seat)
    cdef int must_be_dealt(self, what) except -1
    cdef list records(self)
