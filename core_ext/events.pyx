# cython: language_level=3, boundscheck=False, wraparound=False
"""What happened in a deal, row by row, and what of it a seat may see."""
from core_ext.errors import ObservationError
from core_ext.observation import ALL, Event

from libc.stdint cimport uint64_t
from libc.stdlib cimport realloc

from core_ext.cards cimport bit, lowest, popcount

EVENT_KINDS = tuple(
    "draw deal field_four pass declare play turn take yaku koi stop score month_end match_end".split()
)
assert len(EVENT_KINDS) == EVENT_KIND_COUNT

cdef tuple KINDS = EVENT_KINDS
cdef int EVERYTHING = ALL

# How much of an event the other seats see.
cdef enum Sight:
    OPEN        # all of it
    VEILED      # that it happened, not the cards, name and values
    PRIVATE     # nothing

cdef Sight SIGHT[<int>EVENT_KIND_COUNT]
cdef int _kind
for _kind in range(<int>EVENT_KIND_COUNT):
    SIGHT[_kind] = OPEN
SIGHT[<int>EVENT_PASS] = PRIVATE


cdef int grow(Log* log) except -1:
    cdef int capacity = 2 * log.capacity + LOG_STEP
    cdef EventRow* rows = <EventRow*>realloc(log.rows, capacity * sizeof(EventRow))
    if rows == NULL:
        raise MemoryError
    log.rows = rows
    log.capacity = capacity
    return 0


cpdef tuple mask_tuple(uint64_t mask):
    """The card ids of a mask, ascending."""
    cdef list cards = []
    while mask:
        cards.append(lowest(mask))
        mask &= mask - 1
    return tuple(cards)


cdef tuple visible_events(const Log* log, int start, int seat, tuple names):
    """The events from row ``start`` on, as the seat may see them."""
    cdef list events = []
    cdef const EventRow* row
    cdef int i, j
    for i in range(start, log.count):
        row = &log.rows[i]
        if row.seat != seat and seat != EVERYTHING and SIGHT[row.kind] != OPEN:
            if SIGHT[row.kind] == VEILED:
                events.append(Event(KINDS[row.kind], row.seat, (), (), "", ()))
            continue
        events.append(
            Event(
                KINDS[row.kind],
                row.seat,
                mask_tuple(row.cards),
                mask_tuple(row.taken),
                names[row.name],
                tuple([row.values[j] for j in range(row.count)]),
            )
        )
    return tuple(events)


cdef uint64_t _mask(cards) except? 0:
    cdef uint64_t mask = 0
    for card in cards:
        mask |= bit(card)
    return mask


cdef int write_events(Log* log, events, tuple names) except -1:
    """Appends events that a seat has seen."""
    cdef EventRow* row
    for event in events:
        reserve(log)
        try:
            kind = KINDS.index(event.kind)
            name = names.index(event.name)
        except ValueError:
            raise ObservationError(f"the event {event} is none of the variant's") from None
        if len(event.values) > MAX_VALUES:
            raise ObservationError(f"the event {event} has more than {MAX_VALUES} values")
        row = emit(log, kind, event.seat, _mask(event.cards), _mask(event.taken))
        row.name = name
        for value in event.values:
            add_value(row, value)
    return 0
