# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Competition koi-koi (``kyogi``), two seats."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from core_ext.cards import parse_card
from core_ext.errors import ObservationError
from core_ext.variants.kyogi_table import CUP_YAKU, DEALT_HANDS, GINMI, INFO, KOBIKI, YAKU

from core_ext.cards cimport (
    ANIMALS_MASK, CHAFF_MASK, LANES, LIGHTS_MASK, RIBBONS_MASK, bit, lowest, month_counts, popcount, whole_months,
)
from core_ext.events cimport (
    EVENT_DEALER, EVENT_DECLARE, EVENT_PAY, EVENT_SCORE, EVENT_STOP, EVENT_YAKU, Log, log_by_seat, log_total,
    log_value,
)
from core_ext.matching cimport Course, Matching, course
from core_ext.scoring cimport MAX_YAKU, row_value, rows_touched, rows_within
from core_ext.table cimport (
    ENDED_DECLARE, ENDED_RUN_OUT, ENDED_SAFEGUARD, ENDED_STOP, OWN_WORDS, PHASE_PLAY, PHASE_SETTLE, Deal,
)
from core_ext.variant cimport FIRST_YAKU_NAME, Variant
from core_ext.zones cimport COUNTER_MONTHS_WON, COUNTER_SEASON_WON, CounterRow, add_counter

cdef enum:
    SEASON = 3                      # months
    YEAR = 12
    LAST_MONTH = YEAR + 8 * SEASON  # of the last added season (kyogi R4)
    LAST_ATTEMPT = 20               # kyogi R4
    SEASON_POINTS = 5
    YEAR_POINTS = 5
    NEEDED_IN_A_REPLAY = 3
    KASU = 17
    HANDS = 8
    KOBIKI_NAME = FIRST_YAKU_NAME + 18 + HANDS
    GINMI_NAME = KOBIKI_NAME + 1
    PATTERNS = 3 * 3 * 5            # by the number of fours, threes and pairs

assert YAKU[KASU].id == "kasu" and len(YAKU) == KASU + 1 and len(DEALT_HANDS) == HANDS
assert INFO.terms == (KOBIKI, GINMI)

cdef uint64_t willow = <uint64_t>15 << 40
cdef uint64_t crane = bit(parse_card("1L"))
cdef uint64_t cup = bit(parse_card("9A"))


cdef struct Own:
    Course course
    uint8_t won[2]          # months by seat, for the year's points
    uint8_t season[2]       # and in this season
    uint8_t tentative       # January's tentative dealer
    uint8_t searching       # January's field finds the dealer: no hand card was played in an earlier deal of it


assert sizeof(Own) <= 8 * OWN_WORDS


cdef inline Own* own_of(const Deal* deal) noexcept nogil:
    return <Own*>deal.own


