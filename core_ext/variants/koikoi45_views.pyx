# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a seat of koikoi45 may know: exchanges and dealt hands in secret, what lies under the stock."""
from libc.stdint cimport int8_t, uint8_t, uint64_t

from core_ext.errors import ObservationError
from core_ext.variants.koikoi45_table import EXCHANGE

from core_ext.cards cimport NO_CARD, bit, lowest, popcount
from core_ext.events cimport EVENT_PASS, Log, cards_mask, emit, log_event
from core_ext.matching cimport Matching
from core_ext.table cimport PHASE_DEALT_HAND, PHASE_EXCHANGE, PHASE_PLAY, PHASE_SETTLE, Deal
from core_ext.views cimport in_range
from core_ext.variants.koikoi45_exchange cimport (
    EXCHANGE_NAME, HAND_CARDS, LAST_MONTH, MOST_EXCHANGES, Own, first_given, given_by, own_of, threes,
)


cdef void veil(Deal* deal, const Deal* full, int seat) noexcept nogil:
    cdef Own* own = own_of(deal)
    cdef int place
    own.closed &= <uint8_t>(1 << seat) if seat >= 0 else 0
    for place in range(first_given(deal), deal.end):
        if place >= deal.top and given_by(deal, place) == seat:
            deal.deck[place] = full.deck[place]


cdef bint is_sure_to_be_asked(Matching rules, const Deal* deal, int seat) noexcept nogil:
    """Whether the dealer cannot play yet because the seat can still exchange."""
    return seat >= 0 and deal.phase == PHASE_PLAY and rules.is_untouched(deal) and can_exchange(deal, seat)


cdef bint can_exchange(const Deal* deal, int seat) noexcept nogil:
    return not own_of(deal).closed >> seat & 1 and threes(deal.hand[seat]) != 0


cdef bint accept(Matching rules, Deal* deal, int seat, Log* log) noexcept nogil:
    cdef int other
    for other in range(2):
        if other != seat and not own_of(deal).lenient and not can_have_exchanged(deal, other):
            return False
    if not rules.is_untouched(deal):
        return True
    if deal.waiting:
        return ask_in_secret(rules, deal, 1 - seat)
    assume_passed(rules, deal, seat, log)
    return True


cdef bint can_have_exchanged(const Deal* deal, int seat) noexcept nogil:
    """Whether the hand that the seat had after its exchanges can have come of giving the cards that it gave.

    A hand that is not known whole, because older events are not, may have.
    """
    cdef uint64_t hand = deal.hand[seat] | own_of(deal).played[seat]
    cdef uint8_t held[LAST_MONTH]
    cdef uint8_t given[2 * MOST_EXCHANGES]
    cdef int count = 0
    cdef int place, month
    if popcount(hand) != HAND_CARDS:
        return True
    for month in range(LAST_MONTH):
        held[month] = <uint8_t>popcount(hand >> 4 * month & 15)
    for place in range(first_given(deal), deal.end):
        if given_by(deal, place) == seat:
            if deal.deck[place] == NO_CARD:
                return True
            given[count] = deal.deck[place] >> 2
            count += 1
    return can_be_undone(held, given, count)


cdef bint can_be_undone(uint8_t* held, const uint8_t* given, int count) noexcept nogil:
    """Takes exchanges back, the last first: some card goes back to the stock, and two others of the given one's month
    were there."""
    cdef int month
    cdef bint found = False
    if count == 0:
        return True
    for month in range(LAST_MONTH):
        if found or not held[month]:
            continue
        held[month] -= 1
        if held[given[count - 1]] >= 2:
            held[given[count - 1]] += 1
            found = can_be_undone(held, given, count - 1)
            held[given[count - 1]] -= 1
        held[month] += 1
    return found


cdef bint ask_in_secret(Matching rules, Deal* deal, int seat) noexcept nogil:
    """Asks the seat what it can be asked, as the other (who knows that it is) can tell; False when nothing."""
    cdef Own* own = own_of(deal)
    cdef int viewer = 1 - seat
    cdef bint is_first = seat == deal.dealer        # to be asked for its dealt hand; the last to exchange
    cdef bint has_answered = own.course.passed >> viewer & 1
    cdef bint is_asked_later = rules.is_to_be_asked(deal, viewer)
    if not own.closed >> viewer & 1 and not own.exchanges[0] and not own.exchanges[1]:
        if rules.is_to_be_asked(deal, seat) and not (has_answered if is_first else is_asked_later):
            deal.phase = PHASE_DEALT_HAND
            deal.asked = <int8_t>seat
            return True
    if is_asked_later or (is_first and can_exchange(deal, viewer)):
        return False
    if not is_first and (own.closed >> viewer & 1 or own.exchanges[viewer]):
        return False
    own.course.passed = 3
    own.closed = <uint8_t>(is_first << viewer)
    deal.asked = <int8_t>seat
    if own.exchanges[seat] < MOST_EXCHANGES and threes(deal.hand[seat]):
        deal.phase = PHASE_EXCHANGE
        return True
    own.course.passed = <uint8_t>(1 << viewer)
    deal.phase = PHASE_DEALT_HAND
    return own.exchanges[seat] > 0 and rules._dealt_hand(deal.hand[seat]) != 0


