# cython: language_level=3, boundscheck=False, wraparound=False
"""What a variant is to the rest of the core: its hooks, and what is the same in all of them."""
from core_ext.errors import NotationError, ObservationError
from core_ext.observation import Counter, Observation, Zone
from core_ext.table import ENDINGS, PHASES

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from core_ext.cards cimport NO_CARD, bit, lowest, popcount
from core_ext.events cimport (
    EVENT_DRAW, EVENT_MATCH_END, EVENT_MONTH_END, EVENT_PLAY, EventRow, Log, add_value, emit, mask_tuple,
)
from core_ext.rng cimport choose
from core_ext.shuffle cimport shuffle
from core_ext.table cimport (
    Deal, ENDED_STOP, PHASE_ENDED, PHASE_OVER, PHASE_PLAY, PHASE_SETTLE, PHASE_TURNED, first_dealer,
)

cdef tuple PHASE_NAMES = PHASES
cdef enum:
    MOST_SAMPLES = 1 << 20      # far more than the rarest secret question needs


cdef class Variant:
    """The rules of one variant with one choice of options; a subclass a variant, never made or changed by a caller."""

    def __init__(self, info, options, int seats):
        self.info = info
        self.options = options
        self.seats = seats
        self.cards = info.cards
        self.names = ("", *ENDINGS, *(row.id for row in info.yaku), *info.dealt_hands)
        self.codes = {text: code for code, text in enumerate(info.actions)}

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        pass

    cdef int _legal(self, const Deal* deal, uint16_t* out) noexcept nogil:
        return 0

    cdef void _apply(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        pass

    cdef bint _is_last(self, const Deal* deal) noexcept nogil:
        return True

    cdef void _next(self, Deal* deal) noexcept nogil:
        pass

    cdef void _results(self, const Deal* deal, int64_t* results) noexcept nogil:
        cdef int seat
        for seat in range(deal.seats):
            results[seat] = deal.balance[seat]

    cdef void _face(self, const Deal* deal, uint8_t* phase, int8_t* asked) noexcept nogil:
        phase[0] = deal.phase
        asked[0] = deal.asked

    cdef void _veil_own(self, Deal* deal, int seat) noexcept nogil:
        pass

    cdef bint _accept(self, Deal* deal, int seat, Log* log) noexcept nogil:
        return True

    cdef list _counters(self, const Deal* deal):
        return []

    cdef int _restore(self, Deal* deal, observation) except -1:
        return 0

    cdef bytes _pack_own(self, const Deal* deal):
        return b""

    cdef void begin(self, Deal* deal, const uint8_t* key, Log* log) noexcept nogil:
        """Draws for the first deal and deals month 1."""
        cdef uint8_t deck[48]
        cdef uint8_t draws[49]
        cdef int i = 0
        memset(deal, 0, sizeof(Deal))
        deal.seats = <uint8_t>self.seats
        shuffle(key, 0, 0, self.cards, deck)
        deal.dealer = <uint8_t>first_dealer(deck, self.cards, self.seats, draws)
        if log != NULL:
            while draws[i] != NO_CARD:
                emit(log, EVENT_DRAW, draws[i], bit(deck[i]), 0)
                i += 1
        deal.month = 1
        shuffle(key, 1, 0, self.cards, deal.deck)
        self.set_table(deal)
        self._deal(deal, log)

    cdef void next_deal(self, Deal* deal, const uint8_t* key, Log* log) noexcept nogil:
        """Deals what follows an ended deal that is not the last."""
        self._next(deal)
        shuffle(key, deal.month, deal.attempt, self.cards, deal.deck)
        self.set_table(deal)
        self._deal(deal, log)

    cdef void set_table(self, Deal* deal) noexcept nogil:
        """An empty table with the whole deck as stock; what outlasts a deal stays."""
        cdef int seat
        for seat in range(4):
            deal.hand[seat] = deal.pile[seat] = deal.shown[seat] = 0
            deal.score[seat] = deal.stake[seat] = 0
            deal.koi[seat] = 0
        deal.field = deal.gained = 0
        deal.top = 0
        deal.end = <uint8_t>self.cards
        deal.turned = NO_CARD
        deal.winner = -1
        deal.ended = ENDED_STOP
        deal.asked = <int8_t>deal.dealer

    cdef void end_deal(self, Deal* deal, int ended, int winner, Log* log) noexcept nogil:
        """Ends the deal and books its scores."""
        cdef EventRow* row
        cdef int seat
        deal.phase = PHASE_ENDED
        deal.ended = <uint8_t>ended
        deal.winner = <int8_t>winner
        deal.gained = 0
        for seat in range(deal.seats):
            deal.balance[seat] += deal.score[seat]
        if log != NULL:
            row = emit(log, EVENT_MONTH_END, winner, 0, 0)
            row.name = <uint8_t>(1 + ended)
            for seat in range(deal.seats):
                add_value(row, deal.score[seat])

    cdef void end_match(self, Deal* deal, Log* log) noexcept nogil:
        """Ends the match with its last deal."""
        cdef int64_t results[4]
        cdef EventRow* row
        cdef int seat
        deal.phase = PHASE_OVER
        deal.asked = -1
        if log != NULL:
            self._results(deal, results)
            row = emit(log, EVENT_MATCH_END, -1, 0, 0)
            for seat in range(deal.seats):
                add_value(row, results[seat])

    cdef void veil(self, Deal* deal, int seat) noexcept nogil:
        """Leaves of the deal what the seat knows: every view is made of a veiled deal, so it cannot hold more."""
        cdef uint8_t phase = deal.phase
        cdef int8_t asked = deal.asked
        cdef int other, i
        if asked != seat:
            self._face(deal, &phase, &asked)
            deal.waiting = asked == seat
        deal.phase = phase
        deal.asked = asked
        self._veil_own(deal, seat)
        for other in range(deal.seats):
            deal.held[other] = <uint8_t>popcount(deal.hand[other])
            if other != seat:
                deal.hand[other] &= deal.shown[other]
        for i in range(48):
            deal.deck[i] = NO_CARD

    cdef object view(self, const Deal* deal, int seat, int turn, tuple legal, tuple events):
        """The observation of a veiled deal."""
        cdef list zones = []
        cdef list counters = []
        cdef int other
        for other in range(deal.seats):
            zones.append(Zone("hand", other, mask_tuple(deal.hand[other]), deal.held[other]))
        zones.append(Zone("field", -1, mask_tuple(deal.field), popcount(deal.field)))
        if deal.turned != NO_CARD:
            zones.append(Zone("turned", -1, (deal.turned,), 1))
        for other in range(deal.seats):
            if deal.shown[other]:
                zones.append(Zone("shown", other, mask_tuple(deal.shown[other]), popcount(deal.shown[other])))
        for other in range(deal.seats):
            zones.append(Zone("pile", other, mask_tuple(deal.pile[other]), popcount(deal.pile[other])))
        zones.append(Zone("stock", -1, (), deal.end - deal.top))
        for other in range(deal.seats):
            counters.append(Counter("balance", other, deal.balance[other]))
        counters.extend(self._counters(deal))
        return Observation(
            self.info.id,
            self.info.rules_version,
            self.options,
            self.seats,
            seat,
            deal.month,
            deal.attempt,
            deal.dealer,
            turn,
            PHASE_NAMES[deal.phase],
            tuple(zones),
            tuple(counters),
            events,
            legal,
        )

    cdef int restore(self, Deal* deal, observation) except -1:
        """The veiled deal that a view was made of."""
        cdef uint64_t mask
        cdef int seat
        memset(deal, 0, sizeof(Deal))
        deal.seats = <uint8_t>self.seats
        self.set_table(deal)
        memset(deal.deck, NO_CARD, sizeof(deal.deck))
        deal.month = observation.month
        deal.attempt = observation.attempt
        deal.dealer = observation.dealer
        deal.asked = observation.turn
        try:
            deal.phase = PHASE_NAMES.index(observation.phase)
        except ValueError:
            raise ObservationError(f"there is no phase {observation.phase!r}") from None
        if observation.legal:
            deal.asked = observation.seat
        elif observation.turn == observation.seat and deal.phase != PHASE_OVER:
            deal.waiting = 1
        for zone in observation.zones:
            mask = 0
            for card in zone.cards:
                mask |= bit(card)
            seat = zone.seat
            if not -1 <= seat < self.seats:
                raise ObservationError(f"the zone {zone} belongs to nobody")
            if zone.kind == "hand":
                deal.hand[seat] = mask
                deal.held[seat] = zone.count
            elif zone.kind == "shown":
                deal.shown[seat] = mask
            elif zone.kind == "pile":
                deal.pile[seat] = mask
            elif zone.kind == "field":
                deal.field = mask
            elif zone.kind == "turned":
                deal.turned = lowest(mask)
            elif zone.kind == "stock":
                deal.top = self.cards - zone.count
        for counter in observation.counters:
            seat = counter.seat
            if counter.name == "balance":
                deal.balance[seat] = counter.value
        if deal.phase == PHASE_TURNED or deal.phase == PHASE_SETTLE:
            for event in observation.events:
                if event.kind == "play":
                    deal.gained = 0
                for card in event.taken:
                    deal.gained |= bit(card)
        if deal.phase == PHASE_OVER:
            for event in observation.events:
                if event.kind == "month_end":
                    deal.ended = ENDINGS.index(event.name)
                    deal.winner = event.seat
                    for seat in range(self.seats):
                        deal.score[seat] = event.values[seat]
        self._restore(deal, observation)
        return 0

    cdef int sample(self, Deal* deal, int seat, uint64_t rng, Log* log) except -1:
        """Fills a veiled deal with hidden cards as the seat may suppose them, every way to deal them equally likely."""
        cdef Deal veiled = deal[0]
        cdef uint8_t unseen[48]
        cdef uint8_t card
        cdef uint64_t known = veiled.field
        cdef int start = veiled.end - veiled.top
        cdef int count, missing, other, i, j, tries
        if veiled.turned != NO_CARD:
            known |= bit(veiled.turned)
        for other in range(self.seats):
            known |= veiled.hand[other] | veiled.pile[other]
            start += veiled.held[other] - popcount(veiled.hand[other])
        count = 0
        for i in range(self.cards):
            if not known >> i & 1:
                unseen[count] = <uint8_t>i
                count += 1
        if count != start:
            raise ObservationError(f"{count} cards are not seen, but {start} are hidden")
        for tries in range(MOST_SAMPLES):
            deal[0] = veiled
            for i in range(count - 1):
                j = i + choose(&rng, count - i)
                card = unseen[i]
                unseen[i] = unseen[j]
                unseen[j] = card
            i = 0
            for other in range(self.seats):
                missing = veiled.held[other] - popcount(veiled.hand[other])
                for j in range(missing):
                    deal.hand[other] |= bit(unseen[i])
                    i += 1
                deal.held[other] = 0
            for j in range(veiled.top, veiled.end):
                deal.deck[j] = unseen[i]
                i += 1
            if self._accept(deal, seat, log):
                deal.waiting = 0
                return 0
        raise ObservationError("no deal fits the observation")
