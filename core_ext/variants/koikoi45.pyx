# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Koi-koi with 45 cards (``koikoi45``), two seats."""
cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memmove, memset

from core_ext.cards import parse_card
from core_ext.errors import ObservationError
from core_ext.variants.koikoi45_table import CARDS, CUP_YAKU, DEALT_HANDS, EXCHANGE, INFO, YAKU, rows

from core_ext.cards cimport LANES, LIGHTS_MASK, NO_CARD, bit, lowest, month_counts, popcount, whole_months
from core_ext.events cimport (
    EVENT_EXCHANGE, EVENT_FIELD, EVENT_KOI, EVENT_PASS, EVENT_RAIN, EVENT_STOCK, EVENT_TAKE, EVENT_YAKU, Log, add_value,
    cards_mask, emit, log_event, log_value,
)
from core_ext.matching cimport Course, Matching, course
from core_ext.notation cimport ACTION_PASS, ACTION_TAIL
from core_ext.rng cimport choose
from core_ext.scoring cimport MAX_YAKU, row_value
from core_ext.shuffle cimport pick
from core_ext.table cimport OWN_WORDS, PHASE_DEALT_HAND, PHASE_EXCHANGE, PHASE_PLAY, PHASE_SETTLE, Deal
from core_ext.variant cimport FIRST_YAKU_NAME
from core_ext.views cimport in_range, within
from core_ext.zones cimport (
    COUNTER_CUP_VOID, COUNTER_EXCHANGES, COUNTER_MULTIPLIER, ZONE_BOTTOM, CounterRow, View, ZoneRow, add_counter, add_zone, know,
)

cdef enum:
    LAST_MONTH = 12
    HAND_CARDS = 8
    MAX_EXCHANGES = 21         # in one seat's turn to exchange (koikoi45 R6)
    TESHI = 1
    NIKONIKO = 2
    FIRST_CUP = 4               # of the three rows that the rain can take away
    LAST_CUP = 6
    KASU = 12
    EXCHANGE_NAME = FIRST_YAKU_NAME + 13 + 2    # of events, after the yaku and the dealt hands
    LENIENT_TRIES = 1 << 15     # a chain of exchanges too rare to be met by chance is left unexplained once in so many

assert tuple(row.id for row in YAKU[FIRST_CUP:LAST_CUP + 1]) == CUP_YAKU
assert YAKU[KASU].id == "kasu"
assert DEALT_HANDS == ("teshi", "nikoniko")
assert EXCHANGE_NAME == FIRST_YAKU_NAME + len(YAKU) + len(DEALT_HANDS)

cdef uint64_t rain_man = bit(parse_card("11L"))


cdef struct Own:
    Course course
    uint64_t played[2]      # sampling only: what each seat has played from its hand
    uint8_t exchanges[2]    # by seat; what came of them lies at the bottom of the stock, the dealer's last
    uint8_t closed          # seats, as bits, that exchange no more; masked: the viewer's alone
    uint8_t doublings       # of the month's multiplier
    uint8_t rain            # asked to stop or go on is not the seat whose turn it is, but the other
    uint8_t lenient         # sampling only: this try may leave exchanges unexplained
    uint8_t cup_void        # a koi has followed a rain: the cup yaku count for nobody


assert sizeof(Own) <= 8 * OWN_WORDS


cdef inline Own* own_of(const Deal* deal) noexcept nogil:
    return <Own*>deal.own


cdef inline int64_t multiplier_of(const Deal* deal) noexcept nogil:
    """At most 2^25: months, births and lights double 8 times at most, koi 17 times (koikoi45 R8)."""
    return <int64_t>1 << own_of(deal).doublings


cdef inline bint is_four_pairs(uint64_t hand) noexcept nogil:
    """Whether the hand, of eight cards, is two cards of each of four months."""
    cdef uint64_t counts = month_counts(hand)
    return popcount(counts >> 1 & ~counts & LANES) == 4


cdef inline uint64_t threes(uint64_t hand) noexcept nogil:
    """Not zero when the hand holds three or four of some month."""
    cdef uint64_t counts = month_counts(hand)
    return (counts & counts >> 1 | counts >> 2) & LANES


