# cython: language_level=3
"""A seat's own random numbers: one for each decision, and so worth compiling."""
from hashlib import sha256

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t, uint64_t


@cython.final
cdef class SeatRng:
    cdef bytes start

    def __init__(self, bytes seed, int seat, str salt=""):
        self.start = f"hanafuda-arena/random/1:{seed.hex()}:{seat}:{salt}:".encode()

    cpdef uint64_t roll(self, int number):
        cdef bytes hashed = sha256(self.start + b"%d" % number).digest()
        cdef uint64_t rolled = 0
        cdef int i
        for i in range(8):
            rolled = rolled << 8 | <uint8_t>PyBytes_AS_STRING(hashed)[i]
        return rolled
