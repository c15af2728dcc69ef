from libc.stdint cimport uint8_t, uint64_t

from core_ext.table cimport Deal
from core_ext.variant cimport Variant

cdef str digest(Variant rules, const Deal* deal, bytes chance)


cdef enum:
    BEGINNING = 0xFFFF      # stands for an action before the first


# The hash over every action and position of a match, in order.
cdef class RunningHash:
    cdef uint8_t* actions   # two bytes each
    cdef uint64_t positions
    cdef int count
    cdef int capacity

    cdef int add(self, int action, const Deal* deal) except -1
    cdef str finish(self, Variant rules, bytes chance)
