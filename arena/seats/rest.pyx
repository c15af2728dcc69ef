# cython: language_level=3
"""Whether a program waits for what it is to read: looked at for each decision, and so worth compiling."""
import os

cimport cython
from posix.unistd cimport pread

from libc.string cimport memcmp


@cython.final
cdef class Rest:
    def __init__(self, int pid):
        try:
            self.place = os.open(f"/proc/{pid}/wchan", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # then it is never known to rest
            self.place = -1

    def close(self):
        if self.place >= 0:
            os.close(self.place)
            self.place = -1

    cdef bint holds(self):
        cdef char found[16]
        cdef ssize_t length = pread(self.place, found, 16, 0)
        # Since Linux 6.14, and before.
        return (length == 14 and not memcmp(found, b"anon_pipe_read", 14)) or (
            length == 9 and not memcmp(found, b"pipe_read", 9)
        )
