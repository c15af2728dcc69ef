# cython: language_level=3, boundscheck=False, wraparound=False
"""A seat's view as numbers, for learning: written natively, from the masked deal alone."""
from core_ext.errors import PackedChoicesError, SeatsError
from core_ext.observation import COUNTER_NAMES
from core_ext.table import PHASES

cimport cython
from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from core_ext.cards cimport NO_CARD, bit
from core_ext.packing cimport PackedChoices
from core_ext.state cimport State
from core_ext.table cimport MAX_SEATS, PHASE_COUNT, PHASE_OVER, Deal
from core_ext.variant cimport Variant
from core_ext.views cimport mask_deal
from core_ext.zones cimport COUNTER_BALANCE, CounterRow, View

PLANE_KINDS = ("hand", "shown", "field", "turned", "pile", "discard", "last_discard", "stock")
assert len(PLANE_KINDS) == PLANE_KIND_COUNT

# The eight bits of a byte as eight bytes of 0 or 1.
cdef uint64_t[256] SPREAD
cdef int _byte, _bit
for _byte in range(256):
    SPREAD[_byte] = 0
    for _bit in range(8):
        SPREAD[_byte] |= <uint64_t>(_byte >> _bit & 1) << 8 * _bit


@cython.final
cdef class Layout:
    """Which planes and counters a seat's view is written as."""

    def __init__(self, int seats, planes, counters):
        cdef int i
        if not 2 <= seats <= MAX_SEATS:
            raise ValueError(f"a layout is for 2 to {MAX_SEATS} seats, not {seats}")
        self.seats = seats
        self.planes = len(planes)
        self.first_counter = 2 + PHASE_COUNT + 3 * seats + 1
        self.numbers = self.first_counter + len(counters)
        if self.planes > MAX_PLANES or self.numbers > MAX_NUMBERS:
            raise ValueError(f"a layout has at most {MAX_PLANES} planes and {MAX_NUMBERS} numbers")
        for i, (kind, place) in enumerate(planes):
            if kind not in PLANE_KINDS or not -1 <= place < seats:
                raise ValueError(f"there is no plane {kind!r} of seat {place}")
            self.kinds[i] = PLANE_KINDS.index(kind)
            self.places[i] = max(place, 0)
            self.has_discards |= kind == "last_discard"
        for i in range(<int>COUNTER_NAME_COUNT * (<int>MAX_SEATS + 1)):
            self.slots[i] = -1
        for i, (name, place) in enumerate(counters):
            if name not in COUNTER_NAMES or not -1 <= place < seats:
                raise ValueError(f"there is no counter {name!r} of seat {place}")
            self.slots[COUNTER_NAMES.index(name) * (MAX_SEATS + 1) + (MAX_SEATS if place < 0 else place)] = (
                self.first_counter + i
            )


cdef inline void write_plane(uint64_t cards, uint8_t* plane) noexcept nogil:
    cdef int i
    for i in range(6):
        memcpy(plane + 8 * i, &SPREAD[cards >> 8 * i & 0xFF], 8)


cdef inline int placed(int seat, int viewer, int seats) noexcept nogil:
    """The seat as counted from the viewer."""
    return seat - viewer if seat >= viewer else seat - viewer + seats


cdef uint64_t plane_cards(const Deal* masked, int kind, int seat, uint64_t last_discard) noexcept nogil:
    cdef uint64_t cards = 0
    cdef int i
    if kind == PLANE_HAND:
        return masked.hand[seat]
    if kind == PLANE_SHOWN:
        return masked.shown[seat]
    if kind == PLANE_PILE:
        return masked.pile[seat]
    if kind == PLANE_FIELD or kind == PLANE_DISCARD:
        return masked.field
    if kind == PLANE_TURNED:
        return bit(masked.turned) if masked.turned != NO_CARD else 0
    if kind == PLANE_LAST_DISCARD:
        return last_discard
    for i in range(masked.top, masked.end):
        if masked.deck[i] != NO_CARD:
            cards |= bit(masked.deck[i])
    return cards


