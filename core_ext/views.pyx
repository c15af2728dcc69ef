# cython: language_level=3, boundscheck=False, wraparound=False
"""What a seat knows of a deal, there and back: deal, masked deal, observation, masked deal, a deal as it may be.

Everything that a seat sees is made of a masked deal, and so is everything that is sampled for it.
"""
from core_ext.errors import ObservationError
from core_ext.observation import COUNTER_NAMES, ZONE_KINDS, Counter, Observation, Zone
from core_ext.table import PHASES

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from core_ext.cards cimport NO_CARD, bit, lowest, popcount
from core_ext.events cimport EVENT_MONTH_END, EVENT_PLAY, EventRow, Log, cards_mask, new_tuple
from core_ext.rng cimport choose
from core_ext.table cimport ENDED_COUNT, PHASE_ENDED, PHASE_OVER, PHASE_SETTLE, PHASE_TURNED, Deal
from core_ext.variant cimport Variant
from core_ext.zones cimport (
    COUNTER_BALANCE, COUNTER_NAME_COUNT, ZONE_HAND, ZONE_KIND_COUNT, ZONE_SHOWN, ZONE_STOCK, CounterRow, View, ZoneRow,
    add_cards, add_counter,
)

assert len(ZONE_KINDS) == ZONE_KIND_COUNT and len(COUNTER_NAMES) == COUNTER_NAME_COUNT

cdef tuple PHASE_NAMES = PHASES
cdef tuple KINDS = ZONE_KINDS
cdef tuple NAMES = COUNTER_NAMES


cdef void mask_deal(Variant rules, const Deal* full, Deal* deal, int seat) noexcept nogil:
    """Write what the seat knows of a deal."""
    cdef int other
    deal[0] = full[0]
    if deal.asked != seat:
        rules._public_phase(full, &deal.phase, &deal.asked)
        deal.waiting = deal.asked == seat
    for other in range(deal.seats):
        deal.held[other] = <uint8_t>popcount(deal.hand[other])
        if other != seat:
            deal.hand[other] &= deal.shown[other]
    memset(deal.deck, NO_CARD, sizeof(deal.deck))
    rules._mask(deal, full, seat)


cdef void look(Variant rules, const Deal* deal, View* view) noexcept nogil:
    """What a masked deal shows. The turn is the deal's: whose it is for everybody is known of the full deal alone."""
    cdef CounterRow* counter = view.counters
    cdef uint64_t known = 0
    cdef int other, i
    view.month = deal.month
    view.attempt = deal.attempt
    view.dealer = deal.dealer
    view.turn = deal.asked
    view.phase = deal.phase
    view.zone_count = 0
    for other in range(deal.seats):
        add_cards(view, ZONE_HAND, other, deal.hand[other], deal.held[other])
    for other in range(deal.seats):
        if deal.shown[other]:
            add_cards(view, ZONE_SHOWN, other, deal.shown[other], popcount(deal.shown[other]))
    rules._zones(deal, view)
    for i in range(deal.top, deal.end):
        if deal.deck[i] != NO_CARD:
            known |= bit(deal.deck[i])
    add_cards(view, ZONE_STOCK, -1, known, deal.end - deal.top)
    for other in range(deal.seats):
        counter = add_counter(counter, COUNTER_BALANCE, other, deal.balance[other])
    view.counter_count = <uint8_t>(rules._counters(deal, counter) - view.counters)


cdef object observe(Variant rules, const View* view, int seat, tuple legal, tuple events):
    """The observation of what a seat sees."""
    cdef list zones = []
    cdef list counters = []
    cdef const ZoneRow* zone
    cdef const CounterRow* counter
    cdef int i, j
    for i in range(view.zone_count):
        zone = &view.zones[i]
        cards = tuple([zone.cards[j] for j in range(zone.known)])
        zones.append(new_tuple(Zone, (KINDS[zone.kind], zone.seat, cards, zone.count)))
    for i in range(view.counter_count):
        counter = &view.counters[i]
        counters.append(new_tuple(Counter, (NAMES[counter.name], counter.seat, counter.value)))
    return Observation(
        rules.info.id, rules.info.rules_version, rules.options, rules.seats, seat, view.month, view.attempt,
        view.dealer, view.turn, PHASE_NAMES[view.phase], tuple(zones), tuple(counters), events, legal,
    )


