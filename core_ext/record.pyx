# cython: language_level=3, boundscheck=False, wraparound=False
"""The record of a match: what was done and what happened, deal by deal."""
cimport cython
from libc.stdint cimport uint16_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from core_ext.buffer cimport grow


@cython.final
cdef class DealRecord:
    """The events and codes of a finished deal."""

    def __dealloc__(self):
        free(self.log.rows)
        free(self.codes.items)


cdef list records(DealRecord last):
    """The deals up to this one, oldest first."""
    cdef list found = []
    while last is not None:
        found.append(last)
        last = last.previous
    found.reverse()
    return found


cdef int copy_codes(Codes* to, const Codes* origin) except -1:
    """Fills empty codes with those of another."""
    if origin.count:
        grow(<void**>&to.items, &to.capacity, origin.count, sizeof(uint16_t))
        memcpy(to.items, origin.items, origin.count * sizeof(uint16_t))
    to.count = origin.count
    return 0


cdef int list_codes(const Codes* codes, list into) except -1:
    """Appends the codes to a list."""
    cdef int i
    for i in range(codes.count):
        into.append(codes.items[i])
    return 0
