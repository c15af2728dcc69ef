# cython: language_level=3, boundscheck=False, wraparound=False
"""What happened in a deal, row by row, and what of it a seat may see."""
from core_ext.errors import ObservationError
from core_ext.observation import ALL, Event

from libc.stdint cimport uint64_t

from core_ext.cards cimport bit, lowest

cdef extern from *:
    ctypedef struct PyTypeObject:
        object (*tp_new)(type kind, tuple args, void* kwargs)
    PyTypeObject PyTuple_Type

EVENT_KINDS = tuple(
    "draw dealer deal field field_four pass declare exchange play turn take stock discard yaku koi stop cancel decline "
    "rain win score total pay month_end match_end".split()
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
for kind in range(<int>EVENT_KIND_COUNT):
    SIGHT[<int>kind] = OPEN
SIGHT[<int>EVENT_PASS] = PRIVATE
SIGHT[<int>EVENT_EXCHANGE] = VEILED
SIGHT[<int>EVENT_STOCK] = VEILED


cdef object new_tuple(type kind, tuple fields):
    """A NamedTuple of its fields, without the call of its Python constructor."""
    return PyTuple_Type.tp_new(kind, (fields,), NULL)


cdef tuple mask_tuple(uint64_t mask):
    """The card ids of a mask, ascending."""
    cdef list cards = []
    while mask:
        cards.append(lowest(mask))
        mask &= mask - 1
    return tuple(cards)


cdef uint64_t cards_mask(cards, int limit) except? 0:
    """The mask of card ids, each below the limit and named once."""
    cdef uint64_t mask = 0
    for card in cards:
        if not 0 <= card < limit or mask >> <int>card & 1:
            raise ObservationError(f"{cards} are not cards, each once")
        mask |= bit(card)
    return mask


cdef bint see(const EventRow* row, int seat, EventRow* seen) noexcept nogil:
    """Write the event as the seat may see it; False when it sees nothing of it."""
    if row.seat == seat or seat == EVERYTHING or SIGHT[row.kind] == OPEN:
        seen[0] = row[0]
        return True
    if SIGHT[row.kind] == VEILED:
        seen.kind = row.kind
        seen.seat = row.seat
        seen.cards = seen.taken = 0
        seen.name = seen.count = 0
        return True
    return False


cdef int see_since(const Log* log, int start, int seat, Log* seen) except -1:
    """Append the events from row ``start`` on, as the seat may see them."""
    cdef int i
    for i in range(start, log.count):
        reserve(seen)
        seen.count += see(&log.rows[i], seat, &seen.rows[seen.count])
    return 0


cdef tuple visible_events(const Log* log, int start, int seat, tuple names):
    """The events from row ``start`` on, as the seat may see them."""
    cdef list events = []
    cdef EventRow row
    cdef tuple fields
    cdef int i, j
    for i in range(start, log.count):
        if see(&log.rows[i], seat, &row):
            fields = (
                KINDS[row.kind],
                row.seat,
                mask_tuple(row.cards),
                mask_tuple(row.taken),
                names[row.name],
                tuple([row.values[j] for j in range(row.count)]),
            )
            events.append(new_tuple(Event, fields))
    return tuple(events)


cdef int write_events(Log* log, events, tuple names, int seats) except -1:
    """Append events that a seat has seen."""
    cdef EventRow* row
    cdef int seat
    for event in events:
        seat = event.seat
        if not -1 <= seat < seats:
            raise ObservationError(f"the event {event} is of no seat")
        if event.kind not in KINDS or event.name not in names or len(event.values) > MAX_VALUES:
            raise ObservationError(f"the event {event} is none of the variant's")
        reserve(log)
        row = emit(log, KINDS.index(event.kind), seat, cards_mask(event.cards, 48), cards_mask(event.taken, 48))
        row.name = names.index(event.name)
        for value in event.values:
            add_value(row, value)
    return 0
