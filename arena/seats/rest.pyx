# cython: language_level=3
"""Whether a program waits for what it is to read: looked at for each decision, and so worth compiling."""
import os
import platform

cimport cython
from posix.unistd cimport pread

from libc.string cimport memcmp

_READ = {"x86_64": b"0 0x0 ", "aarch64": b"63 0x0 "}
cdef bytes waits = _READ.get(platform.machine(), b"no")
cdef const char* WAITS = waits


@cython.final
cdef class Rest:
    def __init__(self, int pid):
        try:
            self.call = os.open(f"/proc/{pid}/syscall", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # then it is never known to rest
            self.call = -1

    def close(self):
        if self.call >= 0:
            os.close(self.call)
            self.call = -1

    cdef bint holds(self):
        cdef char found[8]
        return pread(self.call, found, 8, 0) == 8 and memcmp(found, WAITS, len(waits)) == 0
