from libc.stdint cimport uint16_t

from core_ext.buffer cimport grow
from core_ext.events cimport Log


# The codes applied in a deal.
cdef struct Codes:
    uint16_t* items
    int count
    int capacity


# A finished deal of a match, and those before it: never changed, shared by every clone.
cdef class DealRecord:
    cdef DealRecord previous
    cdef int first_event        # its number in the match
    cdef Log log
    cdef Codes codes


cdef list records(DealRecord last)
cdef int copy_codes(Codes* to, const Codes* origin) except -1
cdef int list_codes(const Codes* codes, list into) except -1


cdef inline int add_code(Codes* codes, uint16_t code) except -1:
    if codes.count == codes.capacity:
        grow(<void**>&codes.items, &codes.capacity, 32, sizeof(uint16_t))
    codes.items[codes.count] = code
    codes.count += 1
    return 0
