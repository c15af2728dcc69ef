# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Standard koi-koi (``koikoi``), two seats."""
cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from core_ext.errors import ObservationError
from core_ext.observation import Counter
from core_ext.variants.koikoi_table import INFO, TESHI, YAKU, rows

from core_ext.capture cimport caught, is_choice, play_actions, turned_actions
from core_ext.cards cimport NO_CARD, bit, month_base, month_nibble, whole_months
from core_ext.events cimport (
    EVENT_DEAL, EVENT_DECLARE, EVENT_FIELD_FOUR, EVENT_KOI, EVENT_PASS, EVENT_PLAY, EVENT_SCORE, EVENT_STOP, EVENT_TAKE,
    EVENT_TURN, EVENT_YAKU, EventRow, Log, add_value, emit,
)
from core_ext.notation cimport (
    ACTION_DECLARE, ACTION_KOI, ACTION_PASS, ACTION_PLAY, ACTION_STOP, ACTION_TURNED,
)
from core_ext.scoring cimport MAX_YAKU, YakuTable, compile_yaku, pile_values, yaku_made
from core_ext.table cimport (
    ENDED_DECLARE, ENDED_REDEAL, ENDED_RUN_OUT, ENDED_STOP, PHASE_DEALT_HAND, PHASE_PLAY, PHASE_SETTLE, PHASE_TURNED,
    Deal, take_cards,
)
from core_ext.variant cimport FIRST_YAKU_NAME, Variant

cdef enum:
    HAND = 8
    DEALT = 24              # cards dealt to hands and field
    LAST_ATTEMPT = 15       # stands whatever is on the field (koikoi R6)
    TESHI_NAME = FIRST_YAKU_NAME + 14

assert TESHI_NAME == FIRST_YAKU_NAME + len(YAKU)


cdef struct Own:
    uint8_t passed          # seats, as bits, that were asked for a dealt hand and declined


