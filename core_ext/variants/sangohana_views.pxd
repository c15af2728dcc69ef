# What a seat of sangohana may know.
from libc.stdint cimport uint8_t, uint64_t

from core_ext.table cimport Deal
from core_ext.variants.sangohana_settlement cimport Settlement


cdef class Views(Settlement):
    cdef uint8_t suspects(self, const Deal* deal, int seat, bint has_passed) noexcept nogil
    cdef uint8_t any_unshown(self, const Deal* deal, const uint8_t* unseen, uint64_t* rng) noexcept nogil
    cdef void deal_claim(self, Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil
    cdef int check_restored(self, Deal* deal, observation) except -1
    cdef bint is_fresh_of(self, const Deal* deal) noexcept nogil
