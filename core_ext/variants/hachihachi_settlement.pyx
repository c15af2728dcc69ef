# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""How a month of hachihachi ends, and what it pays."""
cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from core_ext.cards import CHAFF, cards_mask
from core_ext.variants.hachihachi_table import (
    BESIDE, BY_NUMBER, BY_POVERTY, FIELDS, INFO, MONEY, SPECIAL, TERMS, YAKU,
)

from core_ext.cards cimport bit, popcount, whole_months
from core_ext.events cimport (
    EVENT_CANCEL, EVENT_PAY, EVENT_SCORE, EVENT_STOP, EventRow, Log, add_value, emit,
)
from core_ext.matching cimport Matching, course
from core_ext.scoring cimport MAX_YAKU
from core_ext.table cimport ENDED_CANCEL, ENDED_DECLARE, ENDED_RUN_OUT, ENDED_STOP, OWN_WORDS, Deal
from core_ext.variant cimport FIRST_YAKU_NAME
from core_ext.variants.hachihachi_hands cimport WILLOW_MASK, has_dives, has_escape, threes_in
from core_ext.variants.hachihachi_hatto cimport ROWS, Blame, Month, judge, turn_card, turn_turned
from core_ext.variants.hachihachi_money cimport (
    EVERYBODY, PAR, Rate, card_points, compile_rates, difference_scores, pay, rated,
)

assert sizeof(Own) <= 8 * OWN_WORDS
assert [term for term, _ in TERMS] == [row.id for row in SPECIAL + BESIDE] + [term for term, _ in FIELDS + MONEY]
assert PAST_NAMES == FIRST_YAKU_NAME + len(YAKU) + len(INFO.dealt_hands) + len(TERMS)

cdef uint64_t ALL_CARDS = bit(48) - 1
cdef uint64_t dregs = cards_mask(CHAFF) | WILLOW_MASK      # 素十六 counts every willow card

hand_kan[0] = 0
for _number, _row in enumerate(BY_NUMBER + BY_POVERTY, 1):
    hand_kan[<int>_number] = _row.kan