@cython.final
cdef class KoiKoi(Variant):
    """The rules of ``koikoi``."""

    cdef YakuTable yaku
    cdef int months
    cdef int64_t target             # 0: none
    cdef bint redeals
    cdef bint teshi
    cdef int teshi_points
    cdef bint kuitsuki
    cdef int koi_multiplier
    cdef bint koi_escalates
    cdef int oyaken_points

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats)
        compile_yaku(&self.yaku, rows(options))
        self.months = options["months"]
        self.target = options["target"] or 0
        self.redeals = options["field_four"] == "redeal"
        self.teshi = options["teshi"]
        self.teshi_points = options["teshi_points"]
        self.kuitsuki = options["kuitsuki"]
        self.koi_multiplier = options["koi_multiplier"]
        self.koi_escalates = options["koi_escalates"]
        self.oyaken_points = options["oyaken_points"]

    # The deal

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        cdef EventRow* row
        cdef uint64_t four
        deal.hand[0] = take_cards(deal, HAND)
        deal.hand[1] = take_cards(deal, HAND)
        deal.field = take_cards(deal, HAND)
        (<Own*>deal.own).passed = 0
        if log != NULL:
            row = emit(log, EVENT_DEAL, deal.dealer, deal.field, 0)
            add_value(row, deal.month)
            add_value(row, deal.attempt)
        four = whole_months(deal.field)
        if four:
            if self.redeals and deal.attempt < LAST_ATTEMPT:
                self.end_deal(deal, ENDED_REDEAL, -1, log)
                return
            deal.field ^= four
            deal.pile[deal.dealer] = four
            if log != NULL:
                emit(log, EVENT_FIELD_FOUR, deal.dealer, four, four)
        self.ask_for_teshi(deal)

    cdef bint has_teshi(self, const Deal* deal, int seat) noexcept nogil:
        return self.teshi and whole_months(deal.hand[seat]) != 0

    cdef void ask_for_teshi(self, Deal* deal) noexcept nogil:
        """Asks the next seat that has a teshi and has not declined, dealer first (koikoi R3); then the dealer plays."""
        cdef uint8_t passed = (<Own*>deal.own).passed
        cdef int dealer = deal.dealer
        cdef int other = 1 - dealer
        deal.phase = PHASE_DEALT_HAND
        if self.has_teshi(deal, dealer) and not passed >> dealer & 1:
            deal.asked = <int8_t>dealer
        elif self.has_teshi(deal, other) and not passed >> other & 1:
            deal.asked = <int8_t>other
        else:
            deal.phase = PHASE_PLAY
            deal.asked = <int8_t>dealer

    # What can be done, phase by phase

    cdef int _legal(self, const Deal* deal, uint16_t* out) noexcept nogil:
        if deal.phase == PHASE_PLAY:
            return play_actions(deal.hand[deal.asked], deal.field, out)
        if deal.phase == PHASE_TURNED:
            return turned_actions(deal.turned, deal.field, out)
        if deal.phase == PHASE_SETTLE:
            out[0] = ACTION_STOP
            out[1] = ACTION_KOI
            return 2
        if deal.phase == PHASE_DEALT_HAND:
            out[0] = ACTION_PASS
            out[1] = ACTION_DECLARE
            return 2
        return 0

    cdef void _apply(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        if deal.phase == PHASE_PLAY:
            self.apply_play(deal, action, log)
        elif deal.phase == PHASE_TURNED:
            self.apply_turned(deal, action, log)
        elif deal.phase == PHASE_SETTLE:
            self.apply_settle(deal, action, log)
        elif deal.phase == PHASE_DEALT_HAND:
            self.apply_dealt_hand(deal, action, log)

    cdef void apply_dealt_hand(self, Deal* deal, int action, Log* log) noexcept nogil:
        cdef int seat = deal.asked
        cdef uint64_t fours = whole_months(deal.hand[seat])
        cdef EventRow* row
        if action == ACTION_PASS:
            (<Own*>deal.own).passed |= <uint8_t>(1 << seat)
            if log != NULL:
                emit(log, EVENT_PASS, seat, 0, 0)
            self.ask_for_teshi(deal)
            return
        deal.shown[seat] = fours
        if log != NULL:
            row = emit(log, EVENT_DECLARE, seat, fours, 0)
            row.name = TESHI_NAME
            add_value(row, self.teshi_points)
            row = emit(log, EVENT_SCORE, seat, 0, 0)
            row.name = TESHI_NAME
            add_value(row, self.teshi_points)
        deal.score[seat] = self.teshi_points
        self.end_deal(deal, ENDED_DECLARE, seat, log)

    cdef void apply_play(self, Deal* deal, int action, Log* log) noexcept nogil:
        cdef int card = (action - ACTION_PLAY) // 5
        cdef uint64_t taken = caught(card, (action - ACTION_PLAY) % 5)
        deal.hand[deal.asked] ^= bit(card)
        if taken:
            deal.field ^= taken
            self.gain(deal, taken | bit(card))
        else:
            deal.field |= bit(card)
        if log != NULL:
            emit(log, EVENT_PLAY, deal.asked, bit(card), deal.gained)
        self.turn_stock(deal, log)

    cdef void turn_stock(self, Deal* deal, Log* log) noexcept nogil:
        cdef int card = deal.deck[deal.top]
        cdef int on_field = month_nibble(deal.field, card)
        cdef uint64_t taken = 0
        deal.top += 1
        if is_choice(on_field):
            deal.turned = <uint8_t>card
            deal.phase = PHASE_TURNED
        elif on_field:
            taken = <uint64_t>on_field << month_base(card)
            deal.field ^= taken
            taken |= bit(card)
        elif self.kuitsuki and month_nibble(deal.gained, card):
            taken = bit(card)
        else:
            deal.field |= bit(card)
        self.gain(deal, taken)
        if log != NULL:
            emit(log, EVENT_TURN, deal.asked, bit(card), taken)
        if deal.turned == NO_CARD:
            self.settle(deal, log)

    cdef void apply_turned(self, Deal* deal, int action, Log* log) noexcept nogil:
        cdef uint64_t taken = bit(action - ACTION_TURNED)
        cdef int card = deal.turned
        deal.turned = NO_CARD
        deal.field ^= taken
        self.gain(deal, taken | bit(card))
        if log != NULL:
            emit(log, EVENT_TAKE, deal.asked, bit(card), taken | bit(card))
        self.settle(deal, log)

    cdef inline void gain(self, Deal* deal, uint64_t cards) noexcept nogil:
        deal.pile[deal.asked] |= cards
        deal.gained |= cards

    cdef void settle(self, Deal* deal, Log* log) noexcept nogil:
        """A yaku made in the turn asks for a word, or with no hand card left stops by itself."""
        cdef int seat = deal.asked
        cdef uint32_t made = 0
        if deal.gained:
            made = yaku_made(&self.yaku, deal.pile[seat] ^ deal.gained, deal.gained)
        if not made:
            self.end_turn(deal, log)
            return
        if log != NULL:
            self.emit_values(deal, made, EVENT_YAKU, log)
        if deal.hand[seat]:
            deal.phase = PHASE_SETTLE
        else:
            self.stop(deal, log)

    cdef void apply_settle(self, Deal* deal, int action, Log* log) noexcept nogil:
        cdef int32_t values[MAX_YAKU]
        cdef int seat = deal.asked
        if action == ACTION_STOP:
            self.stop(deal, log)
            return
        deal.koi[seat] += 1
        deal.stake[seat] = pile_values(&self.yaku, deal.pile[seat], values)
        if log != NULL:
            add_value(emit(log, EVENT_KOI, seat, 0, 0), deal.stake[seat])
        self.end_turn(deal, log)

    cdef void end_turn(self, Deal* deal, Log* log) noexcept nogil:
        cdef int other = 1 - deal.asked
        deal.gained = 0
        if deal.hand[other]:
            deal.asked = <int8_t>other
            deal.phase = PHASE_PLAY
        else:
            self.run_out(deal, log)

    # The score of a month

    cdef int64_t multiplier(self, const Deal* deal) noexcept nogil:
        """What a stop is multiplied by now: with 14 koi, the most there can be, at most 4^14, far inside 64 bits."""
        cdef int said = deal.koi[0] + deal.koi[1]
        cdef int64_t product = 1
        if said and not self.koi_escalates:
            said = 1
        while said:
            product *= self.koi_multiplier
            said -= 1
        return product

    cdef void stop(self, Deal* deal, Log* log) noexcept nogil:
        """The winner's points, with the other's stake if both have said koi (koikoi R4)."""
        cdef int32_t values[MAX_YAKU]
        cdef int seat = deal.asked
        cdef int64_t points = pile_values(&self.yaku, deal.pile[seat], values)
        if log != NULL:
            add_value(emit(log, EVENT_STOP, seat, 0, 0), points)
            self.emit_values(deal, ~<uint32_t>0, EVENT_SCORE, log)
        if deal.koi[seat] and deal.koi[1 - seat]:
            points += deal.stake[1 - seat]
        deal.score[seat] = points * self.multiplier(deal)
        self.end_deal(deal, ENDED_STOP, seat, log)

    cdef void run_out(self, Deal* deal, Log* log) noexcept nogil:
        """Every seat that said koi keeps its own stake (koikoi R5); nobody did: the dealer's right (koikoi R7)."""
        cdef int winner = -1
        if deal.koi[0] or deal.koi[1]:
            deal.score[0] = deal.stake[0]
            deal.score[1] = deal.stake[1]
        else:
            deal.score[deal.dealer] = self.oyaken_points
        if deal.score[0] != deal.score[1]:
            winner = deal.score[1] > deal.score[0]
        self.end_deal(deal, ENDED_RUN_OUT, winner, log)

    cdef void emit_values(self, const Deal* deal, uint32_t which, int kind, Log* log) noexcept nogil:
        """An event for each of these rows that counts in the asked seat's pile."""
        cdef int32_t values[MAX_YAKU]
        cdef EventRow* row
        cdef int i
        pile_values(&self.yaku, deal.pile[deal.asked], values)
        for i in range(self.yaku.count):
            if values[i] and which >> i & 1:
                row = emit(log, kind, deal.asked, deal.pile[deal.asked] & self.yaku.rows[i].cards, 0)
                row.name = <uint8_t>(FIRST_YAKU_NAME + i)
                add_value(row, values[i])

    # From deal to deal

    cdef bint _is_last(self, const Deal* deal) noexcept nogil:
        if deal.ended == ENDED_REDEAL:
            return False
        if deal.month == self.months:
            return True
        return self.target > 0 and (deal.balance[0] >= self.target or deal.balance[1] >= self.target)

    cdef void _next(self, Deal* deal) noexcept nogil:
        if deal.ended == ENDED_REDEAL:
            deal.attempt += 1
            return
        deal.month += 1
        deal.attempt = 0
        if deal.winner >= 0:
            deal.dealer = <uint8_t>deal.winner

    # What a seat may know

    cdef void _face(self, const Deal* deal, uint8_t* phase, int8_t* asked) noexcept nogil:
        phase[0] = deal.phase
        asked[0] = deal.asked
        if deal.phase == PHASE_DEALT_HAND:
            phase[0] = PHASE_PLAY
            asked[0] = <int8_t>deal.dealer

    cdef void _veil(self, Deal* deal, const Deal* full, int seat) noexcept nogil:
        if seat < 0:
            (<Own*>deal.own).passed = 0
            return
        (<Own*>deal.own).passed &= <uint8_t>(1 << seat)
        self.suspect(deal, seat)

    cdef void suspect(self, Deal* deal, int seat) noexcept nogil:
        """A seat whose own teshi is still to be asked about can tell that the dealer is being asked."""
        if deal.phase == PHASE_PLAY and deal.top == DEALT and self.has_teshi(deal, seat):
            if not (<Own*>deal.own).passed >> seat & 1:
                deal.waiting = True

    cdef bint _accept(self, Deal* deal, int seat, Log* log) noexcept nogil:
        cdef int other
        if deal.top != DEALT:
            return True
        for other in range(2):
            if other == seat or not self.has_teshi(deal, other):
                continue
            if deal.waiting:
                deal.phase = PHASE_DEALT_HAND
                deal.asked = <int8_t>other
                return True
            if deal.phase == PHASE_PLAY or (deal.phase == PHASE_DEALT_HAND and other == deal.dealer):
                (<Own*>deal.own).passed |= <uint8_t>(1 << other)
                if log != NULL:
                    emit(log, EVENT_PASS, other, 0, 0)
        return not deal.waiting

    cdef list _counters(self, const Deal* deal):
        cdef int32_t values[MAX_YAKU]
        cdef list counters = []
        cdef int seat
        for seat in range(2):
            counters.append(Counter("points", seat, pile_values(&self.yaku, deal.pile[seat], values)))
        for seat in range(2):
            counters.append(Counter("koi", seat, deal.koi[seat]))
        for seat in range(2):
            counters.append(Counter("stake", seat, deal.stake[seat]))
        counters.append(Counter("multiplier", -1, self.multiplier(deal)))
        return counters

    cdef int _restore(self, Deal* deal, observation) except -1:
        cdef int seat = observation.seat
        cdef int hands = deal.held[0] + deal.held[1]
        cdef bint has_played = deal.phase == PHASE_TURNED or deal.phase == PHASE_SETTLE
        for counter in observation.counters:
            if counter.name == "koi":
                deal.koi[<int>counter.seat] = counter.value
            elif counter.name == "stake":
                deal.stake[<int>counter.seat] = counter.value
        if deal.end - deal.top != hands + HAND or (deal.asked >= 0 and not has_played and not deal.held[deal.asked]):
            raise ObservationError(
                f"hands of {deal.held[0]} and {deal.held[1]} do not go with a stock of {deal.end - deal.top}"
            )
        if seat >= 0:
            if any(event.kind == "pass" and event.seat == seat for event in observation.events):
                (<Own*>deal.own).passed = <uint8_t>(1 << seat)
            self.suspect(deal, seat)
        return 0

    cdef bytes _pack_own(self, const Deal* deal):
        return bytes([(<const Own*>deal.own).passed])


VARIANT = KoiKoi
