from libc.stdint cimport uint64_t


# Choices as digits of 64-bit numbers, the number of legal actions being each digit's base: a forced choice takes no
# room. The first choice of a number is its lowest digit. A number is full when the next base would make the product of
# its bases 2^64 or more; it takes 8 bytes, little-endian, the last as few as hold its product less 1.
cdef class ChoiceWriter:
    cdef bytearray words
    cdef uint64_t value
    cdef uint64_t product   # of the word's bases

    cdef int add(self, int choice, int base) except -1
    cdef bytes finish(self)


cdef class ChoiceReader:
    cdef bytes words
    cdef Py_ssize_t place
    cdef uint64_t value
    cdef uint64_t product
    cdef int width          # the word's bytes

    cdef int take(self, int base) except -1
    cdef int finish(self) except -1
    cdef int load(self) except -1
    cdef int close(self, int width) except -1