cdef void write_tensors(
    Variant rules, const Deal* full, int seat, Layout layout, uint8_t* planes, float* numbers
) noexcept nogil:
    """What the seat sees of a deal."""
    cdef Deal masked
    cdef View view
    cdef const CounterRow* counter
    cdef uint64_t last_discard = 0
    cdef uint8_t phase
    cdef int8_t turn
    cdef int seats = layout.seats
    cdef int i, other, slot
    mask_deal(rules, full, &masked, seat)
    rules._public_phase(full, &phase, &turn)
    view.zone_count = view.counter_count = 0
    if layout.has_discards:
        rules._zones(&masked, &view)
        if view.zones[0].known:
            last_discard = bit(view.zones[0].cards[0])
    rules._counters(&masked, &view)
    for i in range(layout.planes):
        other = seat + layout.places[i]
        if other >= seats:
            other -= seats
        write_plane(plane_cards(&masked, layout.kinds[i], other, last_discard), planes + CARDS * i)
    for i in range(2, layout.first_counter):
        numbers[i] = 0
    for i in range(layout.first_counter, layout.numbers):
        numbers[i] = NO_NUMBER
    numbers[0] = masked.month
    numbers[1] = masked.attempt
    numbers[2 + masked.phase] = 1
    slot = 2 + PHASE_COUNT
    numbers[slot + placed(masked.dealer, seat, seats)] = 1
    if masked.phase != PHASE_OVER:
        numbers[slot + seats + placed(turn, seat, seats)] = 1
    slot += 2 * seats
    for other in range(seats):
        numbers[slot + placed(other, seat, seats)] = masked.held[other]
        i = layout.slots[COUNTER_BALANCE * (MAX_SEATS + 1) + placed(other, seat, seats)]
        if i >= 0:
            numbers[i] = <float>masked.balance[other]
    numbers[slot + seats] = masked.end - masked.top
    for i in range(view.counter_count):
        counter = &view.counters[i]
        other = MAX_SEATS if counter.seat < 0 else placed(counter.seat, seat, seats)
        slot = layout.slots[counter.name * (MAX_SEATS + 1) + other]
        if slot >= 0:
            numbers[slot] = <float>counter.value


def encode(State state not None, int seat, Layout layout not None, uint8_t[:, ::1] planes not None, float[::1] numbers not None):
    if not 0 <= seat < state.rules.seats:
        raise SeatsError(f"there is no seat {seat}")
    if layout.seats != state.rules.seats:
        raise ValueError(f"the layout is for {layout.seats} seats, the state has {state.rules.seats}")
    if planes.shape[0] != layout.planes or planes.shape[1] != CARDS or numbers.shape[0] != layout.numbers:
        raise ValueError(f"the arrays must be {layout.planes} by {CARDS} and {layout.numbers} long")
    write_tensors(state.rules, &state.deal, seat, layout, &planes[0, 0], &numbers[0])


def encode_decisions(
    State state not None, bytes packed not None, Py_ssize_t decisions, Layout layout not None,
    uint8_t[:, :, ::1] planes not None, float[:, ::1] numbers not None, int8_t[:, ::1] masks not None,
    int8_t[::1] seats not None, int16_t[::1] actions not None,
):
    cdef PackedChoices choices = PackedChoices()
    cdef Py_ssize_t number
    cdef int choice, i
    cdef int codes = state.rules.info.num_actions
    if layout.seats != state.rules.seats:
        raise ValueError(f"the layout is for {layout.seats} seats, the state has {state.rules.seats}")
    if (
        planes.shape[1] != layout.planes or planes.shape[2] != CARDS or numbers.shape[1] != layout.numbers
        or masks.shape[1] != codes or decisions < 0
        or min(planes.shape[0], numbers.shape[0], masks.shape[0], seats.shape[0], actions.shape[0]) < decisions
    ):
        raise ValueError(
            f"the arrays must have {decisions} rows of {layout.planes} by {CARDS}, {layout.numbers}, {codes}, 1 and 1"
        )
    for number in range(decisions):
        choice = choices.read(packed, state.list_legal()) if state.list_legal() else 0
        if choice < state.legal_count:
            write_tensors(state.rules, &state.deal, state.deal.asked, layout, &planes[number, 0, 0], &numbers[number, 0])
            memset(&masks[number, 0], 0, codes)
            for i in range(state.legal_count):
                masks[number, state.legal[i]] = 1
            seats[number] = state.deal.asked
            actions[number] = <int16_t>state.legal[choice]
        state.apply_choice(number, choice)
    if choices.finish() != packed:
        raise PackedChoicesError(f"the {len(packed)} bytes given are not what their {decisions} choices are packed as")
