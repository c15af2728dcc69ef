# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Choices packed as tightly as the numbers of legal actions allow."""
from core_ext.errors import PackedChoicesError

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport UINT64_MAX, uint8_t, uint64_t

from core_ext.table cimport MAX_LEGAL

cdef enum:
    WORD = 8


cdef int width_of(uint64_t product) noexcept:
    """How many bytes every number below the product fits in."""
    cdef uint64_t greatest = product - 1
    cdef int width = 0
    while greatest:
        greatest >>= 8
        width += 1
    return width


cdef inline bint is_full(uint64_t product, int base) noexcept nogil:
    """Whether a word with this product has no room for a choice; the division is left out where it surely has."""
    return product >= UINT64_MAX // MAX_LEGAL and <uint64_t>base > UINT64_MAX // product


@cython.final
cdef class ChoiceWriter:
    """Packs choices one by one."""

    def __cinit__(self):
        self.words = bytearray()
        self.product = 1

    cdef int add(self, int choice, int base) except -1:
        if is_full(self.product, base):
            self.words += self.value.to_bytes(WORD, "little")
            self.value = 0
            self.product = 1
        self.value += choice * self.product
        self.product *= base
        return 0

    cdef bytes finish(self):
        return bytes(self.words + self.value.to_bytes(width_of(self.product), "little"))


@cython.final
cdef class ChoiceReader:
    """Gives packed choices back. PackedChoicesError where the bytes are not those that a writer makes."""

    def __cinit__(self, bytes words not None):
        self.words = words
        self.load()

    cdef int take(self, int base) except -1:
        cdef uint64_t rest
        cdef int choice
        if is_full(self.product, base):
            self.close(WORD)
            self.load()
        rest = self.value // <uint64_t>base
        choice = <int>(self.value - rest * <uint64_t>base)
        self.value = rest
        self.product *= base
        return choice

    cdef int finish(self) except -1:
        self.close(width_of(self.product))
        if self.place != PyBytes_GET_SIZE(self.words):
            raise PackedChoicesError(f"there is more after the last choice, which ends at byte {self.place}")
        return 0

    cdef int load(self) except -1:
        cdef const uint8_t* raw = <const uint8_t*>PyBytes_AS_STRING(self.words) + self.place
        cdef int i
        self.width = <int>min(WORD, PyBytes_GET_SIZE(self.words) - self.place)
        self.value = 0
        self.product = 1
        for i in range(self.width):
            self.value |= <uint64_t>raw[i] << 8 * i
        self.place += self.width
        return 0

    cdef int close(self, int width) except -1:
        if self.width < width:
            raise PackedChoicesError(f"the choices are cut off after {self.place} bytes")
        if self.width > width or self.value:
            raise PackedChoicesError(f"the choices that end at byte {self.place} were not packed so")
        return 0
