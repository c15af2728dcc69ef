cimport cython

from arena.stream.connection cimport Connection
from arena.seats.stream cimport StreamSeat


cdef class Session:
    cdef public object identity
    cdef public Connection connection
    cdef public str resume_token
    cdef public object variants
    cdef public Py_ssize_t max_matches
    cdef public bint updates
    cdef public bint draining
    cdef public set reserved
    cdef public dict seats
    cdef public Py_ssize_t strays
    cdef Py_ssize_t _stray_limit
    cdef object _changed
    cdef list _kept

    cpdef receive(self, request, Connection connection)
    @cython.locals(seat=StreamSeat)
    cdef _move(self, str match_id, Py_ssize_t decision, Py_ssize_t code)
    cdef _reject(self, str match_id, Py_ssize_t decision, Py_ssize_t code, fault, StreamSeat seat)
