# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Eighty-eight (``hachihachi``), three seats: the course of a month, and what a seat may know of it."""
cimport cython
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from core_ext.cards import cards_mask
from core_ext.errors import ObservationError
from core_ext.variants.hachihachi_table import HIDDEN_RIBBONS, INFO, LAST_MONTH, MONTHS, RIBBON_CHOICES, START, YAKU

from core_ext.capture cimport how_to_take
from core_ext.cards cimport LIGHTS_MASK, RIBBONS_MASK, bit, lowest, month_base, popcount
from core_ext.events cimport (
    EVENT_DECLARE, EVENT_DECLINE, EVENT_FIELD, EVENT_YAKU, EventRow, Log, add_value, emit, log_event, log_value,
)
from core_ext.matching cimport Matching, course
from core_ext.notation cimport ACTION_CANCEL, ACTION_DECLARE, ACTION_PASS, ACTION_PLAY, ACTION_TAIL, ACTION_TURNED
from core_ext.rng cimport choose
from core_ext.table cimport (
    ENDED_DECLARE, ENDED_VOID, PHASE_CANCEL, PHASE_DEALT_HAND, PHASE_PLAY, PHASE_SETTLE, PHASE_TURNED, Deal,
)
from core_ext.variants.hachihachi_hands cimport (
    AKA, LAST_HAND, LAST_NUMBER, SHISO, dearest_poverty, hideable, may_be_number_alone, number_of, poverties_of,
    shown_by_number, shown_by_poverty,
)
from core_ext.variants.hachihachi_hatto cimport MAX_TURNS, Turn
from core_ext.variants.hachihachi_settlement cimport (
    DEALT_CARDS, FIELD_CARDS, FIRST_FIELD, HAND_CARDS, TOBIKOMI, Own, Rate, cancel, card_points, compile_rates,
    dives_in, end_by_shiso, field_of, hand_kan, own_of, played_by, rated, run_out, sage_of, stop, year_results,
)
from core_ext.variant cimport Variant
from core_ext.views cimport within
from core_ext.zones cimport (
    COUNTER_BIND, COUNTER_BY_NUMBER, COUNTER_BY_POVERTY, COUNTER_CARD_POINTS, COUNTER_DECLARED, COUNTER_FIELD,
    COUNTER_POT, COUNTER_STAKE, CounterRow, add_counter,
)

cdef enum:
    CHOICES = 175               # of ribbons to show in 赤
    # In the action codes' tail: the number series alone, the readings by poverty, the ribbons to show.
    BY_NUMBER_ALONE = ACTION_TAIL
    FIRST_READING = ACTION_TAIL + 1
    FIRST_CHOICE = FIRST_READING + LAST_HAND - LAST_NUMBER

cdef int hidden_ribbons = HIDDEN_RIBBONS
cdef int months_a_year = MONTHS
cdef int64_t start = START
cdef uint64_t ribbon_choices[CHOICES]

assert len(RIBBON_CHOICES) == CHOICES
for _number, _cards in enumerate(RIBBON_CHOICES):
    ribbon_choices[<int>_number] = cards_mask(_cards)


cdef int restore_turns(Own* own, events, int count) except -1:
    """The month's turns, read from its events."""
    cdef int play = 0
    cdef int turned = 0
    cdef int card
    cdef uint64_t taken
    for event in events:
        if event.kind not in ("play", "turn", "take"):
            continue
        if len(event.cards) != 1 or turned >= count + (event.kind == "take"):
            raise ObservationError(f"the event {event} is none of a month of {count} turns")
        card = event.cards[0]
        taken = cards_mask(event.taken) & ~bit(card)
        if event.kind == "play":
            play = ACTION_PLAY + 5 * card + how_to_take(card, taken)
        elif event.kind == "turn":
            own.turns[turned].play = <uint8_t>play
            own.turns[turned].turned = <uint8_t>card
            turned += 1
        elif turned and taken:
            own.turns[turned - 1].chosen = <uint8_t>lowest(taken)
    if turned != count:
        raise ObservationError(f"{count} cards were turned, the events tell of {turned}")
    return 0


cdef int one_of_kind(
    uint64_t kind, uint64_t placed, const uint8_t* unseen, int count, uint64_t* rng
) noexcept nogil:
    """The place of one of the cards of a kind that is not placed yet, each as likely; 0 when there is none."""
    cdef uint8_t places[48]
    cdef int found = 0
    cdef int i
    for i in range(count):
        if kind >> unseen[i] & 1 and not placed >> i & 1:
            places[found] = <uint8_t>i
            found += 1
    return places[choose(rng, found)] if found else 0


