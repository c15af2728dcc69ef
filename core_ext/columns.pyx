# cython: language_level=3, boundscheck=False, wraparound=False
"""Recorded decisions as columns of numbers: what each seat saw, might do and did."""
from core_ext.errors import PackedChoicesError

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from core_ext.packing cimport PackedChoices
from core_ext.state cimport State
from core_ext.table cimport MAX_LEGAL
from core_ext.zones cimport MAX_COUNTERS, MAX_ZONES, CounterRow, View, ZoneRow

cdef enum:
    DECK = 48
    MAX_BYTES = 1 << 30     # of a column, so that every place in it is an int32

cdef enum:
    MONTH
    ATTEMPT
    DEALER
    SEAT
    PHASE
    ACTION
    ZONES_AT
    ZONE_KIND
    ZONE_SEAT
    ZONE_COUNT
    CARDS_AT
    CARDS
    COUNTERS_AT
    COUNTER_NAME
    COUNTER_SEAT
    COUNTER_VALUE
    LEGAL_AT
    LEGAL
    COLUMN_COUNT

NAMES = (
    "month", "attempt", "dealer", "seat", "phase", "action", "zones_at", "zone_kind", "zone_seat", "zone_count", "cards_at",
    "cards", "counters_at", "counter_name", "counter_seat", "counter_value", "legal_at", "legal",
)
assert len(NAMES) == COLUMN_COUNT

# The bytes that one decision takes at most.
cdef int[<int>COLUMN_COUNT] MOST
MOST[:] = [
    2, 1, 1, 1, 1, 2, 4, MAX_ZONES, MAX_ZONES, MAX_ZONES, 4 * MAX_ZONES, MAX_ZONES * DECK, 4, MAX_COUNTERS, MAX_COUNTERS,
    8 * MAX_COUNTERS, 4, 2 * MAX_LEGAL,
]
# The columns that say where lists begin.
cdef tuple PLACES = (ZONES_AT, CARDS_AT, COUNTERS_AT, LEGAL_AT)

cdef struct Column:
    uint8_t* items
    Py_ssize_t used
    Py_ssize_t capacity


@cython.final
cdef class DecisionColumns:
    """The decisions of matches as columns of numbers."""

    cdef Column columns[<int>COLUMN_COUNT]
    cdef readonly Py_ssize_t rows

    def __init__(self):
        self.clear()

    def __dealloc__(self):
        cdef int i
        for i in range(COLUMN_COUNT):
            free(self.columns[i].items)

    cdef int clear(self) except -1:
        cdef int i
        self.rows = 0
        for i in range(COLUMN_COUNT):
            self.columns[i].used = 0
            make_room(&self.columns[i], MOST[i])
        for i in PLACES:
            put32(&self.columns[i], 0)
        return 0

    def add(self, State state not None, bytes packed not None, Py_ssize_t decisions):
        cdef PackedChoices choices = PackedChoices()
        cdef Py_ssize_t number
        cdef int choice, i
        for number in range(decisions):
            choice = choices.read(packed, state.list_legal()) if state.list_legal() else 0
            if choice < state.legal_count:
                for i in range(COLUMN_COUNT):
                    make_room(&self.columns[i], MOST[i])
                write(self.columns, state, choice)
                self.rows += 1
            state.apply_choice(number, choice)
        if choices.finish() != packed:
            raise PackedChoicesError(f"the {len(packed)} bytes given are not what their {decisions} choices are packed as")

    def take(self):
        cdef int i
        taken = {
            NAMES[i]: PyBytes_FromStringAndSize(<char*>self.columns[i].items, self.columns[i].used)
            for i in range(COLUMN_COUNT)
        }
        self.clear()
        return taken


cdef inline int make_room(Column* column, int size) except -1:
    """Makes room for so many bytes more."""
    cdef Py_ssize_t wanted
    cdef void* grown
    if column.capacity - column.used >= size:
        return 0
    wanted = max(2 * column.capacity, column.used + 64 * size)
    if wanted > MAX_BYTES:
        raise MemoryError("a column is full: take the columns more often")
    grown = realloc(column.items, wanted)
    if grown == NULL:
        raise MemoryError
    column.items = <uint8_t*>grown
    column.capacity = wanted
    return 0


cdef inline void put8(Column* column, int value) noexcept nogil:
    column.items[column.used] = <uint8_t>value
    column.used += 1


cdef inline void put16(Column* column, int value) noexcept nogil:
    cdef uint16_t item = <uint16_t>value
    memcpy(column.items + column.used, &item, 2)
    column.used += 2


cdef inline void put32(Column* column, Py_ssize_t value) noexcept nogil:
    cdef int32_t item = <int32_t>value
    memcpy(column.items + column.used, &item, 4)
    column.used += 4


cdef inline void put64(Column* column, int64_t value) noexcept nogil:
    memcpy(column.items + column.used, &value, 8)
    column.used += 8


cdef void write(Column* columns, State state, int choice) noexcept nogil:
    """Adds the decision that a state asks for; there is room."""
    cdef View view
    cdef const ZoneRow* zone
    cdef const CounterRow* counter
    cdef int i
    state.see(state.deal.asked, &view)
    put16(&columns[MONTH], view.month)
    put8(&columns[ATTEMPT], view.attempt)
    put8(&columns[DEALER], view.dealer)
    put8(&columns[SEAT], state.deal.asked)
    put8(&columns[PHASE], view.phase)
    put16(&columns[ACTION], state.legal[choice])
    for i in range(view.zone_count):
        zone = &view.zones[i]
        put8(&columns[ZONE_KIND], zone.kind)
        put8(&columns[ZONE_SEAT], zone.seat)
        put8(&columns[ZONE_COUNT], zone.count)
        memcpy(columns[CARDS].items + columns[CARDS].used, zone.cards, zone.known)
        columns[CARDS].used += zone.known
        put32(&columns[CARDS_AT], columns[CARDS].used)
    put32(&columns[ZONES_AT], columns[ZONE_KIND].used)
    for i in range(view.counter_count):
        counter = &view.counters[i]
        put8(&columns[COUNTER_NAME], counter.name)
        put8(&columns[COUNTER_SEAT], counter.seat)
        put64(&columns[COUNTER_VALUE], counter.value)
    put32(&columns[COUNTERS_AT], columns[COUNTER_NAME].used)
    memcpy(columns[LEGAL].items + columns[LEGAL].used, state.legal, 2 * state.legal_count)
    columns[LEGAL].used += 2 * state.legal_count
    put32(&columns[LEGAL_AT], columns[LEGAL].used // 2)
