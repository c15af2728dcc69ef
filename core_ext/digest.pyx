# cython: language_level=3, boundscheck=False, wraparound=False
"""The hash of a position: SHA-256 over its fields written out, so that it is the same on every machine.

In this order, numbers little-endian: the length (u32) of a UTF-8 text and the text, the variant, its rules version, the
seats and each option as ``name=value`` in lines; the seed, or the decks given for later deals, if any; month (u16), attempt, dealer, phase (u8),
asked seat (i8), turned card or 255, how the deal ended (u8), winner (i8); field and gains of the turn (u64); for each
seat hand, pile and shown cards (u64), balance, score and stake (i64), times koi was said (u8); the stock, top first (u8
each); the variant's own fields.
"""
import struct

from core_ext.table cimport Deal
from core_ext.variant cimport Variant


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
