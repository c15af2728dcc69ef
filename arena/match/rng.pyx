# cython: language_level=3
"""A seat's own random numbers: one for each decision, and so worth compiling."""
from hashlib import sha256

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint64_t
from libc.stdio cimport snprintf


@cython.final
cdef class SeatRng:
    cdef object start

    def __init__(self, bytes seed, int seat, str salt=""):
        self.start = sha256(f"hanafuda-arena/random/1:{seed.hex()}:{seat}:{salt}:".encode())

    cpdef uint64_t roll(self, int number):
        cdef char text[12]
        cdef int size = snprintf(text, sizeof(text), "%d", number)
        cdef uint64_t rolled = 0
        cdef int i
        digest = self.start.copy()
        digest.update(PyBytes_FromStringAndSize(text, size))
        cdef bytes hashed = digest.digest()
        for i in range(8):
            rolled = rolled << 8 | <uint8_t>PyBytes_AS_STRING(hashed)[i]
        return rolled
