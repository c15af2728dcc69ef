# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Koi-koi with 45 cards (``koikoi45``), two seats."""
cimport cython
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memmove, memset

from core_ext.cards import parse_card
from core_ext.variants.koikoi45_table import CUP_YAKU, DEALT_HANDS, INFO, YAKU, rows

from core_ext.cards cimport LIGHTS_MASK, NO_CARD, bit, lowest, popcount, whole_months
from core_ext.events cimport (
    EVENT_EXCHANGE, EVENT_FIELD, EVENT_KOI, EVENT_PASS, EVENT_RAIN, EVENT_STOCK, EVENT_TAKE, EVENT_YAKU, Log, add_value,
    emit, log_event, log_value,
)
from core_ext.matching cimport Matching, course
from core_ext.notation cimport ACTION_PASS, ACTION_TAIL
from core_ext.rng cimport choose
from core_ext.scoring cimport MAX_YAKU, YakuTable, compile_yaku, pile_values, row_value, yaku_made
from core_ext.shuffle cimport PURPOSE_PICKS, Stream, below, open_stream
from core_ext.table cimport OWN_WORDS, PHASE_DEALT_HAND, PHASE_EXCHANGE, PHASE_SETTLE, Deal
from core_ext.variant cimport FIRST_YAKU_NAME
from core_ext.variants cimport koikoi45_views as views
from core_ext.variants.koikoi45_exchange cimport (
    EXCHANGE_NAME, HAND_CARDS, LAST_MONTH, MOST_EXCHANGES, Own, first_given, is_four_pairs, multiplier_of, own_of,
    threes,
)
from core_ext.zones cimport (
    COUNTER_CUP_VOID, COUNTER_EXCHANGES, COUNTER_MULTIPLIER, ZONE_BOTTOM, View, ZoneRow, add_counter, add_zone, know,
)

cdef enum:
    TESHI = 1
    NIKONIKO = 2
    FIRST_CUP = 4       # of the three rows that the rain can take away
    LAST_CUP = 6
    KASU = 12
    LENIENT_TRIES = 1 << 15     # a chain of exchanges too rare to be met by chance is left unexplained once in so many

assert tuple(row.id for row in YAKU[FIRST_CUP:LAST_CUP + 1]) == CUP_YAKU
assert sizeof(Own) <= 8 * OWN_WORDS
assert YAKU[KASU].id == "kasu"
assert DEALT_HANDS == ("teshi", "nikoniko")
assert EXCHANGE_NAME == FIRST_YAKU_NAME + len(YAKU) + len(DEALT_HANDS)

cdef uint64_t rain_man = bit(parse_card("11L"))


