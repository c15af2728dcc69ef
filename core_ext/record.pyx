# cython: language_level=3, boundscheck=False, wraparound=False
"""The record of a match: what was done and what happened, deal by deal."""
cimport cython
from libc.stdlib cimport free


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


cdef bytes code_bytes(const Codes* codes):
    return (<const char*>codes.items)[: CODE_SIZE * codes.count]
