# Growing arrays of C items.
from libc.stdlib cimport realloc


cdef inline int grow(void** items, int* capacity, int least, size_t size) except -1:
    """Makes room for at least so many items, and at least twice what there was."""
    cdef int wanted = max(least, 2 * capacity[0])
    cdef void* grown = realloc(items[0], wanted * size)
    if grown == NULL:
        raise MemoryError
    items[0] = grown
    capacity[0] = wanted
    return 0