cdef int restore(Variant rules, Deal* deal, observation, const Log* log) except -1:
    """The masked deal that an observation was made of, its events in the log.

    What it says is checked as far as memory is at stake.
    """
    cdef int seats = rules.seats
    cdef int seat
    memset(deal, 0, sizeof(Deal))
    deal.seats = <uint8_t>seats
    rules.set_table(deal)
    memset(deal.deck, NO_CARD, sizeof(deal.deck))
    deal.month = in_range("month", observation.month, 1, rules.last_month)
    deal.attempt = in_range("attempt", observation.attempt, 0, rules.last_attempt)
    deal.dealer = in_range("dealer", observation.dealer, 0, seats - 1)
    deal.asked = in_range("turn", observation.turn, -1, seats - 1)
    in_range("seat that may act", observation.seat, 0 if observation.legal else -1, seats - 1)
    if observation.phase not in PHASE_NAMES:
        raise ObservationError(f"there is no phase {observation.phase!r}")
    deal.phase = PHASE_NAMES.index(observation.phase)
    if deal.phase == PHASE_ENDED or (deal.phase == PHASE_OVER) != (deal.asked == -1):
        raise ObservationError(f"nobody is asked in phase {observation.phase!r} with the turn at {observation.turn}")
    if observation.legal:
        deal.asked = observation.seat
    else:
        deal.waiting = observation.turn == observation.seat and deal.phase != PHASE_OVER
    restore_zones(deal, observation.zones, rules.cards)
    if (deal.phase == PHASE_TURNED) != (deal.turned != NO_CARD):
        raise ObservationError("a turned card waits in the phase of that name alone")
    counters = {(counter.name, counter.seat): counter.value for counter in observation.counters}
    for seat in range(seats):
        deal.balance[seat] = counters["balance", seat]
    restore_events(deal, log)
    rules._restore(deal, observation, counters)
    return 0


cdef object in_range(what, value, low, high):
    if low <= value <= high:
        return value
    raise ObservationError(f"{what} is {value}, not {low} to {high}")


cdef int within(dict counters, name, seat, high) except -1:
    """A counter, which is from 0 to ``high``."""
    return in_range(f"the counter {name}", counters[name, seat], 0, high)


cdef int restore_zones(Deal* deal, zones, int cards) except -1:
    cdef uint64_t mask
    cdef int seat, count
    for item in zones:
        mask = cards_mask(item.cards, cards)
        seat = in_range(f"seat of the zone {item.kind}", item.seat, -1, deal.seats - 1)
        count = in_range(f"count of the zone {item.kind}", item.count, popcount(mask), cards)
        if seat >= 0 and item.kind == "hand":
            deal.hand[seat] = mask
            deal.held[seat] = <uint8_t>count
        elif seat >= 0 and item.kind == "shown":
            deal.shown[seat] = mask
        elif seat >= 0 and item.kind == "pile":
            deal.pile[seat] = mask
        elif item.kind == "field" or item.kind == "discard":
            deal.field = mask
        elif item.kind == "turned" and count == 1 == popcount(mask):
            deal.turned = <uint8_t>lowest(mask)
        elif item.kind == "stock":
            deal.top = <uint8_t>(cards - count)
        elif item.kind == "bottom":
            continue
        else:
            raise ObservationError(f"the zone {item} is not one of the table's")
    return 0


