# cython: language_level=3, boundscheck=False, wraparound=False
"""The serialised Decision, written field by field from the core's rows: the same bytes that protobuf writes.

A Decision built as a message, from an Observation, costs more than ten times as much; a node makes thousands a second.
"""
from functools import lru_cache

from arena.wire.options import options_to_wire
from core_ext.events import EVENT_KINDS
from core_ext.observation import COUNTER_NAMES, ZONE_KINDS
from core_ext.table import PHASES
from core_ext.variants.registry import variant_info
from hanafuda.arena.v1 import play_pb2, view_pb2

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memmove

from arena.match.question cimport Question
from arena.wire.fields cimport (
    CLOCK_BANK_MS_TAG, CLOCK_DECISION_MS_TAG, COUNTER_NAME_TAG, COUNTER_SEAT_TAG, COUNTER_VALUE_TAG,
    DECISION_CLOCK_TAG, DECISION_DECISION_TAG, DECISION_EVENTS_TAG, DECISION_MATCH_ID_TAG, DECISION_OBSERVATION_TAG,
    DECISION_RANDOM_TAG, DECISION_REPEATED_TAG, EVENT_CARDS_TAG, EVENT_KIND_TAG, EVENT_NAME_TAG, EVENT_SEAT_TAG,
    EVENT_TAKEN_TAG, EVENT_VALUES_TAG, OBSERVATION_ATTEMPT_TAG, OBSERVATION_COUNTERS_TAG, OBSERVATION_DEALER_TAG,
    OBSERVATION_EVENTS_TAG, OBSERVATION_MONTH_TAG, OBSERVATION_PHASE_TAG, OBSERVATION_SEAT_TAG, OBSERVATION_TURN_TAG,
    OBSERVATION_ZONES_TAG, PLAY_RESPONSE_DECISION_TAG, ZONE_CARDS_TAG, ZONE_COUNT_TAG, ZONE_KIND_TAG, ZONE_SEAT_TAG,
)
from core_ext.buffer cimport grow
from core_ext.cards cimport lowest, popcount
from core_ext.events cimport EventRow, Log, see_since
from core_ext.state cimport State
from core_ext.zones cimport ZONE_KIND_COUNT, CounterRow, View, ZoneRow

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL

cdef enum:
    ROOM = 128          # no field here is longer, with its tag and length, but those that carry text

cdef tuple PHASE_NAMES = PHASES
cdef tuple EVENT_NAMES = EVENT_KINDS
cdef tuple COUNTERS = COUNTER_NAMES
cdef uint8_t ZONE_NUMBER[<int>ZONE_KIND_COUNT]
for _kind, _name in enumerate(ZONE_KINDS):
    ZONE_NUMBER[<int>_kind] = view_pb2.ZoneKind.Value(f"ZONE_KIND_{_name.upper()}")

# The message under way, and events on their way into it; kept, so that no message needs new memory. The GIL is held
# from the first byte to the last.
cdef uint8_t* data = NULL
cdef int used = 0
cdef int room = 0
cdef Log seen

# What is the same in every message of the matches that the last one was of; rules of equal options are one object.
cdef object last_rules = None
cdef tuple last_parts = None


def decision_response_bytes(Question question not None, *, bint repeated=False):
    return ask_bytes(question, repeated)


cdef bytes ask_bytes(Question question, bint repeated):
    """The PlayResponse that asks the question."""
    global used, last_rules, last_parts
    cdef State state = question.state
    cdef object spec = question.spec
    cdef int seat = question.seat
    cdef int response, part
    cdef bytes head
    cdef tuple actions
    if state.first_event() + state.log.count != question.events_until:
        question.live_state()  # says that the question is stale
    if state.rules is not last_rules:
        last_parts = _fixed_parts(state.rules.options, state.rules.seats)
        last_rules = state.rules
    head, actions, recalls = last_parts
    used = 0
    response = open_field(PLAY_RESPONSE_DECISION_TAG)
    put_text(DECISION_MATCH_ID_TAG, spec.match_id)
    put_number(DECISION_DECISION_TAG, question.number)
    part = open_field(DECISION_OBSERVATION_TAG)
    put_bytes(head)
    put_view(state, seat)
    if recalls:
        seen.count = 0
        see_since(&state.log, 0, seat, &seen)
        put_events(OBSERVATION_EVENTS_TAG, state.rules.names)
    close_field(part)
    for code in question.legal:
        put_bytes(actions[code])
    seen.count = 0
    state.recall(seat, question.events_since, &seen)
    put_events(DECISION_EVENTS_TAG, state.rules.names)
    part = open_field(DECISION_CLOCK_TAG)
    put_number(CLOCK_DECISION_MS_TAG, question.decision_ms)
    put_number(CLOCK_BANK_MS_TAG, question.bank_ms)
    close_field(part)
    put_fixed(DECISION_RANDOM_TAG, question.random)
    put_number(DECISION_REPEATED_TAG, repeated)
    close_field(response)
    return PyBytes_FromStringAndSize(<char*>data, used)


@lru_cache(maxsize=256)
def _fixed_parts(options, seats):
    """What is the same in every Decision of such matches: how its Observation begins, and every action by its code."""
    info = variant_info(options.variant)
    head = view_pb2.Observation(
        variant=info.id, rules_version=info.rules_version, options=options_to_wire(info.id, options), seats=seats
    ).SerializeToString(deterministic=True)
    actions = tuple(
        play_pb2.Decision(legal=[play_pb2.LegalAction(code=code, text=text)]).SerializeToString()
        for code, text in enumerate(info.actions)
    )
    return head, actions, info.recalls


