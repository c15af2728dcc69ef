cdef class Processors:
    cdef Py_ssize_t count
    cdef dict holders       # when each was looked at and what it had used by then: None before the first look
    cdef object waiting
    cdef dict asleep        # what each had used when it was found asleep, seconds
    cdef bint looking

    cpdef bint take(self, thinker) except -1
    cpdef seize(self, thinker)
    cdef bint free(self)
    cpdef wait(self, thinker)
    cpdef release(self, thinker)
    cpdef forget(self, thinker)
