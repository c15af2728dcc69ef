cdef class Rest:
    cdef int call       # the file that says in which system call the program is

    cdef bint holds(self)