cdef inline int first_given(const Deal* deal) noexcept nogil:
    """The place in the deck of the first card that an exchange put under the stock."""
    return deal.end - own_of(deal).exchanges[0] - own_of(deal).exchanges[1]


cdef inline int given_by(const Deal* deal, int place) noexcept nogil:
    """The seat whose exchange put the card at this place of the deck under the stock."""
    return deal.dealer if place >= deal.end - own_of(deal).exchanges[deal.dealer] else 1 - deal.dealer


@cython.final
cdef class KoiKoi45(Matching):
    """The rules of ``koikoi45``."""

    cdef int births[LAST_MONTH + 1]         # how many seats were born in each month
    cdef int hand_points[NIKONIKO + 1]
    cdef bint kasu_every_turn

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats, rows(options), hand_cards=HAND_CARDS, field_cards=8, rained_off=CUP_YAKU)
        self.last_month = LAST_MONTH
        self.straight = bit(parse_card("12L"))
        for month in range(1, LAST_MONTH + 1):
            self.births[month] = options["birth_months"].count(month)
        self.hand_points[TESHI] = options["points.teshi"]
        self.hand_points[NIKONIKO] = options["points.nikoniko"]
        self.kasu_every_turn = options["kasu_koi"] == "every_turn"

    # The deal. What the field alone decides comes first: nobody can tell from it who is asked in secret.

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        cdef Own* own = own_of(deal)
        cdef uint64_t lights, phoenix
        memset(own, 0, sizeof(Own))
        self.deal_cards(deal)
        self.log_deal(deal, log)
        lights = deal.field & LIGHTS_MASK
        phoenix = deal.field & self.straight
        own.doublings = <uint8_t>(
            (deal.month == 1) + (deal.month == LAST_MONTH) + self.births[deal.month] + popcount(lights)
        )
        log_value(log, EVENT_FIELD, -1, lights, 0, multiplier_of(deal))
        if phoenix:
            deal.field ^= phoenix
            deal.pile[deal.dealer] |= phoenix
            log_event(log, EVENT_TAKE, deal.dealer, phoenix, phoenix)
        self.give_fours(deal, log)
        self.ask_dealt_hands(deal, log)

    cdef int _dealt_hand(self, uint64_t hand) noexcept nogil:
        cdef int number = 0
        if whole_months(hand):
            number = TESHI
        elif is_four_pairs(hand):
            number = NIKONIKO
        return number if self.hand_points[number] else 0

    cdef void _declare(self, Deal* deal, int action, Log* log) noexcept nogil:
        cdef uint64_t held = deal.hand[deal.asked]
        cdef int hand = self._dealt_hand(held)
        self.win_by_hand(deal, whole_months(held) if hand == TESHI else held, hand, self.hand_points[hand], log)

    # Exchanges: the other seat's first, then the dealer's

    cdef void _open(self, Deal* deal, Log* log) noexcept nogil:
        """Ask the next seat that can exchange; when there is none, the dealer plays."""
        cdef Own* own = own_of(deal)
        cdef int seat = 1 - deal.dealer
        cdef int i
        own.course.passed = 3
        for i in range(2):
            if not own.closed >> seat & 1:
                if own.exchanges[seat] < MAX_EXCHANGES and threes(deal.hand[seat]):
                    deal.phase = PHASE_EXCHANGE
                    deal.asked = <int8_t>seat
                    return
                own.closed |= <uint8_t>(1 << seat)
            seat = deal.dealer
        self.begin_play(deal)

    cdef int _legal_own(self, const Deal* deal, uint16_t* out) noexcept nogil:
        cdef uint64_t hand
        cdef int n = 1
        cdef int month, held, code, k
        if deal.phase != PHASE_EXCHANGE:
            return Matching._legal_own(self, deal, out)
        hand = deal.hand[deal.asked]
        out[0] = ACTION_PASS
        for month in range(LAST_MONTH - 1):
            held = <int>(hand >> 4 * month) & 15
            code = ACTION_TAIL + 5 * month
            if held == 15:
                for k in range(4):
                    out[n] = <uint16_t>(code + 1 + k)
                    n += 1
            elif popcount(held) == 3:
                out[n] = <uint16_t>code
                n += 1
        return n

    cdef void _apply_own(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        cdef Own* own = own_of(deal)
        cdef int seat = deal.asked
        if action != ACTION_PASS:
            self.exchange(deal, key, action, log)
            return
        own.closed |= <uint8_t>(1 << seat)
        if log != NULL:
            emit(log, EVENT_PASS, seat, 0, 0).name = EXCHANGE_NAME
        self._open(deal, log)

    cdef void exchange(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        """One of three goes under the stock, picked blindly; the stock's top card comes to the hand."""
        cdef Own* own = own_of(deal)
        cdef int seat = deal.asked
        cdef int month = (action - ACTION_TAIL) // 5
        cdef int kept = (action - ACTION_TAIL) % 5
        cdef uint64_t before = deal.hand[seat]
        cdef uint64_t laid = before & <uint64_t>15 << 4 * month
        cdef int given, drawn, i
        if kept:
            laid ^= bit(4 * month + kept - 1)
        for i in range(pick(key, deal.month, deal.attempt, own.exchanges[0] + own.exchanges[1] + 1, 3)):
            laid &= laid - 1
        given = lowest(laid)
        drawn = deal.deck[deal.top]
        memmove(&deal.deck[deal.top], &deal.deck[deal.top + 1], deal.end - deal.top - 1)
        deal.deck[deal.end - 1] = <uint8_t>given
        deal.hand[seat] ^= bit(given) | bit(drawn)
        own.exchanges[seat] += 1
        log_value(log, EVENT_EXCHANGE, seat, bit(given), 0, month + 1)
        log_event(log, EVENT_STOCK, seat, bit(drawn), 0)
        if whole_months(deal.hand[seat]) & ~before or is_four_pairs(deal.hand[seat]):
            own.course.passed &= <uint8_t>~(1 << seat)
        self.ask_dealt_hands(deal, log)

    # The end of a turn

    cdef bint _counts_others(self, const Deal* deal, uint64_t pile) noexcept nogil:
        return own_of(deal).cup_void

    cdef void _settle(self, Deal* deal, Log* log) noexcept nogil:
        """A yaku made in the turn asks the seat, a rain the other seat; after the month's last card it is a stop."""
        cdef int seat = deal.asked
        cdef bint rain
        cdef uint32_t made = self.made_in_turn(deal)
        if self.kasu_every_turn and row_value(&self.yaku.rows[KASU], deal.pile[seat]):
            made |= <uint32_t>1 << KASU     # koikoi45 R4
        rain = deal.gained & rain_man and self.rains_on_cup(deal)
        if not made and not rain:
            self.pass_turn(deal, log)
            return
        self.log_rows(deal, seat, made, EVENT_YAKU, log)
        if rain:
            log_event(log, EVENT_RAIN, seat, rain_man, 0)
            own_of(deal).rain = 1
            deal.asked = <int8_t>(1 - seat)
        if deal.hand[0] or deal.hand[1]:
            deal.phase = PHASE_SETTLE
        else:
            self._stop(deal, log)

    cdef bint rains_on_cup(self, const Deal* deal) noexcept nogil:
        """Whether the pile held a cup yaku when the rain man came: with the hand card, or with the turned one."""
        cdef uint64_t before = deal.pile[deal.asked] ^ deal.gained
        cdef int i
        if not course(deal).by_hand & rain_man:
            before |= course(deal).by_hand
        for i in range(FIRST_CUP, LAST_CUP + 1):
            if row_value(&self.yaku.rows[i], before):
                return not own_of(deal).cup_void
        return False

    cdef int turn_of(self, const Deal* deal) noexcept nogil:
        """The seat whose turn it is while one is asked to stop or go on."""
        return 1 - deal.asked if own_of(deal).rain else deal.asked

    cdef void _stop(self, Deal* deal, Log* log) noexcept nogil:
        """The asked seat wins the pile of the seat whose turn it is, times the multiplier."""
        self.win_pile(deal, self.turn_of(deal), 0, multiplier_of(deal), log)

    cdef void _koi(self, Deal* deal, Log* log) noexcept nogil:
        cdef Own* own = own_of(deal)
        cdef int32_t values[MAX_YAKU]
        cdef int turn = self.turn_of(deal)
        deal.koi[deal.asked] += 1
        own.doublings += 1
        if log != NULL:
            add_value(emit(log, EVENT_KOI, deal.asked, 0, 0), self.worth(deal, deal.pile[turn], values))
        own.cup_void |= own.rain
        own.rain = 0
        deal.asked = <int8_t>turn
        self.pass_turn(deal, log)

    # What a seat may know

    cdef void _mask(self, Deal* deal, const Deal* full, int seat) noexcept nogil:
        cdef int place
        own_of(deal).closed &= <uint8_t>(1 << seat) if seat >= 0 else 0
        for place in range(first_given(deal), deal.end):
            if place >= deal.top and given_by(deal, place) == seat:
                deal.deck[place] = full.deck[place]
        Matching._mask(self, deal, full, seat)

    cdef void _suspect(self, Deal* deal, int seat) noexcept nogil:
        """A seat that can still exchange will be asked before the dealer plays."""
        Matching._suspect(self, deal, seat)
        if seat >= 0 and deal.phase == PHASE_PLAY and self.is_untouched(deal) and can_exchange(deal, seat):
            deal.waiting = True

    cdef void _zones(self, const Deal* deal, View* view) noexcept nogil:
        cdef ZoneRow* bottom
        cdef int place
        Matching._zones(self, deal, view)
        bottom = add_zone(view, ZONE_BOTTOM, -1, 0)
        for place in range(first_given(deal), deal.end):
            if deal.deck[place] != NO_CARD:
                know(bottom, deal.deck[place])
        bottom.count = bottom.known
        if not bottom.count:
            view.zone_count -= 1

    cdef CounterRow* _counters(self, const Deal* deal, CounterRow* row) noexcept nogil:
        cdef int seat
        row = Matching._counters(self, deal, row)
        for seat in range(2):
            row = add_counter(row, COUNTER_EXCHANGES, seat, own_of(deal).exchanges[seat])
        row = add_counter(row, COUNTER_MULTIPLIER, -1, multiplier_of(deal))
        row = add_counter(row, COUNTER_CUP_VOID, -1, own_of(deal).cup_void)
        return row

    cdef int _restore(self, Deal* deal, observation, dict counters) except -1:
        """Events may reach back to the viewer's last decision alone; zones and counters hold what matters longer."""
        cdef Own* own = own_of(deal)
        cdef int viewer = observation.seat
        cdef int seat
        own.doublings = in_range("the multiplier", counters["multiplier", -1], 1, 1 << 31).bit_length() - 1
        own.cup_void = within(counters, "cup_void", -1, 1)
        for seat in range(2):
            own.exchanges[seat] = within(counters, "exchanges", seat, MAX_EXCHANGES)
        if first_given(deal) < self.dealt_cards:
            raise ObservationError("there were more exchanges than the stock has cards")
        last = next(reversed(observation.events), None)
        own.rain = deal.phase == PHASE_SETTLE and last is not None and last.kind == "rain"
        is_playing = deal.phase == PHASE_PLAY and observation.legal
        if viewer >= 0:
            if is_playing or any(event.kind == "pass" and event.name == EXCHANGE for event in observation.events):
                own.closed = <uint8_t>(1 << viewer)
            if own.exchanges[0] or own.exchanges[1] or own.closed or deal.phase == PHASE_EXCHANGE:
                own.course.passed = <uint8_t>(1 << viewer)
        restore_bottom(deal, observation)
        restore_played(deal, observation.events, self.dealt_cards)
        Matching._restore(self, deal, observation, counters)
        if deal.phase == PHASE_DEALT_HAND:
            course(deal).passed = 0
        return 0

    cdef bytes _pack_own(self, const Deal* deal):
        cdef Own* own = own_of(deal)
        hidden = (own.course.passed, own.closed, own.exchanges[0], own.exchanges[1])
        return bytes([*hidden, own.doublings, own.rain, own.cup_void]) + own.course.by_hand.to_bytes(8, "little")

    # What the other seat may hold and have answered

    cdef void _constrain_sample(self, Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
        own_of(deal).lenient = choose(rng, LENIENT_TRIES) == 0

    cdef bint _validate_sample(self, Deal* deal, int seat, Log* log) noexcept nogil:
        cdef int other
        for other in range(2):
            if other != seat and not own_of(deal).lenient and not can_have_exchanged(deal, other):
                return False
        if not self.is_untouched(deal):
            return True
        if deal.waiting:
            return self.ask_in_secret(deal, 1 - seat)
        self.assume_passed(deal, seat, log)
        return True

    cdef bint ask_in_secret(self, Deal* deal, int seat) noexcept nogil:
        """Ask the seat what it can be asked, as the other (who knows that it is) can tell; False when nothing."""
        cdef Own* own = own_of(deal)
        cdef int viewer = 1 - seat
        cdef bint is_first = seat == deal.dealer        # to be asked for its dealt hand; the last to exchange
        cdef bint has_answered = own.course.passed >> viewer & 1
        cdef bint is_asked_later = self.is_to_be_asked(deal, viewer)
        if not own.closed >> viewer & 1 and not own.exchanges[0] and not own.exchanges[1]:
            if self.is_to_be_asked(deal, seat) and not (has_answered if is_first else is_asked_later):
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
        if own.exchanges[seat] < MAX_EXCHANGES and threes(deal.hand[seat]):
            deal.phase = PHASE_EXCHANGE
            return True
        own.course.passed = <uint8_t>(1 << viewer)
        deal.phase = PHASE_DEALT_HAND
        return own.exchanges[seat] > 0 and self._dealt_hand(deal.hand[seat]) != 0

    cdef void assume_passed(self, Deal* deal, int seat, Log* log) noexcept nogil:
        """The other seats have declined what they were asked before this question of the seat, or before play."""
        cdef Own* own = own_of(deal)
        cdef int other
        cdef bint is_opened = deal.phase != PHASE_DEALT_HAND or own.exchanges[seat]
        for other in range(2):
            if other == seat:
                continue
            if (is_opened or other == deal.dealer) and self.is_to_be_asked(deal, other):
                log_event(log, EVENT_PASS, other, 0, 0)
            if is_opened or other == deal.dealer:
                own.course.passed |= <uint8_t>(1 << other)
            if deal.phase == PHASE_PLAY or (is_opened and other != deal.dealer):
                if can_exchange(deal, other) and log != NULL:
                    emit(log, EVENT_PASS, other, 0, 0).name = EXCHANGE_NAME
                own.closed |= <uint8_t>(1 << other)
        if deal.phase == PHASE_PLAY:
            own.course.passed = own.closed = 3


cdef bint can_exchange(const Deal* deal, int seat) noexcept nogil:
    return not own_of(deal).closed >> seat & 1 and threes(deal.hand[seat]) != 0


cdef bint can_have_exchanged(const Deal* deal, int seat) noexcept nogil:
    """Whether the hand that the seat had after its exchanges can have come of giving the cards that it gave.

    A hand that is not known whole, because older events are not, may have.
    """
    cdef uint64_t hand = deal.hand[seat] | own_of(deal).played[seat]
    cdef uint8_t held[LAST_MONTH]
    cdef uint8_t given[2 * MAX_EXCHANGES]
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
    """Take exchanges back, the last first: some card goes back to the stock, and two others of the given one's month
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


cdef int restore_bottom(Deal* deal, observation) except -1:
    """What the viewer itself has put under the stock, and has not been turned."""
    cdef int place = first_given(deal)
    cards = [card for zone in observation.zones if zone.kind == "bottom" for card in zone.cards]
    cards_mask(cards, CARDS)
    for card in cards:
        while place < deal.end and (place < deal.top or given_by(deal, place) != observation.seat):
            place += 1
        if place == deal.end:
            raise ObservationError(f"{cards} are more than seat {observation.seat} has put under the stock")
        deal.deck[place] = card
        place += 1
    return 0


cdef int restore_played(Deal* deal, events, int place) except -1:
    """What has left hands and, from its first place on, the stock since the events begin.

    A hand of eight is known when they begin with the deal.
    """
    for event in events:
        if event.kind == "turn" and place < deal.top:
            deal.deck[place] = only_card(event)
            place += 1
        elif event.kind == "play" and event.seat in (0, 1):
            own_of(deal).played[<int>event.seat] |= bit(only_card(event))
    return 0


cdef int only_card(event) except -1:
    """The one card that an event is about."""
    cdef uint64_t mask = cards_mask(event.cards, CARDS)
    if popcount(mask) != 1:
        raise ObservationError(f"the event {event} is about one card")
    return lowest(mask)


VARIANT = KoiKoi45
