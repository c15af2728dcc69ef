cimport cython
from libc.stdint cimport uint32_t


@cython.final
cdef class Move:
    cdef readonly str match_id
    cdef readonly uint32_t decision
    cdef readonly uint32_t code

cdef Move read_move(bytes request)
