cimport cython
from libc.stdint cimport uint8_t, uint32_t


@cython.final
cdef class Move:
    cdef readonly str match_id
    cdef readonly uint32_t decision
    cdef readonly uint32_t code

cdef enum:
    MAX_VARINT = 5      # bytes of a 32-bit number

cdef Move read_move(const uint8_t* at, Py_ssize_t size)
cdef const uint8_t* read_number(const uint8_t* at, const uint8_t* end, uint32_t* number) noexcept
