cdef class Rest:
    cdef int place      # the file that says where in the kernel the program sleeps

    cdef bint holds(self)
