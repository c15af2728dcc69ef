# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Choices packed as tightly as the numbers of legal actions allow."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport UINT64_MAX, uint8_t, uint64_t

from core_ext.table cimport MAX_LEGAL

cdef enum:
    WORD = 8    # bytes


@cython.final
cdef class PackedChoices:
    """Packs choices one by one, those too that it reads."""

    def __cinit__(self):
        self.words = bytearray()
        self.product = 1

    cdef int add(self, int choice, int base) except -1:
        make_room(self, base)
        self.value += choice * self.product
        self.product *= base
        return 0

    cdef int read(self, bytes packed, int base) except -1:
        """Add the next of some packed choices and return it; where they are cut off it is 0."""
        cdef int choice
        make_room(self, base)
        if self.product == 1:
            self.unread = word_at(packed, len(self.words))
        choice = <int>(self.unread % <uint64_t>base)
        self.unread //= <uint64_t>base
        self.value += choice * self.product
        self.product *= base
        return choice

    cdef bytes finish(self):
        put(self, self.product - 1)
        return bytes(self.words)


cdef inline int make_room(PackedChoices packed, int base) except -1:
    """Begin a word where the last one is full; the division is left out where it surely is not."""
    if packed.product >= UINT64_MAX // MAX_LEGAL and <uint64_t>base > UINT64_MAX // packed.product:
        put(packed, UINT64_MAX)
        packed.product = 1
    return 0


cdef int put(PackedChoices packed, uint64_t greatest) except -1:
    """Put the last word's value into as many bytes as the greatest one takes."""
    while greatest:
        packed.words.append(<uint8_t>packed.value)
        packed.value >>= 8
        greatest >>= 8
    return 0


cdef uint64_t word_at(bytes packed, Py_ssize_t offset) noexcept:
    """The word whose first byte is at this offset; what is cut off of it is 0."""
    cdef const uint8_t* raw = <const uint8_t*>PyBytes_AS_STRING(packed)
    cdef uint64_t word = 0
    cdef Py_ssize_t i
    for i in range(min(offset + WORD, PyBytes_GET_SIZE(packed)) - 1, offset - 1, -1):
        word = word << 8 | raw[i]
    return word