cdef void restore_events(Deal* deal, const Log* log) noexcept nogil:
    """What only the events tell: the gains of the turn, and how the last deal ended."""
    cdef const EventRow* row
    cdef int i, seat
    for i in range(log.count):
        row = &log.rows[i]
        if row.kind == EVENT_PLAY:
            deal.gained = 0
        deal.gained |= row.taken
        if row.kind == EVENT_MONTH_END and row.count == deal.seats and 1 <= row.name <= ENDED_COUNT:
            deal.ended = row.name - 1
            deal.winner = row.seat
            for seat in range(deal.seats):
                deal.score[seat] = row.values[seat]
    if deal.phase != PHASE_TURNED and deal.phase != PHASE_SETTLE:
        deal.gained = 0


cdef int sample(Variant rules, Deal* deal, int seat, uint64_t rng, Log* log) except -1:
    """Fill a masked deal with the hidden cards as they may be for the seat, each way to deal them equally likely."""
    cdef Deal masked = deal[0]
    cdef uint8_t unseen[48]
    cdef int count = unseen_cards(&masked, rules.cards, unseen)
    if not fill(rules, &masked, unseen, count, seat, &rng, deal, log):
        raise ObservationError("no deal fits the observation")
    return 0


cdef bint fill(
    Variant rules, const Deal* masked, uint8_t* unseen, int count, int seat, uint64_t* rng, Deal* deal, Log* log
) noexcept nogil:
    """Write a deal as it may be; the unseen cards change their order. False when none was found that fits.

    Where there is a log, it gets what others can have answered.
    """
    cdef int seen = log.count if log != NULL else 0
    cdef int i, j, tries
    cdef uint8_t card
    for tries in range(MAX_SAMPLES):
        for i in range(count - 1):
            j = i + choose(rng, count - i)
            card = unseen[i]
            unseen[i] = unseen[j]
            unseen[j] = card
        if log != NULL:
            log.count = seen
        if fits(rules, masked, unseen, count, seat, rng, deal, log):
            return True
    return False


cdef bint fits(
    Variant rules, const Deal* masked, uint8_t* unseen, int count, int seat, uint64_t* rng, Deal* deal, Log* log
) noexcept nogil:
    """Write the deal in which the unseen cards lie in this order; False where the seat can tell that it is another."""
    deal[0] = masked[0]
    rules._constrain_sample(deal, unseen, count, rng)
    lay_out(deal, unseen)
    if not rules._validate_sample(deal, seat, log):
        return False
    deal.waiting = 0
    return True


cdef int unseen_cards(const Deal* masked, int cards, uint8_t* unseen) except -1:
    """Write the cards whose place is hidden; ObservationError unless there are places for just so many."""
    cdef uint64_t known = masked.field
    cdef int total = popcount(masked.field)
    cdef int hidden = 0
    cdef int count = 0
    cdef int seat, i
    if masked.turned != NO_CARD:
        known |= bit(masked.turned)
        total += 1
    for seat in range(masked.seats):
        known |= masked.hand[seat] | masked.pile[seat]
        total += popcount(masked.hand[seat]) + popcount(masked.pile[seat])
        hidden += masked.held[seat] - popcount(masked.hand[seat])
    for i in range(masked.top, masked.end):
        if masked.deck[i] == NO_CARD:
            hidden += 1
        else:
            known |= bit(masked.deck[i])
            total += 1
    for i in range(cards):
        if not known >> i & 1:
            unseen[count] = <uint8_t>i
            count += 1
    if popcount(known) != total or hidden != count:
        raise ObservationError(f"{total} cards are seen and {hidden} hidden: not each of {cards} once")
    return count


cdef void lay_out(Deal* deal, const uint8_t* unseen) noexcept nogil:
    """Put the cards into the hidden places, hands first."""
    cdef int next_card = 0
    cdef int seat, i
    for seat in range(deal.seats):
        for i in range(deal.held[seat] - popcount(deal.hand[seat])):
            deal.hand[seat] |= bit(unseen[next_card])
            next_card += 1
        deal.held[seat] = 0
    for i in range(deal.top, deal.end):
        if deal.deck[i] == NO_CARD:
            deal.deck[i] = unseen[next_card]
            next_card += 1
