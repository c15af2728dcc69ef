from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t

from core_ext.buffer cimport grow

cdef enum:
    MAX_VALUES = 4
    LOG_STEP = 64       # no action, with the deals that follow from it, writes more events into one deal's log

# In the order of EVENT_KINDS, which says what each means.
cdef enum EventKind:
    EVENT_DRAW
    EVENT_DEALER
    EVENT_DEAL
    EVENT_FIELD
    EVENT_FIELD_FOUR
    EVENT_PASS
    EVENT_DECLARE
    EVENT_EXCHANGE
    EVENT_PLAY
    EVENT_TURN
    EVENT_TAKE
    EVENT_STOCK
    EVENT_DISCARD
    EVENT_YAKU
    EVENT_KOI
    EVENT_STOP
    EVENT_CANCEL
    EVENT_DECLINE
    EVENT_RAIN
    EVENT_WIN
    EVENT_SCORE
    EVENT_TOTAL
    EVENT_PAY
    EVENT_MONTH_END
    EVENT_MATCH_END
    EVENT_KIND_COUNT

cdef struct EventRow:
    uint64_t cards
    uint64_t taken
    int64_t values[MAX_VALUES]
    uint8_t kind
    int8_t seat
    uint8_t name        # index into the variant's names
    uint8_t count       # how many values

cdef struct Log:
    EventRow* rows
    int count
    int capacity


cdef inline EventRow* emit(Log* log, int kind, int seat, uint64_t cards, uint64_t taken) noexcept nogil:
    """Appends an event (the log has room for LOG_STEP of them) and returns its row."""
    cdef EventRow* row = &log.rows[log.count]
    log.count += 1
    row.kind = <uint8_t>kind
    row.seat = <int8_t>seat
    row.cards = cards
    row.taken = taken
    row.name = 0
    row.count = 0
    return row


cdef inline void add_value(EventRow* row, int64_t value) noexcept nogil:
    row.values[row.count] = value
    row.count += 1


# The same where there may be no log (NULL): then nothing is written.

cdef inline void log_event(Log* log, int kind, int seat, uint64_t cards, uint64_t taken) noexcept nogil:
    if log != NULL:
        emit(log, kind, seat, cards, taken)


cdef inline void log_value(Log* log, int kind, int seat, uint64_t cards, int name, int64_t value) noexcept nogil:
    cdef EventRow* row
    if log != NULL:
        row = emit(log, kind, seat, cards, 0)
        row.name = <uint8_t>name
        add_value(row, value)


cdef inline void log_by_seat(
    Log* log, int kind, int seat, int name, const int64_t* values, int seats
) noexcept nogil:
    cdef EventRow* row
    cdef int i
    if log != NULL:
        row = emit(log, kind, seat, 0, 0)
        row.name = <uint8_t>name
        for i in range(seats):
            add_value(row, values[i])


cdef inline void log_total(Log* log, int seat, int64_t points, int64_t added, int64_t times, int payers) noexcept nogil:
    """An event where the seat's score is more than the points of its rows."""
    cdef EventRow* row
    if log == NULL or (added == 0 and times == 1 and payers < 2):
        return
    row = emit(log, EVENT_TOTAL, seat, 0, 0)
    add_value(row, points)
    add_value(row, added)
    add_value(row, times)
    add_value(row, payers)


cdef inline int reserve(Log* log) except -1:
    """Makes room for LOG_STEP more events, so that the rules can write them without a check."""
    if log.capacity - log.count < LOG_STEP:
        grow(<void**>&log.rows, &log.capacity, log.count + LOG_STEP, sizeof(EventRow))
    return 0


cdef object new_tuple(type kind, tuple fields)
cdef uint64_t cards_mask(cards, int limit) except? 0
cdef int see_since(const Log* log, int start, int seat, Log* seen) except -1
cdef tuple visible_events(const Log* log, int start, int seat, tuple names)
cdef int write_events(Log* log, events, tuple names, int seats) except -1