cdef int put_view(State state, int seat) except -1:
    """The fields of an Observation from its seat on, but its events."""
    cdef View view
    cdef const ZoneRow* zone
    cdef const CounterRow* counter
    cdef int i, part
    state.see(seat, &view)
    put_number(OBSERVATION_SEAT_TAG, zigzag(seat))
    put_number(OBSERVATION_MONTH_TAG, view.month)
    put_number(OBSERVATION_ATTEMPT_TAG, view.attempt)
    put_number(OBSERVATION_DEALER_TAG, view.dealer)
    put_number(OBSERVATION_TURN_TAG, zigzag(view.turn))
    put_text(OBSERVATION_PHASE_TAG, PHASE_NAMES[view.phase])
    for i in range(view.zone_count):
        zone = &view.zones[i]
        part = open_field(OBSERVATION_ZONES_TAG)
        put_number(ZONE_KIND_TAG, ZONE_NUMBER[zone.kind])
        put_number(ZONE_SEAT_TAG, zigzag(zone.seat))
        if zone.known:      # packed numbers below 128 are a byte each
            put(ZONE_CARDS_TAG)
            put(zone.known)
            memcpy(data + used, zone.cards, zone.known)
            skip(zone.known)
        put_number(ZONE_COUNT_TAG, zone.count)
        close_field(part)
    for i in range(view.counter_count):
        counter = &view.counters[i]
        part = open_field(OBSERVATION_COUNTERS_TAG)
        put_text(COUNTER_NAME_TAG, COUNTERS[counter.name])
        put_number(COUNTER_SEAT_TAG, zigzag(counter.seat))
        put_number(COUNTER_VALUE_TAG, zigzag(counter.value))
        close_field(part)
    return 0


cdef int put_events(uint8_t tag, tuple names) except -1:
    """The events seen, each as such a field."""
    cdef const EventRow* row
    cdef int i, j, part, values
    for i in range(seen.count):
        row = &seen.rows[i]
        part = open_field(tag)
        put_text(EVENT_KIND_TAG, EVENT_NAMES[row.kind])
        put_number(EVENT_SEAT_TAG, zigzag(row.seat))
        put_cards(EVENT_CARDS_TAG, row.cards)
        put_cards(EVENT_TAKEN_TAG, row.taken)
        put_text(EVENT_NAME_TAG, names[row.name])
        if row.count:
            values = open_field(EVENT_VALUES_TAG)
            for j in range(row.count):
                put_varint(zigzag(row.values[j]))
            close_field(values)
        close_field(part)
    return 0


cdef inline int make_room(int count) except -1:
    if room - used < count:
        grow(<void**>&data, &room, used + count, 1)
    return 0


cdef inline void put(uint8_t byte) noexcept:
    """Write a byte, for which there has to be room."""
    global used
    data[used] = byte
    used += 1


cdef inline void skip(int count) noexcept:
    global used
    used += count


cdef inline void put_varint(uint64_t value) noexcept:
    while value >= 0x80:
        put(<uint8_t>(value | 0x80))
        value >>= 7
    put(<uint8_t>value)


cdef inline uint64_t zigzag(int64_t value) noexcept:
    """How a signed number lies in a varint."""
    return <uint64_t>value << 1 ^ <uint64_t>(value >> 63)


cdef inline int put_number(uint8_t tag, uint64_t value) except -1:
    """A number, which is left out where it is 0, as every field is that has its default."""
    if value:
        make_room(ROOM)
        put(tag)
        put_varint(value)
    return 0


cdef int put_fixed(uint8_t tag, uint64_t value) except -1:
    cdef int i
    if value:
        make_room(ROOM)
        put(tag)
        for i in range(8):
            put(<uint8_t>(value >> 8 * i))
    return 0


cdef inline int put_cards(uint8_t tag, uint64_t cards) except -1:
    if cards:
        make_room(ROOM)
        put(tag)
        put(<uint8_t>popcount(cards))
        while cards:
            put(<uint8_t>lowest(cards))
            cards &= cards - 1
    return 0


cdef int put_text(uint8_t tag, text) except -1:
    cdef Py_ssize_t size
    cdef const char* letters = PyUnicode_AsUTF8AndSize(text, &size)
    if size:
        make_room(ROOM + <int>size)
        put(tag)
        put_varint(size)
        memcpy(data + used, letters, size)
        skip(<int>size)
    return 0


cdef int put_bytes(bytes fields) except -1:
    """Fields that are serialised already."""
    cdef int size = <int>PyBytes_GET_SIZE(fields)
    make_room(size)
    memcpy(data + used, PyBytes_AS_STRING(fields), size)
    skip(size)
    return 0


cdef int open_field(uint8_t tag) except -1:
    """Begin a field with a length, for which one byte is left; return where its content begins."""
    make_room(ROOM)
    put(tag)
    skip(1)
    return used


cdef int close_field(int start) except -1:
    """End a field; content of more than 127 bytes moves, for a longer length."""
    global used
    cdef int length = used - start
    cdef int more = 0
    while length >> 7 * (more + 1):
        more += 1
    make_room(more)
    if more:
        memmove(data + start + more, data + start, length)
    used = start - 1
    put_varint(length)
    used += length
    return 0
