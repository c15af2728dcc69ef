# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Coral flower (``sangohana``), two to four seats: a rummy of three cards of one kind and five of another."""
cimport cython
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t

from core_ext.variants.sangohana_table import INFO

from core_ext.cards cimport NO_CARD, bit, lowest
from core_ext.events cimport EVENT_DISCARD, EVENT_PASS, EVENT_STOCK, EVENT_TAKE, Log, log_event
from core_ext.table cimport (
    ENDED_RUN_OUT, ENDED_SAFEGUARD, ENDED_WIN, PHASE_CLAIM, PHASE_DISCARD, PHASE_DRAW, Deal, after, take_cards,
)
from core_ext.variant cimport Variant
from core_ext.variants cimport sangohana_views as views
from core_ext.variants.sangohana_hands cimport HandRules, compile_hands, is_hand
from core_ext.variants.sangohana_settlement cimport (
    HAND_CARDS, LAST_TURN, MONTHS, Own, before, in_turn, is_first_round, last_discard, own, pay_run_out, pay_win,
    pot_of, share_last_pot,
)
from core_ext.zones cimport (
    COUNTER_AS_DEALT, COUNTER_POT, COUNTER_RUN_OUTS, COUNTER_TURNS, ZONE_DISCARD, View, ZoneRow, add_counter, add_zone,
    know,
)

cdef enum:
    ACTION_DRAW
    ACTION_TAKE
    ACTION_PASS
    ACTION_WIN
    ACTION_DISCARD      # + card

cdef enum:
    WON_BY_DRAWING = 15         # added in one's first turn: 福上がり
    WON_AS_DEALT = 12           # added for a discard of the first round: 福当たり
    WON_CHANGED = 10


