# cython: language_level=3, boundscheck=False, wraparound=False
"""The hash of a position, and the running hash of a match: SHA-256, the same on every machine.

A position is hashed by its fields written out, in this order, numbers little-endian: the length (u32) of a UTF-8 text and the text, the variant, its rules version, the
seats and each option as ``name=value`` in lines; the seed, or the decks given for later deals, if any; month (u16), attempt, dealer, phase (u8),
asked seat (i8), turned card or 255, how the deal ended (u8), winner (i8); field and gains of the turn (u64); for each
seat hand, pile and shown cards (u64), balance, score and stake (i64), times koi was said (u8); the stock, top first (u8
each); the variant's own fields.

The running hash begins like a position's, with what comes before the month. Ten bytes follow for the first position and
for the one after each action: the action (u16; 65535 for none) and a fingerprint of the position (u64). So it differs
wherever an action differs, and wherever the same actions lead through other positions.
"""
import struct

cimport cython
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free

from core_ext.buffer cimport grow
from core_ext.table cimport Deal
from core_ext.variant cimport Variant

cdef enum:
    ENTRY = 10      # bytes of an action and a fingerprint


cdef str digest(Variant rules, const Deal* deal, bytes chance):
    """16 hex digits."""
    cdef int seat
    parts = [
        chance or b"",
        struct.pack(
            "<HBBBbBBb",
            deal.month,
            deal.attempt,
            deal.dealer,
            deal.phase,
            deal.asked,
            deal.turned,
            deal.ended,
            deal.winner,
        ),
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


cdef inline uint64_t fingerprint(const Deal* deal) noexcept nogil:
    """A number that two positions hardly share: quick to work out, not proof against whoever looks for such positions."""
    cdef uint64_t found = deal.month | deal.attempt << 16 | deal.top << 24
    cdef int seat
    found = mix(found, deal.phase | <uint64_t><uint8_t>deal.asked << 8 | <uint64_t>deal.dealer << 16 | <uint64_t>deal.turned << 24)
    found = mix(found, deal.field)
    for seat in range(deal.seats):
        found = mix(found, deal.hand[seat])
        found = mix(found, deal.pile[seat])
        found = mix(found, deal.shown[seat])
        found = mix(found, <uint64_t>deal.balance[seat])
        found = mix(found, <uint64_t>deal.stake[seat])
    return found


@cython.final
cdef class RunningHash:
    """Gathers the actions and positions of a match."""

    def __dealloc__(self):
        free(self.items)

    cdef int add(self, int action, const Deal* deal) except -1:
        """The action that has been applied, or BEGINNING, and the position that it led to."""
        cdef uint64_t place = fingerprint(deal)
        cdef uint8_t* item
        cdef int i
        if self.count == self.capacity:
            grow(<void**>&self.items, &self.capacity, 256, ENTRY)
        item = self.items + ENTRY * self.count
        self.count += 1
        item[0] = <uint8_t>action
        item[1] = <uint8_t>(action >> 8)
        for i in range(8):
            item[2 + i] = <uint8_t>(place >> 8 * i)
        return 0

    cdef str finish(self, Variant rules, bytes chance):
        """64 hex digits."""
        hashed = rules.hashed.copy()
        hashed.update(chance or b"")
        hashed.update((<const char*>self.items)[: ENTRY * self.count])
        return hashed.hexdigest()
