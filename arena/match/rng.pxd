cdef class SeatRng:
    cdef object _start

    cpdef unsigned long long roll(self, Py_ssize_t number)
