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
from core_ext.wide cimport is_wide
from core_ext.zones cimport COUNTER_BALANCE, CounterRow, View

PLANE_KINDS = ("hand", "shown", "field", "turned", "pile", "discard", "last_discard", "stock")
assert len(PLANE_KINDS) == PLANE_KIND_COUNT

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    typedef uint8_t hanafuda_bytes __attribute__((vector_size(16)));
    typedef uint64_t hanafuda_words __attribute__((vector_size(16)));

    /* A mask's byte n eight times, and its next one. */
    #if defined(__clang__)
    #define HANAFUDA_BYTES(v, n) __builtin_shufflevector( \\
        v, v, n, n, n, n, n, n, n, n, n + 1, n + 1, n + 1, n + 1, n + 1, n + 1, n + 1, n + 1)
    #else
    #define HANAFUDA_BYTES(v, n) __builtin_shuffle(v, (hanafuda_bytes){ \\
        n, n, n, n, n, n, n, n, n + 1, n + 1, n + 1, n + 1, n + 1, n + 1, n + 1, n + 1})
    #endif
    #define HANAFUDA_PART(n) do { \\
        hanafuda_bytes part = (hanafuda_bytes)((HANAFUDA_BYTES(mask, n) & bits) == bits) & 1; \\
        memcpy(plane + 8 * n, &part, 16); \\
    } while (0)

    /* The 48 bits of a mask, from the lowest, as 48 bytes of 0 or 1. */
    static inline void hanafuda_write_plane(uint64_t cards, uint8_t *plane)
    {
        const hanafuda_bytes bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    #if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        const hanafuda_bytes mask = (hanafuda_bytes)(hanafuda_words){__builtin_bswap64(cards), 0};
    #else
        const hanafuda_bytes mask = (hanafuda_bytes)(hanafuda_words){cards, 0};
    #endif
        HANAFUDA_PART(0);
        HANAFUDA_PART(2);
        HANAFUDA_PART(4);
    }

    typedef void (*hanafuda_planes)(const char *sight, const int16_t *sources, int count, uint8_t *planes);

    /* One plane after the other, of the mask that lies at each source. */
    static void hanafuda_write_planes(const char *sight, const int16_t *sources, int count, uint8_t *planes)
    {
        uint64_t cards;
        for (int i = 0; i < count; i++) {
            memcpy(&cards, sight + sources[i], 8);
            hanafuda_write_plane(cards, planes + 48 * i);
        }
    }

    #ifdef HANAFUDA_WIDE
    HANAFUDA_WIDE static void hanafuda_write_planes_wide(
        const char *sight, const int16_t *sources, int count, uint8_t *planes)
    {
        uint64_t cards;
        for (int i = 0; i < count; i++, planes += 48) {
            memcpy(&cards, sight + sources[i], 8);
            _mm256_storeu_si256((__m256i *)planes, _mm256_maskz_set1_epi8((__mmask32)cards, 1));
            _mm_storeu_si128((__m128i *)(planes + 32), _mm_maskz_set1_epi8((__mmask16)(cards >> 32), 1));
        }
    }
    #else
    #define hanafuda_write_planes_wide hanafuda_write_planes
    #endif
    """
    ctypedef void (*Planes "hanafuda_planes")(
        const char* sight, const int16_t* sources, int count, uint8_t* planes
    ) noexcept nogil
    Planes planes_narrow "hanafuda_write_planes"
    Planes planes_wide "hanafuda_write_planes_wide"


cdef Planes write_planes = planes_wide if is_wide() else planes_narrow


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
            self.has_discards |= kind == "last_discard"
            self.has_stock |= kind == "stock"
            for viewer in range(seats):
                self.sources[<int>viewer][i] = source_of(PLANE_KINDS.index(kind), (viewer + max(place, 0)) % seats)
        memset(self.slots, -1, sizeof(self.slots))
        for i, (name, place) in enumerate(counters):
            if name not in COUNTER_NAMES or not -1 <= place < seats:
                raise ValueError(f"there is no counter {name!r} of seat {place}")
            for viewer in range(seats):
                seat = (viewer + place) % seats if place >= 0 else -1
                self.slots[<int>viewer][<int>COUNTER_NAMES.index(name)][<int>seat + 1] = self.first_counter + i
        for i in range(self.numbers):
            self.blank[i] = 0 if i < self.first_counter else NO_NUMBER


# Where the cards of every plane lie.
cdef struct Sight:
    Deal masked
    uint64_t turned
    uint64_t last_discard
    uint64_t stock


cdef int source_of(int kind, int seat) noexcept:
    """Where in a Sight the cards of a plane lie, in bytes."""
    cdef Sight sight
    cdef const void* place = &sight.masked.field
    if kind == PLANE_HAND:
        place = &sight.masked.hand[seat]
    elif kind == PLANE_SHOWN:
        place = &sight.masked.shown[seat]
    elif kind == PLANE_PILE:
        place = &sight.masked.pile[seat]
    elif kind == PLANE_TURNED:
        place = &sight.turned
    elif kind == PLANE_LAST_DISCARD:
        place = &sight.last_discard
    elif kind == PLANE_STOCK:
        place = &sight.stock
    return <int>(<const char*>place - <const char*>&sight)


cdef inline uint64_t known_stock(const Deal* masked) noexcept nogil:
    """The cards of the stock whose place is known; a masked deck has no others."""
    cdef uint64_t cards = 0
    cdef uint64_t eight
    cdef int i, place
    for i in range(0, 48, 8):
        memcpy(&eight, masked.deck + i, 8)
        if eight != ~<uint64_t>0:
            for place in range(i, i + 8):
                if masked.top <= place < masked.end and masked.deck[place] != NO_CARD:
                    cards |= bit(masked.deck[place])
    return cards


cdef void write_tensors(
    Variant rules, const Deal* full, int seat, Layout layout, uint8_t* planes, float* numbers
) noexcept nogil:
    """What the seat sees of a deal."""
    cdef Sight sight
    cdef Deal* masked = &sight.masked
    cdef View view
    cdef const CounterRow* counter = view.counters
    cdef const CounterRow* end
    cdef uint8_t phase
    cdef int8_t turn
    cdef int seats = layout.seats
    cdef int first_seat = 2 + PHASE_COUNT       # of the numbers that each seat has
    cdef int other, place, slot
    mask_deal(rules, full, masked, seat)
    rules._public_phase(full, &phase, &turn)
    sight.turned = bit(masked.turned) if masked.turned != NO_CARD else 0
    sight.last_discard = sight.stock = 0
    if layout.has_discards:
        view.zone_count = 0
        rules._zones(masked, &view)
        if view.zones[0].known:
            sight.last_discard = bit(view.zones[0].cards[0])
    if layout.has_stock:
        sight.stock = known_stock(masked)
    end = rules._counters(masked, view.counters)
    write_planes(<const char*>&sight, layout.sources[seat], layout.planes, planes)
    memcpy(numbers, layout.blank, layout.numbers * sizeof(float))
    numbers[0] = masked.month
    numbers[1] = masked.attempt
    numbers[2 + masked.phase] = 1
    other = seat
    for place in range(seats):
        numbers[first_seat + place] = other == masked.dealer
        numbers[first_seat + seats + place] = other == turn and masked.phase != PHASE_OVER
        numbers[first_seat + 2 * seats + place] = masked.held[other]
        slot = layout.slots[seat][<int>COUNTER_BALANCE][other + 1]
        if slot >= 0:
            numbers[slot] = <float>masked.balance[other]
        other = other + 1 if other + 1 < seats else 0
    numbers[first_seat + 3 * seats] = masked.end - masked.top
    while counter != end:
        slot = layout.slots[seat][counter.name][counter.seat + 1]
        if slot >= 0:
            numbers[slot] = <float>counter.value
        counter += 1


def encode(
    State state not None, int seat, Layout layout not None, uint8_t[:, ::1] planes not None, float[::1] numbers not None,
    int8_t[::1] mask=None,
):
    cdef int i
    if not 0 <= seat < state.rules.seats:
        raise SeatsError(f"there is no seat {seat}")
    if layout.seats != state.rules.seats:
        raise ValueError(f"the layout is for {layout.seats} seats, the state has {state.rules.seats}")
    if planes.shape[0] != layout.planes or planes.shape[1] != CARDS or numbers.shape[0] != layout.numbers:
        raise ValueError(f"the arrays must be {layout.planes} by {CARDS} and {layout.numbers} long")
    if mask is not None and mask.shape[0] != state.rules.info.num_actions:
        raise ValueError(f"the mask must be {state.rules.info.num_actions} long")
    write_tensors(state.rules, &state.deal, seat, layout, &planes[0, 0], &numbers[0])
    if mask is not None:
        memset(&mask[0], 0, mask.shape[0])
        if state.deal.asked == seat:
            for i in range(state.list_legal()):
                mask[state.legal[i]] = 1


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
