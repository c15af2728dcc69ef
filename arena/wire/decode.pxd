cimport cython
from libc.stdint cimport uint8_t, uint32_t


@cython.final
cdef class Move:
    cdef readonly str match_id
    cdef readonly uint32_t decision
    cdef readonly uint32_t code

cdef Move read_move(const uint8_t* at, Py_ssize_t size)
