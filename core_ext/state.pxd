from libc.stdint cimport uint8_t, uint16_t

from core_ext.events cimport Log
from core_ext.table cimport MAX_LEGAL, Deal
from core_ext.variant cimport Variant
from core_ext.zones cimport View


# The codes applied in a deal, two bytes each, little-endian.
cdef struct Codes:
    uint8_t* items
    int count
    int capacity


# A finished deal of a match, and those before it: never changed, shared by every clone.
cdef class DealRecord:
    cdef DealRecord previous
    cdef int first_event        # its number in the match
    cdef Log log
    cdef Codes codes


cdef class State:
    cdef Variant rules
    cdef readonly bytes seed    # None for a state that was not dealt from a seed
    cdef bytes given            # decks given for the next deals, one after the other; None where there are none
    cdef uint8_t key[32]        # of all other chance to come
    cdef Deal deal
    cdef DealRecord past
    cdef Log log                # of the current deal
    cdef Codes codes
    cdef int legal_count        # -1: not listed yet
    cdef uint16_t legal[MAX_LEGAL]

    cdef int list_legal(self) noexcept nogil
    cdef int apply_code(self, Py_ssize_t code) except -1
    cdef int apply_legal(self, uint16_t code) except -1
    cdef int close_deals(self) except -1
    cdef int first_event(self) noexcept
    cdef int must_fit(self, observation) except -1
    cdef int refuse(self, Py_ssize_t code) except -1
    cdef int apply_choice(self, Py_ssize_t number, int choice) except -1
    cdef bytes all_codes(self)
    cdef void see(self, int seat, View* view) noexcept nogil
    cdef int recall(self, int seat, int since, Log* seen) except -1
    cdef object view(self, int seat, int since)
    cdef int must_be_dealt(self, what) except -1


cdef Variant rules_of(observation)
cdef int restore_deal(Variant rules, Deal* deal, observation, Log* log) except -1
