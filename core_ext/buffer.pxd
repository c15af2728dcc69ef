# Growing arrays of C items.
from libc.stdlib cimport realloc
from libc.string cimport memcpy


cdef inline int grow(void** items, int* capacity, int least, size_t size) except -1:
    """Makes room for at least so many items, and at least twice what there was."""
    cdef int wanted = max(least, 2 * capacity[0])
    cdef void* grown = realloc(items[0], wanted * size)
    if grown == NULL:
        raise MemoryError
    items[0] = grown
    capacity[0] = wanted
    return 0


cdef inline void* copied(const void* items, int count, int* capacity, size_t size) except? NULL:
    """An array of its own with the same items; NULL for none."""
    cdef void* copy = NULL
    if count:
        grow(&copy, capacity, count, size)
        memcpy(copy, items, count * size)
    return copy
