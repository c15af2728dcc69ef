# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The matching games: play a hand card, turn the stock, settle. Each of them is this and its own hooks."""
from dataclasses import replace

from core_ext.errors import ObservationError

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from core_ext.capture cimport caught, is_choice, play_actions, play_drawn, turned_actions, turned_drawn
from core_ext.cards cimport NO_CARD, bit, month_base, month_nibble, whole_months
from core_ext.events cimport (
    EVENT_DECLARE, EVENT_FIELD_FOUR, EVENT_KOI, EVENT_PASS, EVENT_PLAY, EVENT_SCORE, EVENT_STOP, EVENT_TAKE, EVENT_TURN,
    EVENT_YAKU, Log, cards_mask, log_event, log_total, log_value,
)
from core_ext.notation cimport (
    ACTION_DECLARE, ACTION_KOI, ACTION_PASS, ACTION_PLAY, ACTION_STOP, ACTION_TURNED,
)
from core_ext.rng cimport choose
from core_ext.scoring cimport MAX_YAKU, YakuTable, compile_yaku, pile_values, pile_worth, yaku_made
from core_ext.table cimport (
    ENDED_DECLARE, ENDED_RUN_OUT, ENDED_STOP, MAX_LEGAL, OWN_WORDS, PHASE_CANCEL, PHASE_DEALT_HAND, PHASE_ENDED,
    PHASE_EXCHANGE, PHASE_PLAY, PHASE_SETTLE, PHASE_TURNED, Deal, after, take_cards,
)
from core_ext.variant cimport FIRST_YAKU_NAME, Variant
from core_ext.views cimport in_range
from core_ext.zones cimport COUNTER_KOI, COUNTER_POINTS, CounterRow, add_counter

assert sizeof(Course) <= 8 * OWN_WORDS


