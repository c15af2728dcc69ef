from libc.stdint cimport uint8_t, uint32_t

cdef void shuffle(const uint8_t* key, uint32_t month, uint32_t attempt, int cards, uint8_t* deck) noexcept nogil
cdef int pick(const uint8_t* key, uint32_t month, uint32_t attempt, int number, int n) noexcept nogil
