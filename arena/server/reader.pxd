from arena.server.driver cimport Driver
from arena.server.session cimport Session


cdef class Reader(Driver):
    cdef object _context
    cdef Session _session
