# What a viewer sees on the table, as plain rows: an Observation is made of them, and whatever else carries a view.
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t

from core_ext.cards cimport lowest

cdef enum:
    MAX_ZONES = 16          # four hands and what is shown of each, four piles, field, turned card, stock, its bottom
    MAX_COUNTERS = 32

# In the order of ZONE_KINDS, which Zone explains.
cdef enum ZoneKind:
    ZONE_HAND
    ZONE_SHOWN
    ZONE_FIELD
    ZONE_TURNED
    ZONE_PILE
    ZONE_DISCARD
    ZONE_STOCK
    ZONE_BOTTOM
    ZONE_KIND_COUNT

# In the order of COUNTER_NAMES.
cdef enum CounterName:
    COUNTER_BALANCE
    COUNTER_POINTS
    COUNTER_KOI
    COUNTER_STAKE
    COUNTER_MULTIPLIER
    COUNTER_EXCHANGES
    COUNTER_CUP_VOID
    COUNTER_MONTHS_WON
    COUNTER_SEASON_WON
    COUNTER_CARD_POINTS
    COUNTER_BY_NUMBER
    COUNTER_BY_POVERTY
    COUNTER_DECLARED
    COUNTER_FIELD
    COUNTER_BIND
    COUNTER_POT
    COUNTER_TURNS
    COUNTER_RUN_OUTS
    COUNTER_AS_DEALT
    COUNTER_NAME_COUNT

cdef struct ZoneRow:
    uint8_t kind
    int8_t seat
    uint8_t count           # how many cards lie there
    uint8_t known           # how many of them the viewer knows: cards[:known]
    uint8_t cards[48]

cdef struct CounterRow:
    int64_t value
    uint8_t name
    int8_t seat

# All that a viewer sees but events and legal actions.
cdef struct View:
    uint16_t month
    uint8_t attempt
    uint8_t dealer
    int8_t turn
    uint8_t phase
    uint8_t zone_count
    uint8_t counter_count
    ZoneRow zones[MAX_ZONES]
    CounterRow counters[MAX_COUNTERS]


cdef inline ZoneRow* add_zone(View* view, int kind, int seat, int count) noexcept nogil:
    """Adds a zone of so many cards, none of them known yet."""
    cdef ZoneRow* row = &view.zones[view.zone_count]
    view.zone_count += 1
    row.kind = <uint8_t>kind
    row.seat = <int8_t>seat
    row.count = <uint8_t>count
    row.known = 0
    return row


cdef inline void know(ZoneRow* row, int card) noexcept nogil:
    row.cards[row.known] = <uint8_t>card
    row.known += 1


cdef inline void add_cards(View* view, int kind, int seat, uint64_t cards, int count) noexcept nogil:
    """Adds a zone of so many cards without an order, of which these are known."""
    cdef ZoneRow* row = add_zone(view, kind, seat, count)
    while cards:
        know(row, lowest(cards))
        cards &= cards - 1


cdef inline CounterRow* add_counter(CounterRow* row, int name, int seat, int64_t value) noexcept nogil:
    """Writes a counter and returns the place of the next."""
    row.name = <uint8_t>name
    row.seat = <int8_t>seat
    row.value = value
    return row + 1
