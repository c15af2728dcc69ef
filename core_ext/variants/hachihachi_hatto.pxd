# 法度 in hachihachi: who pays alone for a yaku or a 飛込み that it helped to. It depends on hands that nobody sees, so it is
# judged when the month has ended, from the month's whole course.
from libc.stdint cimport int8_t, uint16_t, uint64_t

from core_ext.scoring cimport YakuTable

cdef enum:
    ROWS = 7            # of captured yaku
    MOST_TURNS = 21
    MOST_DIVES = 6


# A turn as everybody saw it: the code of its play, the turned card, and of two cards it could take the one it took.
cdef inline uint16_t pack_turn(int play, int turned) noexcept nogil:
    return <uint16_t>(play | turned << 8)


cdef inline uint16_t chosen(int field_card) noexcept nogil:
    """What a choice for the turned card adds to its turn."""
    return <uint16_t>((field_card & 3) << 14)


cdef inline int turn_play(uint16_t turn) noexcept nogil:
    return turn & 255


cdef inline int turn_card(uint16_t turn) noexcept nogil:
    return (turn & 255) // 5


cdef inline int turn_turned(uint16_t turn) noexcept nogil:
    return turn >> 8 & 63


cdef inline int turn_choice(uint16_t turn) noexcept nogil:
    return turn >> 14


# What a month began with, and its turns; gone through, what it has come to.
cdef struct Month:
    uint64_t hand[3]
    uint64_t pile[3]
    uint64_t field
    uint64_t threes[3]          # those of declared hands that can become a 飛込み
    const uint16_t* turns
    int count
    int dealer

# Who pays alone: seat, or EVERYBODY.
cdef struct Blame:
    int8_t payer[3][ROWS]       # by maker and yaku
    int8_t diver[MOST_DIVES]
    int8_t dive_payer[MOST_DIVES]
    int dives


cdef void judge(const YakuTable* yaku, Month* month, Blame* blame) noexcept nogil
