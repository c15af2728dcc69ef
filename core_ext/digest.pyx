# cython: language_level=3, boundscheck=False, wraparound=False
"""The hash of a position, and the running hash of a match: SHA-256, the same on every machine.

A position is hashed by its fields written out, in this order, numbers little-endian: the length (u32) of a UTF-8 text
and the text, the variant, its rules version, the seats and each option as ``name=value`` in lines; the seed, or the
decks given for later deals, if any; month (u16), attempt, dealer, phase (u8), asked seat (i8), turned card or 255, how
the deal ended (u8), winner (i8); field and gains of the turn (u64); for each seat hand, pile and shown cards (u64),
balance, score and stake (i64), times koi was said (u8); the stock, top first (u8 each); the variant's own fields.

The running hash begins like a position's, with what comes before the month. Every action follows (u16; 65535 before the
first), and then a number (u64) into which every position was mixed. So it differs wherever an action differs, and where
the same actions lead through other positions.
"""
import struct

from libc.stdint cimport uint8_t, uint64_t

from core_ext.table cimport Deal
from core_ext.variant cimport Variant

cdef bytes BEGINNING = b"\xff\xff"      # stands for an action before the first


cdef str digest(Variant rules, const Deal* deal, bytes chance):
    """16 hex digits."""
    cdef int seat
    parts = [
        chance or b"",
        struct.pack("<HBBB", deal.month, deal.attempt, deal.dealer, deal.phase),
        struct.pack("<bBBb", deal.asked, deal.turned, deal.ended, deal.winner),
        struct.pack("<QQ", deal.field, deal.gained),
    ]
    for seat in range(rules.seats):
        cards = struct.pack("<QQQ", deal.hand[seat], deal.pile[seat], deal.shown[seat])
        numbers = struct.pack("<qqqB", deal.balance[seat], deal.score[seat], deal.stake[seat], deal.koi[seat])
        parts += [cards, numbers]
    parts += [(<const char*>deal.deck)[deal.top : deal.end], rules._pack_own(deal)]
    position = rules.hashed.copy()
    position.update(b"".join(parts))
    return position.hexdigest()[:16]


cdef inline uint64_t mix(uint64_t hashed, uint64_t word) noexcept nogil:
    return (hashed << 23 | hashed >> 41) ^ word * <uint64_t>0x9E3779B97F4A7C15


cdef uint64_t mix_in(uint64_t positions, const Deal* deal) noexcept nogil:
    """The positions of a run, 0 before the first, with one more."""
    cdef uint64_t mixed = mix(positions, deal.month | deal.attempt << 16 | deal.top << 24)
    cdef int seat
    mixed = mix(mixed, deal.phase | <uint8_t>deal.asked << 8 | deal.dealer << 16)
    mixed = mix(mixed, deal.field)
    for seat in range(deal.seats):
        mixed = mix(mixed, deal.hand[seat])
        mixed = mix(mixed, deal.pile[seat])
        mixed = mix(mixed, <uint64_t>deal.balance[seat])
    return mixed


cdef str running_hash(Variant rules, bytes chance, bytes codes, uint64_t positions):
    """64 hex digits for the codes of a run and its positions, the one that it begins with included."""
    hashed = rules.hashed.copy()
    hashed.update((chance or b"") + BEGINNING + codes + struct.pack("<Q", positions))
    return hashed.hexdigest()