@cython.final
cdef class Sangohana(Variant):
    """The rules of ``sangohana``."""

    cdef HandRules hands

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats)
        self.last_month = MONTHS
        compile_hands(&self.hands, options)

    # The deal

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        cdef Own* mine = own(deal)
        cdef int seat
        for seat in range(deal.seats):
            deal.hand[seat] = take_cards(deal, HAND_CARDS)
        mine.turns = mine.took = mine.discarded = 0
        mine.known = mine.suspects = 0
        mine.fresh = NO_CARD
        mine.as_dealt = <uint8_t>((1 << deal.seats) - 1)
        deal.phase = PHASE_DRAW
        self.log_deal(deal, log)

    # What can be done, phase by phase

    cdef int _legal(self, const Deal* deal, uint16_t* out) noexcept nogil:
        if deal.phase == PHASE_DISCARD:
            return self.legal_discards(deal, out)
        if deal.phase == PHASE_DRAW:
            out[0] = ACTION_DRAW
            out[1] = ACTION_TAKE
            return 2 if own(deal).turns else 1
        if deal.phase == PHASE_CLAIM:
            out[0] = ACTION_PASS
            out[1] = ACTION_WIN
            return 2
        return 0

    cdef int legal_discards(self, const Deal* deal, uint16_t* out) noexcept nogil:
        """Any card but one just taken (sangohana R1); and the win, if drawing has made a hand."""
        cdef uint64_t cards = deal.hand[deal.asked]
        cdef int n = 0
        if own(deal).took:
            cards ^= bit(own(deal).fresh)
        elif is_hand(&self.hands, cards):
            out[0] = ACTION_WIN
            n = 1
        while cards:
            out[n] = <uint16_t>(ACTION_DISCARD + lowest(cards))
            n += 1
            cards &= cards - 1
        return n

    cdef void _apply(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        if deal.phase == PHASE_DISCARD:
            self.apply_discard(deal, action, log)
        elif deal.phase == PHASE_DRAW:
            self.apply_draw(deal, action, log)
        elif deal.phase == PHASE_CLAIM:
            self.apply_claim(deal, action, log)

    cdef void apply_draw(self, Deal* deal, int action, Log* log) noexcept nogil:
        cdef Own* mine = own(deal)
        cdef int seat = deal.asked
        if mine.turns >= deal.seats:
            mine.as_dealt = 0
        mine.took = action == ACTION_TAKE
        if mine.took:
            mine.fresh = self.lift_discard(deal)
            deal.shown[seat] |= bit(mine.fresh)
        else:
            mine.fresh = deal.deck[deal.top]
            deal.top += 1
        deal.hand[seat] |= bit(mine.fresh)
        deal.phase = PHASE_DISCARD
        log_event(log, EVENT_TAKE if mine.took else EVENT_STOCK, seat, bit(mine.fresh), 0)

    cdef inline uint8_t lift_discard(self, Deal* deal) noexcept nogil:
        cdef uint8_t card = last_discard(deal)
        own(deal).discarded -= 1
        deal.field ^= bit(card)
        return card

    cdef void apply_discard(self, Deal* deal, int action, Log* log) noexcept nogil:
        cdef Own* mine = own(deal)
        cdef int seat = deal.asked
        cdef int card = action - ACTION_DISCARD
        if action == ACTION_WIN:
            self.win(deal, WON_BY_DRAWING if mine.turns < deal.seats else 0, 0, log)
            return
        deal.hand[seat] ^= bit(card)
        deal.shown[seat] &= ~bit(card)
        deal.field |= bit(card)
        mine.discards[mine.discarded] = <uint8_t>card
        mine.discarded += 1
        mine.turns += 1
        if card != mine.fresh:
            mine.as_dealt &= ~<uint8_t>(1 << seat)
        mine.fresh = NO_CARD
        mine.took = False
        log_event(log, EVENT_DISCARD, seat, bit(card), 0)
        self.ask_for_claim(deal, after(deal, seat), log)

    cdef void ask_for_claim(self, Deal* deal, int seat, Log* log) noexcept nogil:
        """Asks the first seat from this one on whose hand the discard completes; if there is none, play goes on."""
        cdef int next_seat = in_turn(deal)
        cdef int discarder = before(deal, next_seat)
        cdef uint64_t discard = bit(last_discard(deal))
        while seat != discarder:
            if is_hand(&self.hands, deal.hand[seat] | discard):
                deal.asked = <int8_t>seat
                deal.phase = PHASE_CLAIM
                return
            seat = after(deal, seat)
        if deal.top == deal.end:
            self.run_out(deal, ENDED_RUN_OUT, log)
        elif own(deal).turns == LAST_TURN:
            self.run_out(deal, ENDED_SAFEGUARD, log)
        else:
            deal.asked = <int8_t>next_seat
            deal.phase = PHASE_DRAW

    cdef void apply_claim(self, Deal* deal, int action, Log* log) noexcept nogil:
        cdef int seat = deal.asked
        cdef int added = 0
        cdef uint64_t discard
        if action == ACTION_PASS:
            log_event(log, EVENT_PASS, seat, 0, 0)
            self.ask_for_claim(deal, after(deal, seat), log)
            return
        if is_first_round(deal):
            added = WON_AS_DEALT if own(deal).as_dealt >> seat & 1 else WON_CHANGED
        discard = bit(self.lift_discard(deal))
        deal.hand[seat] |= discard
        self.win(deal, added, discard, log)

    # The end of a month

    cdef void win(self, Deal* deal, int added, uint64_t discard, Log* log) noexcept nogil:
        pay_win(&self.hands, deal, added, discard, log)
        self.end_deal(deal, ENDED_WIN, deal.asked, log)

    cdef void run_out(self, Deal* deal, int ended, Log* log) noexcept nogil:
        pay_run_out(deal, log)
        self.end_deal(deal, ended, -1, log)

    cdef void _results(self, const Deal* deal, int64_t* results) noexcept nogil:
        cdef int seat
        share_last_pot(deal, results)
        for seat in range(deal.seats):
            results[seat] += deal.balance[seat]

    # What a seat may know

    cdef void _face(self, const Deal* deal, uint8_t* phase, int8_t* asked) noexcept nogil:
        """A claim is asked for in secret: for the others the next seat draws, even where there is no next turn."""
        phase[0] = PHASE_DRAW if deal.phase == PHASE_CLAIM else deal.phase
        asked[0] = <int8_t>in_turn(deal) if deal.phase == PHASE_CLAIM else deal.asked

    cdef void _veil(self, Deal* deal, const Deal* full, int seat) noexcept nogil:
        views.veil(&self.hands, deal, full, seat)

    cdef void _arrange(self, Deal* deal, int seat, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
        views.arrange(deal, unseen, count, rng)

    cdef bint _accept(self, Deal* deal, int seat, Log* log) noexcept nogil:
        return views.accept(&self.hands, deal, seat, log)

    cdef void _zones(self, const Deal* deal, View* view) noexcept nogil:
        cdef const Own* mine = own(deal)
        cdef ZoneRow* discard = add_zone(view, ZONE_DISCARD, -1, mine.discarded)
        cdef int i
        for i in range(mine.discarded - 1, -1, -1):
            know(discard, mine.discards[i])

    cdef void _counters(self, const Deal* deal, View* view) noexcept nogil:
        cdef const Own* mine = own(deal)
        cdef int seat
        add_counter(view, COUNTER_TURNS, -1, mine.turns)
        add_counter(view, COUNTER_RUN_OUTS, -1, mine.run_outs)
        add_counter(view, COUNTER_POT, -1, pot_of(deal))
        if is_first_round(deal):
            for seat in range(deal.seats):
                if mine.known >> seat & 1:
                    add_counter(view, COUNTER_AS_DEALT, seat, mine.as_dealt >> seat & 1)

    cdef int _restore(self, Deal* deal, observation) except -1:
        return views.restore(&self.hands, deal, observation)

    cdef bytes _pack_own(self, const Deal* deal):
        cdef const Own* mine = own(deal)
        fields = bytes([mine.turns, mine.run_outs, mine.fresh, mine.took, mine.as_dealt])
        return fields + (<const char*>mine.discards)[: mine.discarded]


VARIANT = Sangohana
