# Sets of cards as 64-bit masks, bit = card id; a month's four cards are one nibble.
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #define HANAFUDA_LIGHTS 0x110010000101ULL
    #define HANAFUDA_ANIMALS 0x021121111010ULL
    #define HANAFUDA_RIBBONS 0x042202222222ULL
    #define HANAFUDA_LANES 0x111111111111ULL
    #define HANAFUDA_CHAFF (0xffffffffffffULL ^ HANAFUDA_LIGHTS ^ HANAFUDA_ANIMALS ^ HANAFUDA_RIBBONS)
    """
    const uint64_t LIGHTS_MASK "HANAFUDA_LIGHTS"
    const uint64_t ANIMALS_MASK "HANAFUDA_ANIMALS"
    const uint64_t RIBBONS_MASK "HANAFUDA_RIBBONS"
    const uint64_t CHAFF_MASK "HANAFUDA_CHAFF"
    const uint64_t LANES "HANAFUDA_LANES"       # the lowest bit of each month
    int popcount "__builtin_popcountll"(uint64_t mask) noexcept nogil
    int lowest "__builtin_ctzll"(uint64_t mask) noexcept nogil
    int leading_zeros "__builtin_clzll"(uint64_t mask) noexcept nogil

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
    return (mask & mask >> 1 & mask >> 2 & mask >> 3 & LANES) * 15


cdef inline uint64_t month_counts(uint64_t cards) noexcept nogil:
    """How many cards of each month, a nibble a month."""
    cdef uint64_t pairs = cards - ((cards >> 1) & <uint64_t>0x555555555555)
    return (pairs & <uint64_t>0x333333333333) + ((pairs >> 2) & <uint64_t>0x333333333333)
