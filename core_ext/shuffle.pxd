from libc.stdint cimport uint8_t, uint32_t

cdef enum:
    PURPOSE_DECK = 0
    PURPOSE_PICKS = 1


cdef struct Stream:
    uint32_t input[16]   # constants, key, counter of the next block, nonce
    uint32_t words[64]   # four blocks
    int position         # the next word to read


cdef void open_stream(
    Stream* stream, const uint8_t* key, uint32_t month, uint32_t attempt, uint32_t purpose
) noexcept nogil
cdef uint32_t below(Stream* stream, uint32_t n) noexcept nogil
cdef void shuffle(const uint8_t* key, uint32_t month, uint32_t attempt, int cards, uint8_t* deck) noexcept nogil
