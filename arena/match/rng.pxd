cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t


@cython.final
cdef class SeatRng:
    # The hash as far as it is the same for every number, and the bytes of it that are no whole block yet.
    cdef uint32_t begun[8]
    cdef uint8_t rest[64]
    cdef uint64_t length    # of the text before the number, bytes

    cpdef uint64_t roll(self, uint32_t number)