@cython.final
cdef class KoiKoi45(Matching):
    """The rules of ``koikoi45``."""

    cdef YakuTable dry_yaku         # after a rain: without the cup yaku
    cdef int births[LAST_MONTH + 1]         # how many seats were born in each month
    cdef int hand_points[NIKONIKO + 1]
    cdef bint kasu_every_turn

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats, rows(options), hand_cards=HAND_CARDS, field_cards=8)
        self.last_month = LAST_MONTH
        compile_yaku(&self.dry_yaku, rows(options, off=CUP_YAKU))
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
        """Asks the next seat that can exchange; when there is none, the dealer plays."""
        cdef Own* own = own_of(deal)
        cdef int seat = 1 - deal.dealer
        cdef int i
        own.course.passed = 3
        for i in range(2):
            if not own.closed >> seat & 1:
                if own.exchanges[seat] < MOST_EXCHANGES and threes(deal.hand[seat]):
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
        cdef int given, drawn
        if kept:
            laid ^= bit(4 * month + kept - 1)
        given = self.pick(deal, key, laid)
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

    cdef int pick(self, const Deal* deal, const uint8_t* key, uint64_t laid) noexcept nogil:
        """One of the cards, by the chance that this exchange of the attempt has."""
        cdef Own* own = own_of(deal)
        cdef Stream stream
        cdef int place = 0
        cdef int i
        open_stream(&stream, key, deal.month, deal.attempt, PURPOSE_PICKS)
        for i in range(own.exchanges[0] + own.exchanges[1] + 1):
            place = <int>below(&stream, 3)
        for i in range(place):
            laid &= laid - 1
        return lowest(laid)

    # The end of a turn

    cdef const YakuTable* table(self, const Deal* deal) noexcept nogil:
        return &self.dry_yaku if own_of(deal).cup_void else &self.yaku

    cdef int _values(self, const Deal* deal, int seat, int32_t* values) noexcept nogil:
        return pile_values(self.table(deal), deal.pile[seat], values)

    cdef void _settle(self, Deal* deal, Log* log) noexcept nogil:
        """A yaku made in the turn asks the seat, a rain the other seat; after the month's last card it is a stop."""
        cdef int seat = deal.asked
        cdef bint rain
        cdef uint32_t made = 0
        if deal.gained:
            made = yaku_made(self.table(deal), deal.pile[seat] ^ deal.gained, deal.gained)
        if self.kasu_every_turn and row_value(&self.yaku.rows[KASU], deal.pile[seat]):
            made |= <uint32_t>1 << KASU     # koikoi45 R4
        rain = deal.gained & rain_man and self.is_rained_on(deal)
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

    cdef bint is_rained_on(self, const Deal* deal) noexcept nogil:
        """Whether the pile held a cup yaku when the rain man came: with the hand card, or with the turned one."""
        cdef uint64_t before = deal.pile[deal.asked] ^ deal.gained
        cdef const YakuTable* table = self.table(deal)
        cdef int i
        if not course(deal).by_hand & rain_man:
            before |= course(deal).by_hand
        for i in range(FIRST_CUP, LAST_CUP + 1):
            if row_value(&table.rows[i], before):
                return True
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
            add_value(emit(log, EVENT_KOI, deal.asked, 0, 0), self._values(deal, turn, values))
        own.cup_void |= own.rain
        own.rain = 0
        deal.asked = <int8_t>turn
        self.pass_turn(deal, log)

    # What a seat may know

    cdef void _veil(self, Deal* deal, const Deal* full, int seat) noexcept nogil:
        views.veil(deal, full, seat)
        Matching._veil(self, deal, full, seat)

    cdef void _suspect(self, Deal* deal, int seat) noexcept nogil:
        """A seat that can still exchange will be asked before the dealer plays."""
        Matching._suspect(self, deal, seat)
        if views.is_sure_to_be_asked(self, deal, seat):
            deal.waiting = True

    cdef void _arrange(self, Deal* deal, int seat, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
        own_of(deal).lenient = choose(rng, LENIENT_TRIES) == 0

    cdef bint _accept(self, Deal* deal, int seat, Log* log) noexcept nogil:
        return views.accept(self, deal, seat, log)

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

    cdef void _counters(self, const Deal* deal, View* view) noexcept nogil:
        cdef int seat
        Matching._counters(self, deal, view)
        for seat in range(2):
            add_counter(view, COUNTER_EXCHANGES, seat, own_of(deal).exchanges[seat])
        add_counter(view, COUNTER_MULTIPLIER, -1, multiplier_of(deal))
        add_counter(view, COUNTER_CUP_VOID, -1, own_of(deal).cup_void)

    cdef int _restore(self, Deal* deal, observation) except -1:
        views.restore(self, deal, observation)
        Matching._restore(self, deal, observation)
        if deal.phase == PHASE_DEALT_HAND:
            course(deal).passed = 0
        return 0

    cdef bytes _pack_own(self, const Deal* deal):
        cdef Own* own = own_of(deal)
        hidden = (own.course.passed, own.closed, own.exchanges[0], own.exchanges[1])
        return bytes([*hidden, own.doublings, own.rain, own.cup_void]) + own.course.by_hand.to_bytes(8, "little")


VARIANT = KoiKoi45