cdef class Matching(Variant):
    """A matching game with one choice of options."""

    def __init__(self, info, options, int seats, rows, int hand_cards, int field_cards, rained_off=()):
        super().__init__(info, options, seats)
        compile_yaku(&self.yaku, rows)
        compile_yaku(&self.other_yaku, [replace(row, points=0) if row.id in rained_off else row for row in rows])
        self.has_others = bool(rained_off)
        self.hand_cards = hand_cards
        self.field_cards = field_cards
        self.dealt_cards = seats * hand_cards + field_cards

    cdef int _dealt_hand(self, uint64_t hand) noexcept nogil:
        return 0

    cdef void _declare(self, Deal* deal, int action, Log* log) noexcept nogil:
        pass

    cdef void _open(self, Deal* deal, Log* log) noexcept nogil:
        self.begin_play(deal)

    cdef void _settle(self, Deal* deal, Log* log) noexcept nogil:
        cdef uint32_t made = rows_made(self, deal) if deal.gained else 0
        if not made:
            to_next_turn(self, deal, log)
            return
        self.log_rows(deal, deal.asked, made, EVENT_YAKU, log)
        if deal.hand[deal.asked]:
            deal.phase = PHASE_SETTLE
        else:
            self._stop(deal, log)

    cdef void _stop(self, Deal* deal, Log* log) noexcept nogil:
        pass

    cdef void _koi(self, Deal* deal, Log* log) noexcept nogil:
        cdef int seat = deal.asked
        cdef int64_t points = points_of(self, deal, deal.pile[seat]) if self.keeps_stakes or log != NULL else 0
        deal.koi[seat] += 1
        if self.keeps_stakes:
            deal.stake[seat] = points
        log_value(log, EVENT_KOI, seat, 0, 0, points)
        self.pass_turn(deal, log)

    cdef void _run_out(self, Deal* deal, Log* log) noexcept nogil:
        self.end_deal(deal, ENDED_RUN_OUT, -1, log)

    cdef bint _counts_others(self, const Deal* deal, uint64_t pile) noexcept nogil:
        return False

    cdef int _legal_own(self, const Deal* deal, uint16_t* out) noexcept nogil:
        if deal.phase != PHASE_DEALT_HAND:
            return 0
        out[0] = ACTION_PASS
        out[1] = ACTION_DECLARE
        return 2

    cdef void _apply_own(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        pass

    # The deal

    cdef void deal_cards(self, Deal* deal) noexcept nogil:
        """Hands by seat, then the field; the course begins anew."""
        cdef int seat
        memset(course(deal), 0, sizeof(Course))
        for seat in range(self.seats):
            deal.hand[seat] = take_cards(deal, self.hand_cards)
        deal.field = take_cards(deal, self.field_cards)

    cdef uint64_t give_fours(self, Deal* deal, Log* log) noexcept nogil:
        """Four of a month on the field go to the dealer's pile."""
        cdef uint64_t fours = whole_months(deal.field)
        if fours:
            deal.field ^= fours
            deal.pile[deal.dealer] |= fours
            log_event(log, EVENT_FIELD_FOUR, deal.dealer, fours, fours)
        return fours

    # Dealt hands: asked about in secret, in turn order from the dealer

    cdef bint is_to_be_asked(self, const Deal* deal, int seat) noexcept nogil:
        """Whether the seat has a dealt hand and has not answered for it."""
        return not (course(deal).passed | course(deal).declared) >> seat & 1 and self._dealt_hand(deal.hand[seat]) != 0

    cdef void ask_dealt_hands(self, Deal* deal, Log* log) noexcept nogil:
        """Ask the next seat that is to be asked; when there is none, the game opens."""
        cdef int seat = deal.dealer
        cdef int step
        for step in range(self.seats):
            if self.is_to_be_asked(deal, seat):
                deal.phase = PHASE_DEALT_HAND
                deal.asked = <int8_t>seat
                return
            seat = after(deal, seat)
        self._open(deal, log)

    cdef void begin_play(self, Deal* deal) noexcept nogil:
        deal.phase = PHASE_PLAY
        deal.asked = <int8_t>deal.dealer

    # Deals that somebody wins

    cdef void win_by_hand(self, Deal* deal, uint64_t shown, int hand, int64_t points, Log* log) noexcept nogil:
        """The asked seat declares a dealt hand, by its number, that decides the deal."""
        cdef int seat = deal.asked
        deal.shown[seat] = shown
        self.log_hand(EVENT_DECLARE, seat, shown, hand, points, log)
        self.log_hand(EVENT_SCORE, seat, 0, hand, points, log)
        deal.score[seat] = points
        self.end_deal(deal, ENDED_DECLARE, seat, log)

    cdef void win_pile(self, Deal* deal, int holder, int64_t added, int64_t times, Log* log) noexcept nogil:
        """The asked seat stops, and scores (points + added) * times for the pile that the holder has."""
        cdef int seat = deal.asked
        cdef int64_t points = points_of(self, deal, deal.pile[holder])
        log_value(log, EVENT_STOP, seat, 0, 0, points)
        self.log_rows(deal, holder, ~<uint32_t>0, EVENT_SCORE, log)
        log_total(log, seat, points, added, times, 0)
        deal.score[seat] = (points + added) * times
        self.end_deal(deal, ENDED_STOP, seat, log)

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
        return self._legal_own(deal, out)

    cdef void _apply(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        if deal.phase == PHASE_PLAY:
            play(self, deal, action, log)
        elif deal.phase == PHASE_TURNED:
            take_turned(self, deal, bit(action - ACTION_TURNED), log)
        elif deal.phase == PHASE_SETTLE:
            if action == ACTION_STOP:
                self._stop(deal, log)
            else:
                self._koi(deal, log)
        elif deal.phase == PHASE_DEALT_HAND:
            answer_for_hand(self, deal, action, log)
        else:
            self._apply_own(deal, key, action, log)

    cdef int64_t _play_at_random(self, Deal* deal, const uint8_t* key, uint64_t* rng) noexcept nogil:
        """Legal actions, choice and action in one loop, inside this module."""
        cdef uint16_t legal[MAX_LEGAL]
        cdef int64_t decisions = 0
        cdef uint64_t taken
        cdef int count, card
        while deal.phase != PHASE_ENDED:
            decisions += 1
            if deal.phase == PHASE_PLAY:
                card = play_drawn(deal.hand[deal.asked], deal.field, rng, &taken)
                play_card(self, deal, card, taken, NULL)
            elif deal.phase == PHASE_TURNED:
                take_turned(self, deal, turned_drawn(deal.turned, deal.field, rng), NULL)
            elif deal.phase == PHASE_SETTLE:
                if choose(rng, 2):
                    self._koi(deal, NULL)
                else:
                    self._stop(deal, NULL)
            else:
                count = self._legal(deal, legal)
                self._apply(deal, key, legal[choose(rng, count)], NULL)
        return decisions

    # What a turn makes

    cdef int worth(self, const Deal* deal, uint64_t pile, int32_t* values) noexcept nogil:
        """What the pile is worth now; writes each row's part (0 when it does not count)."""
        return pile_values(table(self, deal, pile), pile, values)

    cdef uint32_t made_in_turn(self, const Deal* deal) noexcept nogil:
        """The rows, as bits, that the asked seat's turn has made: new, or worth more."""
        return rows_made(self, deal) if deal.gained else 0

    cdef void pass_turn(self, Deal* deal, Log* log) noexcept nogil:
        """The turn is over; the next seat plays while it has a card."""
        to_next_turn(self, deal, log)

    # Events of rows

    cdef void log_rows(self, const Deal* deal, int seat, uint32_t which, int kind, Log* log) noexcept nogil:
        """An event for each of these rows that counts in the seat's pile."""
        cdef int32_t values[MAX_YAKU]
        cdef uint64_t cards
        cdef int i
        if log == NULL:
            return
        self.worth(deal, deal.pile[seat], values)
        for i in range(self.yaku.count):
            if values[i] and which >> i & 1:
                cards = deal.pile[seat] & self.yaku.rows[i].cards
                log_value(log, kind, seat, cards, FIRST_YAKU_NAME + i, values[i])

    cdef void log_hand(self, int kind, int seat, uint64_t cards, int hand, int64_t points, Log* log) noexcept nogil:
        """An event about a dealt hand, by its number from 1."""
        log_value(log, kind, seat, cards, FIRST_YAKU_NAME + self.yaku.count + hand - 1, points)

    # What a seat may know

    cdef bint is_untouched(self, const Deal* deal) noexcept nogil:
        """Whether no card has been played yet."""
        return deal.top == self.dealt_cards

    cdef void _public_phase(self, const Deal* deal, uint8_t* phase, int8_t* asked) noexcept nogil:
        phase[0] = deal.phase
        asked[0] = deal.asked
        if deal.phase == PHASE_DEALT_HAND or deal.phase == PHASE_EXCHANGE:
            phase[0] = PHASE_PLAY
            asked[0] = <int8_t>deal.dealer

    cdef void _mask(self, Deal* deal, const Deal* full, int seat) noexcept nogil:
        course(deal).passed &= <uint8_t>(1 << seat) if seat >= 0 else 0
        if self.is_untouched(deal):
            self._suspect(deal, seat)

    cdef void _suspect(self, Deal* deal, int seat) noexcept nogil:
        """A seat that is still to be asked about its own dealt hand can tell that another is being asked."""
        if seat >= 0 and deal.phase == PHASE_PLAY and self.is_untouched(deal) and self.is_to_be_asked(deal, seat):
            deal.waiting = True

    cdef bint _validate_sample(self, Deal* deal, int seat, Log* log) noexcept nogil:
        """Say for the other seats what they can have answered; nothing that the seat knows may speak against it."""
        cdef int other = deal.dealer
        cdef int later = (1 << self.seats) - 1
        cdef int step
        if not self.is_untouched(deal):
            return True
        for step in range(self.seats):
            later ^= 1 << other
            if other == seat and (deal.phase == PHASE_DEALT_HAND or self.is_to_be_asked(deal, seat)):
                break
            if other != seat and self.is_to_be_asked(deal, other):
                if deal.waiting and not (course(deal).passed | course(deal).declared) & later:
                    deal.phase = PHASE_DEALT_HAND
                    deal.asked = <int8_t>other
                    return True
                course(deal).passed |= <uint8_t>(1 << other)
                log_event(log, EVENT_PASS, other, 0, 0)
            other = after(deal, other)
        return not deal.waiting

    cdef CounterRow* _counters(self, const Deal* deal, CounterRow* row) noexcept nogil:
        cdef int seat
        for seat in range(self.seats):
            row = add_counter(row, COUNTER_POINTS, seat, points_of(self, deal, deal.pile[seat]))
        for seat in range(self.seats):
            row = add_counter(row, COUNTER_KOI, seat, deal.koi[seat])
        return row

    cdef int _restore(self, Deal* deal, observation, dict counters) except -1:
        cdef bint is_played = deal.phase == PHASE_TURNED or deal.phase == PHASE_SETTLE or deal.phase == PHASE_CANCEL
        cdef int held = 0
        cdef int seat
        for seat in range(self.seats):
            held += deal.held[seat]
        if deal.end - deal.top != held + self.cards - self.dealt_cards - self.seats * self.hand_cards or (
            deal.asked >= 0 and not is_played and not deal.held[deal.asked]
        ):
            raise ObservationError(f"hands of {held} in all do not go with a stock of {deal.end - deal.top}")
        if (deal.phase == PHASE_DEALT_HAND or deal.phase == PHASE_EXCHANGE) and not (
            observation.legal and self.is_untouched(deal)
        ):
            raise ObservationError(f"the phase {observation.phase!r} is seen by who is asked, before a card is played")
        if deal.phase == PHASE_TURNED and not is_choice(month_nibble(deal.field, deal.turned)):
            raise ObservationError("the turned card does not meet two of its month")
        for seat in range(self.seats):
            deal.koi[seat] = counters["koi", seat]
            if self.keeps_stakes:
                deal.stake[seat] = counters["stake", seat]
        for event in observation.events:
            if event.kind == "play":
                course(deal).by_hand = cards_mask(event.taken, self.cards)
            elif event.kind == "pass" and not event.name:
                seat = in_range("the seat of a pass", event.seat, 0, self.seats - 1)
                course(deal).passed |= <uint8_t>(1 << seat)
            elif event.kind == "declare":
                seat = in_range("the seat of a declaration", event.seat, 0, self.seats - 1)
                course(deal).declared |= <uint8_t>(1 << seat)
        if observation.legal and deal.phase == PHASE_PLAY:
            course(deal).passed |= <uint8_t>(1 << deal.asked)
        self._suspect(deal, observation.seat)
        return 0

    cdef bytes _pack_own(self, const Deal* deal):
        return bytes([course(deal).passed])


cdef inline const YakuTable* table(Matching rules, const Deal* deal, uint64_t pile) noexcept nogil:
    """The rows that can count in a pile."""
    return &rules.other_yaku if rules.has_others and rules._counts_others(deal, pile) else &rules.yaku


cdef inline int points_of(Matching rules, const Deal* deal, uint64_t pile) noexcept nogil:
    """What the pile is worth now."""
    return pile_worth(table(rules, deal, pile), pile)


cdef inline uint32_t rows_made(Matching rules, const Deal* deal) noexcept nogil:
    """As `made_in_turn`, where the turn has gained cards."""
    cdef uint64_t pile = deal.pile[deal.asked]
    return yaku_made(table(rules, deal, pile), pile ^ deal.gained, deal.gained)


cdef inline void to_next_turn(Matching rules, Deal* deal, Log* log) noexcept nogil:
    """As `pass_turn`."""
    cdef int seat = after(deal, deal.asked)
    deal.gained = 0
    if deal.hand[seat]:
        deal.asked = <int8_t>seat
        deal.phase = PHASE_PLAY
    else:
        rules._run_out(deal, log)


# What a seat does

cdef void answer_for_hand(Matching rules, Deal* deal, int action, Log* log) noexcept nogil:
    """The asked seat declares its dealt hand, or does not."""
    cdef int seat = deal.asked
    if action != ACTION_PASS:
        course(deal).declared |= <uint8_t>(1 << seat)
        rules._declare(deal, action, log)
        return
    course(deal).passed |= <uint8_t>(1 << seat)
    log_event(log, EVENT_PASS, seat, 0, 0)
    rules.ask_dealt_hands(deal, log)


cdef void play(Matching rules, Deal* deal, int action, Log* log) noexcept nogil:
    """Play a hand card, and turn the stock."""
    cdef int card = (action - ACTION_PLAY) // 5
    play_card(rules, deal, card, caught(card, (action - ACTION_PLAY) % 5), log)


cdef inline void play_card(Matching rules, Deal* deal, int card, uint64_t taken, Log* log) noexcept nogil:
    """Play a hand card, which takes these of the field, and turn the stock.

    What changes is written once, at the end: what was just written would have to be waited for.
    """
    cdef int seat = deal.asked
    cdef int turned = deal.deck[deal.top]
    cdef uint64_t gained = gained_by(card, taken, taken | bit(card) & rules.straight)
    cdef uint64_t field = deal.field ^ taken | bit(card) & ~gained
    cdef uint64_t met = <uint64_t>month_nibble(field, turned) << month_base(turned)
    cdef uint64_t more, follows
    deal.top += 1
    deal.hand[seat] ^= bit(card)
    deal.shown[seat] &= ~bit(card)
    course(deal).by_hand = gained
    log_event(log, EVENT_PLAY, seat, bit(card), gained)
    if is_choice(month_nibble(field, turned)):
        deal.turned = <uint8_t>turned
        deal.phase = PHASE_TURNED
        deal.field = field
        gain(deal, gained)
        log_event(log, EVENT_TURN, seat, bit(turned), 0)
        return
    follows = bit(turned) & rules.straight | (month_nibble(gained, turned) if rules.kuitsuki else 0)
    more = gained_by(turned, met, met | follows)
    deal.field = field ^ met | bit(turned) & ~more
    gain(deal, gained | more)
    log_event(log, EVENT_TURN, seat, bit(turned), more)
    rules._settle(deal, log)


cdef inline void take_turned(Matching rules, Deal* deal, uint64_t taken, Log* log) noexcept nogil:
    """The turned card takes the chosen one of the field."""
    cdef int card = deal.turned
    deal.turned = NO_CARD
    deal.field ^= taken
    gain(deal, taken | bit(card))
    log_event(log, EVENT_TAKE, deal.asked, bit(card), taken | bit(card))
    rules._settle(deal, log)


cdef inline uint64_t gained_by(int card, uint64_t taken, uint64_t goes) noexcept nogil:
    """What the pile gains by a card that takes these of the field, and that goes there with them if there is any.

    Without a branch: none could be foreseen.
    """
    return (taken | bit(card)) & -<uint64_t>(goes != 0)


cdef inline void gain(Deal* deal, uint64_t cards) noexcept nogil:
    deal.pile[deal.asked] |= cards
    deal.gained |= cards
