# Sets of cards as 64-bit masks, bit = card id; a month's four cards are one nibble.
from libc.stdint cimport uint64_t

cdef extern from *:
    int popcount "__builtin_popcountll"(uint64_t mask) noexcept nogil
    int lowest "__builtin_ctzll"(uint64_t mask) noexcept nogil

cdef enum:
    NO_CARD = 255


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline int month_base(int card) noexcept nogil:
    """The id of the first card of the card's month."""
    return card & ~3


cdef inline int month_nibble(uint64_t mask, int card) noexcept nogil:
    """The cards of the mask that are of the card's month, as four bits."""
    return <int>((mask >> month_base(card)) & 15)


cdef inline uint64_t whole_months(uint64_t mask) noexcept nogil:
    """The cards of those months that the mask holds all four of."""
    cdef uint64_t full = mask & (mask >> 1) & (mask >> 2) & (mask >> 3) & <uint64_t>0x111111111111
    return full * 15
