cdef class Ledger:
    cdef readonly Py_ssize_t asked
    cdef readonly bint open
    cdef readonly set late

    cpdef ask(self, Py_ssize_t number)
    cpdef answer(self, Py_ssize_t number)
    cpdef expire(self)
