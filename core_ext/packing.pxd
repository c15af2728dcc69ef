from libc.stdint cimport uint64_t


# Choices as digits of 64-bit numbers, the number of legal actions being each digit's base: a forced choice takes no
# room. The first choice of a number is its lowest digit. A number is full when the next base would make the product of
# its bases 2^64 or more; it takes 8 bytes, little-endian, the last as few as hold its product less 1.
cdef class PackedChoices:
    cdef bytearray words    # that are full
    cdef uint64_t value     # of the last word
    cdef uint64_t product   # of its bases
    cdef uint64_t unread    # what is left of it in the bytes that are read

    cdef int add(self, int choice, int base) except -1
    cdef int read(self, bytes packed, int base) except -1
    cdef bytes finish(self)