@cython.final
cdef class Kyogi(Matching):
    """The rules of ``kyogi``."""

    cdef uint8_t hand_by_pattern[PATTERNS]
    cdef int hand_points[HANDS + 1]

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats, YAKU, hand_cards=8, field_cards=8, rained_off=CUP_YAKU)
        self.last_month = LAST_MONTH
        self.last_attempt = LAST_ATTEMPT
        for number, (_, _, points, patterns) in enumerate(DEALT_HANDS, 1):
            self.hand_points[<int>number] = points
            for pattern in patterns:
                index = pattern_index(pattern.count(4), pattern.count(3), pattern.count(2))
                self.hand_by_pattern[<int>index] = number

    # The deal

    cdef void _start(self, Deal* deal) noexcept nogil:
        own_of(deal).tentative = deal.dealer
        own_of(deal).searching = deal.month == 1 and deal.attempt == 0

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        cdef Own* own = own_of(deal)
        cdef const uint8_t* field
        self.deal_cards(deal)
        if own.searching:
            field = &deal.deck[deal.top - self.field_cards]
            deal.dealer = own.tentative if worth_of_four(field) >= worth_of_four(field + 4) else 1 - own.tentative
        self.log_deal(deal, log)
        if own.searching:
            log_value(log, EVENT_DEALER, deal.dealer, 0, 0, own.tentative)
        self.ask_dealt_hands(deal, log)

    # Dealt hands

    cdef int _dealt_hand(self, uint64_t hand) noexcept nogil:
        """By how many cards of each month the hand holds; the patterns exclude each other."""
        cdef uint64_t held = month_counts(hand)
        cdef int threes = popcount(held & held >> 1 & LANES)
        cdef int pairs = popcount(held & LANES << 1) - threes
        return self.hand_by_pattern[pattern_index(popcount(held & LANES << 2), threes, pairs)]

    cdef void _declare(self, Deal* deal, int action, Log* log) noexcept nogil:
        """It is seen at once; the other seat is asked before it is settled (kyogi R1)."""
        cdef int seat = deal.asked
        cdef int hand = self._dealt_hand(deal.hand[seat])
        deal.shown[seat] = deal.hand[seat]
        self.log_hand(EVENT_DECLARE, seat, deal.shown[seat], hand, self.hand_points[hand], log)
        self.ask_dealt_hands(deal, log)

    cdef void _open(self, Deal* deal, Log* log) noexcept nogil:
        if course(deal).declared:
            self.settle_declared(deal, log)
        elif whole_months(deal.field):
            self._run_out(deal, log)
        else:
            self.begin_play(deal)

    cdef void settle_declared(self, Deal* deal, Log* log) noexcept nogil:
        """The dearer hand wins what it is worth more."""
        cdef int hands[2]
        cdef int points[2]
        cdef int seat
        for seat in range(2):
            hands[seat] = self._dealt_hand(deal.hand[seat]) if course(deal).declared >> seat & 1 else 0
            points[seat] = self.hand_points[hands[seat]]
        if points[0] == points[1]:
            self._run_out(deal, log)
            return
        seat = points[1] > points[0]
        self.log_hand(EVENT_SCORE, seat, 0, hands[seat], points[seat], log)
        log_total(log, seat, points[seat], -points[1 - seat], 1, 0)
        self.win(deal, ENDED_DECLARE, seat, points[seat] - points[1 - seat], log)

    # The end of a turn

    cdef bint _counts_others(self, const Deal* deal, uint64_t pile) noexcept nogil:
        """In the rain, before the sun has risen."""
        return pile & willow and not pile & crane

    cdef void _settle(self, Deal* deal, Log* log) noexcept nogil:
        cdef uint32_t reasons = 0
        if deal.gained:
            reasons = self.reasons_to_stop(deal)
        if not reasons:
            self.pass_turn(deal, log)
            return
        self.log_rows(deal, deal.asked, reasons, EVENT_YAKU, log)
        deal.phase = PHASE_SETTLE

    cdef uint32_t reasons_to_stop(self, const Deal* deal) noexcept nogil:
        """The rows, as bits, that were made and valid at a landing of this turn and are valid at its end."""
        cdef int32_t values[MAX_YAKU]
        cdef uint64_t after = deal.pile[deal.asked]
        cdef uint64_t before = after ^ deal.gained
        cdef uint64_t by_hand = course(deal).by_hand
        cdef uint32_t at_hand = self.grown(before, by_hand)
        cdef uint32_t at_turn = self.grown(before | by_hand, deal.gained ^ by_hand)
        cdef int points
        if at_hand:
            self.worth(deal, before | by_hand, values)
            at_hand &= rows_of(values)
        if not at_hand | at_turn:
            return 0
        points = self.worth(deal, after, values)
        at_hand = (at_hand | at_turn) & rows_of(values)
        if after & cup and popcount(after & CHAFF_MASK) == self.yaku.rows[KASU].need - 1:
            at_hand &= ~(<uint32_t>1 << KASU)
            points -= values[KASU]
        if deal.attempt and points < NEEDED_IN_A_REPLAY:
            return 0
        return at_hand

    cdef uint32_t grown(self, uint64_t before, uint64_t gained) noexcept nogil:
        """The rows, as bits, whose cards a landing completed or added to, whatever else counts."""
        cdef uint32_t touched = rows_touched(&self.yaku, gained) & rows_within(&self.yaku, before | gained)
        cdef uint32_t found = 0
        cdef int value
        while touched:
            value = row_value(&self.yaku.rows[lowest(touched)], before | gained)
            if value and value > row_value(&self.yaku.rows[lowest(touched)], before):
                found |= touched & -touched
            touched &= touched - 1
        return found

    cdef void _stop(self, Deal* deal, Log* log) noexcept nogil:
        cdef int32_t values[MAX_YAKU]
        cdef int seat = deal.asked
        cdef int64_t points = self.worth(deal, deal.pile[seat], values)
        log_value(log, EVENT_STOP, seat, 0, 0, points)
        self.log_rows(deal, seat, ~<uint32_t>0, EVENT_SCORE, log)
        self.win(deal, ENDED_STOP, seat, points, log)

    # The end of a deal

    cdef void win(self, Deal* deal, int ended, int seat, int64_t points, Log* log) noexcept nogil:
        """A month won, once however often it was replayed (kyogi R5), and a season with its third (kyogi R3)."""
        cdef Own* own = own_of(deal)
        own.won[seat] += 1
        own.season[seat] += 1
        deal.score[seat] = points
        if own.season[seat] == SEASON:
            deal.score[seat] += SEASON_POINTS
            self.log_bonus(seat, KOBIKI_NAME, SEASON_POINTS, log)
        self.close(deal, ended, seat, log)

    cdef void _run_out(self, Deal* deal, Log* log) noexcept nogil:
        self.close(deal, ENDED_SAFEGUARD if deal.attempt == LAST_ATTEMPT else ENDED_RUN_OUT, -1, log)

    cdef void close(self, Deal* deal, int ended, int winner, Log* log) noexcept nogil:
        cdef int best
        self.end_deal(deal, ended, winner, log)
        if self._is_last(deal) and deal.balance[0] != deal.balance[1]:
            best = deal.balance[1] > deal.balance[0]
            self.log_bonus(best, GINMI_NAME, self.ginmi(deal, best), log)

    cdef void log_bonus(self, int seat, int name, int points, Log* log) noexcept nogil:
        cdef int64_t paid[2]
        paid[seat] = points
        paid[1 - seat] = 0
        log_by_seat(log, EVENT_PAY, seat, name, paid, 2)

    cdef int ginmi(self, const Deal* deal, int seat) noexcept nogil:
        return YEAR_POINTS + own_of(deal).won[seat]

    cdef void _results(self, const Deal* deal, int64_t* results) noexcept nogil:
        cdef int best = deal.balance[1] > deal.balance[0]
        Matching._results(self, deal, results)
        if results[0] != results[1]:
            results[best] += self.ginmi(deal, best)

    # From deal to deal

    cdef bint _is_last(self, const Deal* deal) noexcept nogil:
        if deal.ended == ENDED_RUN_OUT or deal.month < YEAR or deal.month % SEASON:
            return False
        return deal.balance[0] != deal.balance[1] or deal.month == LAST_MONTH

    cdef bint _is_cut_short(self, const Deal* deal) noexcept nogil:
        return deal.balance[0] == deal.balance[1]

    cdef void _next(self, Deal* deal) noexcept nogil:
        cdef Own* own = own_of(deal)
        if deal.winner < 0:
            deal.dealer = 1 - deal.dealer
        own.searching = own.searching and deal.ended == ENDED_RUN_OUT and self.is_untouched(deal)
        own.tentative = 1 - own.tentative
        if deal.ended == ENDED_RUN_OUT:
            deal.attempt += 1
            return
        if deal.month % SEASON == 0:
            own.season[0] = own.season[1] = 0
        Variant._next(self, deal)

    # What a seat may know

    cdef void _suspect(self, Deal* deal, int seat) noexcept nogil:
        """No card can be played after a declaration, nor with four of a month on the field."""
        Matching._suspect(self, deal, seat)
        cdef bint runs_out = self.is_untouched(deal) and whole_months(deal.field) != 0
        if deal.phase == PHASE_PLAY and (course(deal).declared or runs_out):
            deal.waiting = True

    cdef CounterRow* _counters(self, const Deal* deal, CounterRow* row) noexcept nogil:
        cdef int seat
        row = Matching._counters(self, deal, row)
        for seat in range(2):
            row = add_counter(row, COUNTER_MONTHS_WON, seat, own_of(deal).won[seat])
        for seat in range(2):
            row = add_counter(row, COUNTER_SEASON_WON, seat, own_of(deal).season[seat])
        return row

    cdef int _restore(self, Deal* deal, observation, dict counters) except -1:
        cdef Own* own = own_of(deal)
        cdef int seat
        for seat in range(2):
            own.won[seat] = counters["months_won", seat]
            own.season[seat] = counters["season_won", seat]
        for event in observation.events:
            if event.kind == "dealer":
                if event.values not in ((0,), (1,)):
                    raise ObservationError(f"the event {event} names no tentative dealer")
                own.searching = 1
                own.tentative = event.values[0]
        return Matching._restore(self, deal, observation, counters)

    cdef bytes _pack_own(self, const Deal* deal):
        cdef Own* own = own_of(deal)
        hidden = (own.course.passed, own.course.declared)
        won = (own.won[0], own.won[1], own.season[0], own.season[1])
        return bytes([*hidden, *won, own.tentative, own.searching]) + own.course.by_hand.to_bytes(8, "little")


cdef int worth_of_four(const uint8_t* cards) noexcept nogil:
    """Four cards by what is compared in turn: their last digits, their months, the best kind, its earlier month."""
    cdef int digits = 0
    cdef int months = 0
    cdef int best = 0
    cdef int i, month
    for i in range(4):
        month = (cards[i] >> 2) + 1
        digits += month if month < 10 else 0
        months += month
        best = max(best, 16 * kind_of(cards[i]) + YEAR - month)
    return digits << 16 | months << 8 | best


cdef inline int kind_of(int card) noexcept nogil:
    if LIGHTS_MASK >> card & 1:
        return 3
    return 2 if ANIMALS_MASK >> card & 1 else <int>(RIBBONS_MASK >> card & 1)


cdef inline int pattern_index(int fours, int threes, int pairs) noexcept nogil:
    return 15 * fours + 5 * threes + pairs


cdef inline uint32_t rows_of(const int32_t* values) noexcept nogil:
    """The rows, as bits, that have a value."""
    cdef uint32_t found = 0
    cdef int i
    for i in range(KASU + 1):
        if values[i]:
            found |= <uint32_t>1 << i
    return found


VARIANT = Kyogi