@cython.final
cdef class HachiHachi(Matching):
    """The rules of ``hachihachi``."""

    cdef Rate rates[3]              # by kind of field

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats, YAKU, hand_cards=HAND_CARDS, field_cards=FIELD_CARDS)
        compile_rates(self.rates, options["menu"])
        self.keeps_stakes = True
        self.last_month = LAST_MONTH if options["etsunen"] else MONTHS

    # The deal

    cdef void _start(self, Deal* deal) noexcept nogil:
        cdef int seat
        for seat in range(3):
            deal.balance[seat] = start

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        cdef Own* own = own_of(deal)
        cdef EventRow* row
        cdef int bind = own.bind
        cdef uint8_t pot = own.pot
        cdef int carried
        memset(own, 0, sizeof(Own))
        self.deal_cards(deal)
        own.pot = pot
        own.field = <uint8_t>field_of(deal.field, bind, &carried)
        own.bind = <uint8_t>carried
        self.log_deal(deal, log)
        if log != NULL:
            row = emit(log, EVENT_FIELD, -1, deal.field & LIGHTS_MASK, 0)
            row.name = <uint8_t>(FIRST_FIELD + own.field)
            add_value(row, rated(self.rate(deal), 1, 0))
            add_value(row, self.rate(deal).added)
        self.give_fours(deal, log)
        self.ask_dealt_hands(deal, log)

    # Dealt hands

    cdef int _dealt_hand(self, uint64_t hand) noexcept nogil:
        """The dearest reading: its hand by number times 16, and its hand by poverty."""
        return number_of(hand) << 4 | dearest_poverty(poverties_of(hand))

    cdef int _legal_own(self, const Deal* deal, uint16_t* out) noexcept nogil:
        cdef uint64_t hand
        cdef int poverties, row, extra, i
        cdef bint number_alone
        cdef int n = 1
        if deal.phase == PHASE_CANCEL:
            out[0] = ACTION_CANCEL
            out[1] = ACTION_PASS
            return 2
        if deal.phase != PHASE_DEALT_HAND:
            return 0
        out[0] = ACTION_PASS
        hand = deal.hand[deal.asked]
        poverties = poverties_of(hand)
        extra = popcount(hand & RIBBONS_MASK) - hidden_ribbons
        number_alone = may_be_number_alone(hand)
        if number_alone:
            out[n] = BY_NUMBER_ALONE
            n += 1
        if poverties >> AKA & 1 and extra > 0:
            for i in range(CHOICES):
                if popcount(ribbon_choices[i]) == extra and not ribbon_choices[i] & ~hand:
                    out[n] = <uint16_t>(FIRST_CHOICE + i)
                    n += 1
            return n
        if number_alone or poverties & (poverties - 1):
            for row in range(AKA, LAST_HAND + 1):
                if poverties >> row & 1:
                    out[n] = <uint16_t>(FIRST_READING + row - AKA)
                    n += 1
            return n
        out[n] = ACTION_DECLARE
        return n + 1

    cdef void _declare(self, Deal* deal, int action, Log* log) noexcept nogil:
        cdef Own* own = own_of(deal)
        cdef int seat = deal.asked
        cdef uint64_t hand = deal.hand[seat]
        cdef uint64_t ribbons = 0
        cdef int number = number_of(hand)
        cdef int poverty = 0
        cdef uint64_t by_number, by_poverty
        if action >= FIRST_CHOICE:
            poverty = AKA
            ribbons = ribbon_choices[action - FIRST_CHOICE]
        elif action >= FIRST_READING:
            poverty = AKA + action - FIRST_READING
        elif action != BY_NUMBER_ALONE and poverties_of(hand):
            poverty = lowest(poverties_of(hand))
        by_number = shown_by_number(hand, number)
        by_poverty = shown_by_poverty(hand, poverty, ribbons)
        deal.shown[seat] = by_number | by_poverty
        own.number[seat] = <uint8_t>number
        own.poverty[seat] = <uint8_t>poverty
        if poverty:
            self.log_hand(EVENT_DECLARE, seat, by_poverty, poverty, hand_kan[poverty], log)
        if number:
            self.log_hand(EVENT_DECLARE, seat, by_number, number, hand_kan[number], log)
        self.ask_dealt_hands(deal, log)

    cdef void _open(self, Deal* deal, Log* log) noexcept nogil:
        """All have been asked: one 四三 ends the year, two make it void."""
        cdef Own* own = own_of(deal)
        cdef int holders = 0
        cdef int holder = 0
        cdef int seat
        for seat in range(3):
            if own.number[seat] == SHISO:
                holders += 1
                holder = seat
        if holders == 0:
            self.begin_play(deal)
        elif holders > 1:
            self.end_deal(deal, ENDED_VOID, -1, log)
        else:
            end_by_shiso(self, self.rate(deal), deal, holder, log)

    # The turn

    cdef void _apply(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        cdef Turn* turn = &own_of(deal).turns[deal.top - DEALT_CARDS]
        if deal.phase == PHASE_PLAY:
            turn.play = <uint8_t>(action - ACTION_PLAY)
            turn.turned = deal.deck[deal.top]
        elif deal.phase == PHASE_TURNED:
            (turn - 1).chosen = <uint8_t>(action - ACTION_TURNED)
        Matching._apply(self, deal, key, action, log)

    cdef int64_t _play_at_random(self, Deal* deal, const uint8_t* key, uint64_t* rng) noexcept nogil:
        """By `_apply`, which keeps the course of the turns."""
        return Variant._play_at_random(self, deal, key, rng)

    cdef void _settle(self, Deal* deal, Log* log) noexcept nogil:
        """飛込み, then 上がり or 下げ, then the question whether a standing 下げ is cancelled (hachihachi R4)."""
        cdef int seat = deal.asked
        cdef int sage = sage_of(deal)
        cdef uint32_t made
        if log != NULL and own_of(deal).number[seat]:
            self.log_dives(deal, seat, log)
        made = self.made_in_turn(deal)
        if made:
            self.log_rows(deal, seat, made, EVENT_YAKU, log)
            if deal.hand[seat] and (sage < 0 or sage == seat):
                deal.phase = PHASE_SETTLE
            else:
                self._stop(deal, log)
        elif sage < 0:
            self.pass_turn(deal, log)
        elif sage == seat and not deal.hand[seat]:
            cancel(self, self.rate(deal), deal, sage, log)
        else:
            deal.gained = 0
            deal.phase = PHASE_CANCEL
            deal.asked = <int8_t>sage

    cdef void log_dives(self, const Deal* deal, int seat, Log* log) noexcept nogil:
        """An event for each declared three that the turn has made whole in the seat's pile."""
        cdef uint64_t dived = dives_in(deal, seat, deal.pile[seat])
        cdef uint64_t three
        dived ^= dives_in(deal, seat, deal.pile[seat] ^ deal.gained)
        while dived:
            three = dived & <uint64_t>15 << month_base(lowest(dived))
            dived ^= three
            log_value(log, EVENT_YAKU, seat, three, TOBIKOMI, 1)

    cdef void _apply_own(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        """The answer whether a 下げ is cancelled."""
        if action == ACTION_CANCEL:
            cancel(self, self.rate(deal), deal, deal.asked, log)
            return
        log_event(log, EVENT_DECLINE, deal.asked, 0, 0)
        deal.asked = <int8_t>((deal.dealer + deal.top - DEALT_CARDS - 1) % 3)
        self.pass_turn(deal, log)

    # The end of a month

    cdef const Rate* rate(self, const Deal* deal) noexcept nogil:
        return &self.rates[own_of(deal).field]

    cdef void _stop(self, Deal* deal, Log* log) noexcept nogil:
        stop(self, self.rate(deal), deal, log)

    cdef void _run_out(self, Deal* deal, Log* log) noexcept nogil:
        run_out(self, self.rate(deal), deal, log)

    # From month to month

    cdef bint _is_last(self, const Deal* deal) noexcept nogil:
        """With 四三, after month 12 unless it is bound and the year may go on, after month 48 (hachihachi R8)."""
        if deal.ended == ENDED_DECLARE or deal.ended == ENDED_VOID or deal.month == self.last_month:
            return True
        return deal.month >= months_a_year and not own_of(deal).bind

    cdef void _results(self, const Deal* deal, int64_t* results) noexcept nogil:
        cdef int shiso = deal.winner if deal.ended == ENDED_DECLARE else -1
        if deal.ended == ENDED_VOID:
            results[0] = results[1] = results[2] = 0
            return
        year_results(deal.balance, own_of(deal).pot, deal.dealer, shiso, results)

    # What a seat may know

    cdef CounterRow* _counters(self, const Deal* deal, CounterRow* row) noexcept nogil:
        cdef Own* own = own_of(deal)
        cdef int seat
        row = Matching._counters(self, deal, row)
        for seat in range(3):
            row = add_counter(row, COUNTER_STAKE, seat, deal.stake[seat])
            row = add_counter(row, COUNTER_CARD_POINTS, seat, card_points(deal.pile[seat]))
            row = add_counter(row, COUNTER_BY_NUMBER, seat, own.number[seat])
            row = add_counter(row, COUNTER_BY_POVERTY, seat, own.poverty[seat])
            row = add_counter(row, COUNTER_DECLARED, seat, hand_kan[own.number[seat]] + hand_kan[own.poverty[seat]])
        row = add_counter(row, COUNTER_FIELD, -1, own.field)
        row = add_counter(row, COUNTER_BIND, -1, own.bind)
        row = add_counter(row, COUNTER_POT, -1, own.pot)
        return row

    cdef int _restore(self, Deal* deal, observation, dict counters) except -1:
        cdef Own* own = own_of(deal)
        cdef int seat
        own.field = within(counters, "field", -1, 2)
        own.bind = within(counters, "bind", -1, 2)
        own.pot = within(counters, "pot", -1, LAST_MONTH)
        restore_turns(own, observation.events, deal.top - DEALT_CARDS)
        for seat in range(3):
            if deal.held[seat] + popcount(played_by(deal, seat)) != HAND_CARDS:
                raise ObservationError(f"what seat {seat} holds and has played is no hand")
            own.number[seat] = within(counters, "by_number", seat, LAST_NUMBER)
            own.poverty[seat] = within(counters, "by_poverty", seat, LAST_HAND)
            course(deal).declared |= <uint8_t>((own.number[seat] + own.poverty[seat] > 0) << seat)
        return Matching._restore(self, deal, observation, counters)

    cdef void _constrain_sample(self, Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
        """Cards of the kind that a hand declared by poverty hides change places with those laid into it."""
        cdef uint64_t placed = 0
        cdef uint64_t kind
        cdef int place = 0
        cdef int other, i, end
        for other in range(3):
            kind = hideable(own_of(deal).poverty[other])
            end = place + deal.held[other] - popcount(deal.hand[other])
            while place < end:
                if kind:
                    i = one_of_kind(kind, placed, unseen, count, rng)
                    unseen[place], unseen[i] = unseen[i], unseen[place]
                    placed |= bit(place)
                place += 1

    cdef bint _validate_sample(self, Deal* deal, int seat, Log* log) noexcept nogil:
        cdef int other
        for other in range(3):
            if other != seat and course(deal).declared >> other & 1 and not self.fits(deal, other):
                return False
        return Matching._validate_sample(self, deal, seat, log)

    cdef bint fits(self, const Deal* deal, int seat) noexcept nogil:
        """Whether the seat's hand is what it has declared, and hides what may be hidden."""
        cdef Own* own = own_of(deal)
        cdef uint64_t hand = deal.hand[seat] | played_by(deal, seat)
        cdef int poverties = poverties_of(hand)
        if number_of(hand) != own.number[seat]:
            return False
        if not own.poverty[seat]:
            return not poverties or may_be_number_alone(hand)
        hand = deal.hand[seat] & ~deal.shown[seat]
        return poverties >> own.poverty[seat] & 1 and not hand & ~hideable(own.poverty[seat])

    cdef bytes _pack_own(self, const Deal* deal):
        cdef Own* own = own_of(deal)
        cdef uint8_t turns[2 * <int>MAX_TURNS]
        cdef int count = deal.top - DEALT_CARDS
        cdef int i
        for i in range(count):
            turns[2 * i] = own.turns[i].play
            turns[2 * i + 1] = own.turns[i].turned | <uint8_t>(own.turns[i].chosen << 6)
        declared = [number for i in range(3) for number in (own.number[i], max(0, own.poverty[i] - LAST_NUMBER))]
        fields = bytes([*declared, own.field, own.bind, own.pot])
        return Matching._pack_own(self, deal) + fields + (<const char*>turns)[: 2 * count]


VARIANT = HachiHachi
