# cython: language_level=3
"""Takes numbers of inodes from the kernel as fast as it gives them, without the interpreter."""

cdef extern from "<sys/socket.h>" nogil:
    int AF_UNIX
    int SOCK_STREAM
    int socket(int family, int kind, int protocol)

cdef int NO_PROTOCOL = 77


def take(long count):
    cdef long taken
    with nogil:
        for taken in range(count):
            # It gets its number before the kernel finds that there is no such protocol.
            socket(AF_UNIX, SOCK_STREAM, NO_PROTOCOL)
