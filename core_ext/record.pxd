from libc.stdint cimport uint8_t, uint16_t

from core_ext.buffer cimport grow
from core_ext.events cimport Log


cdef enum:
    CODE_SIZE = 2       # bytes, little-endian

# The codes applied in a deal.
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


cdef list records(DealRecord last)
cdef bytes code_bytes(const Codes* codes)


cdef inline int add_code(Codes* codes, uint16_t code) except -1:
    if codes.count == codes.capacity:
        grow(<void**>&codes.items, &codes.capacity, 32, CODE_SIZE)
    codes.items[CODE_SIZE * codes.count] = <uint8_t>code
    codes.items[CODE_SIZE * codes.count + 1] = <uint8_t>(code >> 8)
    codes.count += 1
    return 0