cdef void assume_passed(Matching rules, Deal* deal, int seat, Log* log) noexcept nogil:
    """The other seats have declined what they were asked before this question of the seat, or before play."""
    cdef Own* own = own_of(deal)
    cdef int other
    cdef bint is_opened = deal.phase != PHASE_DEALT_HAND or own.exchanges[seat]
    for other in range(2):
        if other == seat:
            continue
        if (is_opened or other == deal.dealer) and rules.is_to_be_asked(deal, other):
            log_event(log, EVENT_PASS, other, 0, 0)
        if is_opened or other == deal.dealer:
            own.course.passed |= <uint8_t>(1 << other)
        if deal.phase == PHASE_PLAY or (is_opened and other != deal.dealer):
            if can_exchange(deal, other) and log != NULL:
                emit(log, EVENT_PASS, other, 0, 0).name = EXCHANGE_NAME
            own.closed |= <uint8_t>(1 << other)
    if deal.phase == PHASE_PLAY:
        own.course.passed = own.closed = 3


cdef int restore(Matching rules, Deal* deal, observation) except -1:
    """Events may reach back to the viewer's last decision alone; zones and counters hold what matters for longer."""
    cdef Own* own = own_of(deal)
    cdef int viewer = observation.seat
    for counter in observation.counters:
        if counter.name == "multiplier":
            own.doublings = in_range("the multiplier", counter.value, 1, 1 << 31).bit_length() - 1
        elif counter.name == "cup_void":
            own.cup_void = counter.value
        elif counter.name == "exchanges" and counter.seat in (0, 1) and 0 <= counter.value <= MOST_EXCHANGES:
            own.exchanges[<int>counter.seat] = counter.value
    if first_given(deal) < rules.dealt_cards:
        raise ObservationError("there were more exchanges than the stock has cards")
    last = next(reversed(observation.events), None)
    own.rain = deal.phase == PHASE_SETTLE and last is not None and last.kind == "rain"
    is_playing = deal.phase == PHASE_PLAY and observation.legal
    if viewer >= 0:
        if is_playing or any(event.kind == "pass" and event.name == EXCHANGE for event in observation.events):
            own.closed = <uint8_t>(1 << viewer)
        if own.exchanges[0] or own.exchanges[1] or own.closed or deal.phase == PHASE_EXCHANGE:
            own.course.passed = <uint8_t>(1 << viewer)
    restore_bottom(rules, deal, observation)
    restore_played(rules, deal, observation.events)
    return 0


cdef int restore_bottom(Matching rules, Deal* deal, observation) except -1:
    """What the viewer itself has put under the stock, and has not been turned."""
    cdef int place = first_given(deal)
    cards = [card for zone in observation.zones if zone.kind == "bottom" for card in zone.cards]
    cards_mask(cards, rules.cards)
    for card in cards:
        while place < deal.end and (place < deal.top or given_by(deal, place) != observation.seat):
            place += 1
        if place == deal.end:
            raise ObservationError(f"{cards} are more than seat {observation.seat} has put under the stock")
        deal.deck[place] = card
        place += 1
    return 0


cdef int restore_played(Matching rules, Deal* deal, events) except -1:
    """What has left hands and stock since the events begin: a hand of eight is known when they begin with the deal."""
    cdef Own* own = own_of(deal)
    cdef int place = rules.dealt_cards
    for event in events:
        if event.kind == "turn" and place < deal.top:
            deal.deck[place] = only_card(event, rules.cards)
            place += 1
        elif event.kind == "play" and event.seat in (0, 1):
            own.played[<int>event.seat] |= bit(only_card(event, rules.cards))
    return 0


cdef int only_card(event, int cards) except -1:
    """The one card that an event is about."""
    cdef uint64_t mask = cards_mask(event.cards, cards)
    if popcount(mask) != 1:
        raise ObservationError(f"the event {event} is about one card")
    return lowest(mask)
