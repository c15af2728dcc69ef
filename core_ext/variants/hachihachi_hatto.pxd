# 法度 in hachihachi: who pays alone for a yaku or a 飛込み that it helped to. It depends on hands that nobody sees, so it is
# judged when the month has ended, from the month's whole course.
from libc.stdint cimport int8_t, uint8_t, uint64_t

from core_ext.scoring cimport YakuTable

cdef enum:
    EVERYBODY = -1      # no seat pays alone
    ROWS = 7            # of captured yaku
    MAX_TURNS = 21
    MAX_DIVES = 6


# A turn as everybody saw it.
cdef struct Turn:
    uint8_t play        # the code of its play
    uint8_t turned      # the turned card
    uint8_t chosen      # of two field cards that it could take the one it took

# What a month began with, and its turns; gone through, what it has come to.
cdef struct Month:
    uint64_t hand[3]
    uint64_t pile[3]
    uint64_t field
    uint64_t threes[3]          # those of declared hands that can become a 飛込み
    const Turn* turns
    int count
    int dealer

# Who pays alone: seat, or EVERYBODY.
cdef struct Blame:
    int8_t payer[3][ROWS]       # by maker and yaku
    int8_t diver[MAX_DIVES]
    int8_t dive_payer[MAX_DIVES]
    int dives


cdef void judge(const YakuTable* yaku, Month* month, Blame* blame) noexcept nogil
