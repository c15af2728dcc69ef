# The deals that a seat cannot tell from the true one, sampled in C from its observation alone.
from libc.stdint cimport uint8_t, uint64_t

from core_ext.table cimport Deal
from core_ext.variant cimport Variant


cdef class Worlds:
    cdef Variant rules
    cdef readonly int seat
    cdef Deal masked
    cdef uint8_t unseen[48]
    cdef readonly int unseen_count

    # Writes the deal that follows from the seed, as it may be; False when none was found that fits.
    cdef bint sample(self, uint64_t seed, Deal* deal) noexcept nogil
