from arena.stream.driver cimport Driver
from arena.stream.session cimport Session


cdef class Reader(Driver):
    cdef object _context
    cdef Session _session