cdef class Settlement(Matching):
    """The ends of a month; every one but the void is a list of payments."""

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats, YAKU, hand_cards=7, field_cards=6)
        compile_rates(self.rates, options["menu"])

    cdef void _stop(self, Deal* deal, Log* log) noexcept nogil:
        """All of the seat's yaku; another's 下げ pays them alone, and is paid half of its own."""
        cdef int32_t values[MAX_YAKU]
        cdef Blame blame
        cdef int seat = deal.asked
        cdef int sage = sage_of(deal)
        if log != NULL:
            add_value(emit(log, EVENT_STOP, seat, 0, 0), self._values(deal, seat, values))
        self.tell_rows(deal, seat, ~<uint32_t>0, EVENT_SCORE, log)
        self.judge_month(deal, &blame)
        self.pay_hands(deal, &blame, log)
        if sage < 0 or sage == seat:
            self.pay_captured(deal, seat, blame.payer[seat], 1, log)
        else:
            memset(blame.payer[seat], sage, ROWS)
            self.pay_captured(deal, seat, blame.payer[seat], 1, log)
            self.pay_captured(deal, sage, blame.payer[sage], 2, log)
        self.close_month(deal, ENDED_STOP, seat, log)

    @cython.final
    cdef void cancel(self, Deal* deal, int seat, Log* log) noexcept nogil:
        """A 下げ is cancelled: half of its yaku."""
        cdef int32_t values[MAX_YAKU]
        cdef Blame blame
        if log != NULL:
            add_value(emit(log, EVENT_CANCEL, seat, 0, 0), self._values(deal, seat, values))
        self.tell_rows(deal, seat, ~<uint32_t>0, EVENT_SCORE, log)
        self.judge_month(deal, &blame)
        self.pay_hands(deal, &blame, log)
        self.pay_captured(deal, seat, blame.payer[seat], 2, log)
        self.close_month(deal, ENDED_CANCEL, seat, log)

    @cython.final
    cdef void end_by_shiso(self, Deal* deal, int seat, Log* log) noexcept nogil:
        """A single 四三: the month's dealt hands are paid, and the year is over."""
        cdef Own* own = own_of(deal)
        cdef Blame nobody
        cdef int part, number
        nobody.dives = 0
        for part in range(2):
            number = hand_of_poverty(own.poverty[seat]) if part else own.number[seat]
            if number:
                self.tell_hand(EVENT_SCORE, seat, 0, number, hand_kan[number], log)
        self.pay_hands(deal, &nobody, log)
        self.end_deal(deal, ENDED_DECLARE, seat, log)

    cdef void _run_out(self, Deal* deal, Log* log) noexcept nogil:
        """Special yaku, and nothing beside them; else dealt hands, 抜け and card points."""
        cdef Own* own = own_of(deal)
        cdef Blame blame
        cdef int points[3]
        cdef int64_t differences[3]
        cdef int winner, seat, step
        for seat in range(3):
            points[seat] = card_points(deal.pile[seat])
            differences[seat] = 0
        winner = self.pay_special(deal, points, log)
        if winner >= 0:
            if course(deal).declared:
                self.book(deal, -1, FUKIKESHI, differences, log)
            self.close_month(deal, ENDED_RUN_OUT, winner, log)
            return
        blame.dives = 0
        if own.dives:
            self.judge_month(deal, &blame)
        self.pay_hands(deal, &blame, log)
        winner = deal.dealer
        for step in range(3):
            seat = (deal.dealer + step) % 3
            if points[seat] > points[winner]:
                winner = seat
            if points[seat] > PAR and has_escape(own.poverty[seat]):
                self.transfer(deal, seat, NUKE, rated(&self.rates[own.field], 1, 0), EVERYBODY, log)
        difference_scores(&self.rates[own.field], points, differences)
        self.book(deal, -1, CARD_POINTS, differences, log)
        self.close_month(deal, ENDED_RUN_OUT, winner, log)

    @cython.final
    cdef int pay_special(self, Deal* deal, const int* points, Log* log) noexcept nogil:
        """Pays 総八, 二八 and 素十六; the seat that deals next by them, or -1."""
        cdef int winner = -1
        cdef int seat, step, chaff
        if points[0] == PAR and points[1] == PAR and points[2] == PAR:
            winner = deal.dealer
            self.special(deal, winner, SOHACHI, 10, True, log)
        for step in range(3):
            seat = (deal.dealer + step) % 3
            chaff = popcount(deal.pile[seat] & dregs)
            if winner < 0 and (points[seat] >= 168 or chaff >= 16):
                winner = seat
            if points[seat] >= 168:
                self.special(deal, seat, FUTAHACHI, 10 + points[seat] - 168, seat == winner, log)
            if chaff >= 16:
                self.special(deal, seat, SUJUROKU, 12 + 2 * (chaff - 16), seat == winner, log)
        return winner

    @cython.final
    cdef void special(self, Deal* deal, int seat, int name, int kan, bint decides, Log* log) noexcept nogil:
        if log != NULL and decides:
            self.tell(EVENT_SCORE, seat, name, 0, kan, log)
        self.transfer(deal, seat, name, rated(&self.rates[own_of(deal).field], kan, 1), EVERYBODY, log)

    @cython.final
    cdef void close_month(self, Deal* deal, int ended, int next_dealer, Log* log) noexcept nogil:
        """The next dealer's point for the pot, and the end."""
        cdef int64_t stone[3]
        cdef int seat
        for seat in range(3):
            stone[seat] = -(seat == next_dealer)
        self.book(deal, next_dealer, POT, stone, log)
        own_of(deal).pot += 1
        self.end_deal(deal, ended, next_dealer, log)

    # Payments

    @cython.final
    cdef void judge_month(self, const Deal* deal, Blame* blame) noexcept nogil:
        """Who pays alone, by 法度 or for a 下げ. It needs the hands as they were dealt: those left and what was played."""
        cdef Own* own = own_of(deal)
        cdef Month played
        cdef uint64_t stock = 0
        cdef int seat, t
        played.turns = own.turns
        played.count = deal.top - self.dealt_cards
        played.dealer = deal.dealer
        for seat in range(3):
            played.hand[seat] = deal.hand[seat] | self.played_by(deal, seat)
            played.pile[seat] = 0
            played.threes[seat] = threes_in(played.hand[seat]) if has_dives(own.number[seat]) else 0
        for t in range(played.count):
            stock |= bit(turn_turned(own.turns[t]))
        for t in range(deal.top, deal.end):
            stock |= bit(deal.deck[t])
        played.field = ALL_CARDS & ~(stock | played.hand[0] | played.hand[1] | played.hand[2])
        played.pile[deal.dealer] = whole_months(played.field)
        played.field ^= played.pile[deal.dealer]
        judge(&self.yaku, &played, blame)

    @cython.final
    cdef uint64_t played_by(self, const Deal* deal, int seat) noexcept nogil:
        """What the seat has played from its hand."""
        cdef uint64_t cards = 0
        cdef int t = (seat - deal.dealer + 3) % 3
        while t < deal.top - self.dealt_cards:
            cards |= bit(turn_card(own_of(deal).turns[t]))
            t += 3
        return cards

    @cython.final
    cdef void pay_hands(self, Deal* deal, const Blame* blame, Log* log) noexcept nogil:
        """Pays dealt hands and 飛込み."""
        cdef Own* own = own_of(deal)
        cdef const Rate* rate = &self.rates[own.field]
        cdef int seat, part, number, i
        for seat in range(3):
            for part in range(2):
                number = own.number[seat] if part else hand_of_poverty(own.poverty[seat])
                if number:
                    self.transfer(deal, seat, FIRST_HAND + number, rated(rate, hand_kan[number], 1), EVERYBODY, log)
        for i in range(blame.dives):
            self.transfer(deal, blame.diver[i], TOBIKOMI, rated(rate, 1, 0), blame.dive_payer[i], log)

    @cython.final
    cdef void pay_captured(self, Deal* deal, int seat, const int8_t* payers, int divisor, Log* log) noexcept nogil:
        """Pays the seat its captured yaku, in full or, divided by 2, by half."""
        cdef int32_t values[MAX_YAKU]
        cdef const Rate* rate = &self.rates[own_of(deal).field]
        cdef int row
        self._values(deal, seat, values)
        for row in range(ROWS):
            if values[row]:
                self.transfer(
                    deal, seat, FIRST_YAKU_NAME + row, rated(rate, values[row], 1) // divisor, payers[row], log
                )

    @cython.final
    cdef void transfer(self, Deal* deal, int to, int name, int64_t points, int alone, Log* log) noexcept nogil:
        """Every other seat pays the points to a seat, or one alone pays for both."""
        cdef int64_t scores[3]
        scores[0] = scores[1] = scores[2] = 0
        pay(scores, to, points, alone)
        self.book(deal, to, name, scores, log)

    @cython.final
    cdef void book(self, Deal* deal, int to, int name, const int64_t* scores, Log* log) noexcept nogil:
        """Adds a payment to the month's scores."""
        cdef EventRow* row
        cdef int seat
        for seat in range(3):
            deal.score[seat] += scores[seat]
        if log != NULL:
            row = emit(log, EVENT_PAY, to, 0, 0)
            row.name = <uint8_t>name
            for seat in range(3):
                add_value(row, scores[seat])

    @cython.final
    cdef void tell(self, int kind, int seat, int name, uint64_t cards, int kan, Log* log) noexcept nogil:
        cdef EventRow* row = emit(log, kind, seat, cards, 0)
        row.name = <uint8_t>name
        add_value(row, kan)
