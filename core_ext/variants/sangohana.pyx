# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Coral flower (``sangohana``), two to four seats: a rummy of three cards of one kind and five of another."""
cimport cython
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from core_ext.cards import cards_mask, parse_cards
from core_ext.variants.sangohana_table import INFO, KINDS, TERMS, TITLES, YAKU

from core_ext.cards cimport ANIMALS_MASK, CHAFF_MASK, LIGHTS_MASK, NO_CARD, RIBBONS_MASK, bit, lowest, popcount
from core_ext.events cimport (
    EVENT_DISCARD, EVENT_PASS, EVENT_PAY, EVENT_SCORE, EVENT_STOCK, EVENT_TAKE, EVENT_WIN, EventRow, Log, add_value,
    emit, log_by_seat, log_event, log_total, log_value,
)
from core_ext.table cimport (
    ENDED_RUN_OUT, ENDED_SAFEGUARD, ENDED_WIN, MAX_SEATS, OWN_WORDS, PHASE_CLAIM, PHASE_DISCARD, PHASE_DRAW, Deal,
    after, take_cards,
)
from core_ext.variant cimport FIRST_YAKU_NAME, Variant
from core_ext.variants cimport sangohana_views as views
from core_ext.variants.sangohana_month cimport (
    CHAFF, HAND_CARDS, KIND_COUNT, LAST_TURN, LIGHT, MONTHS, HandRules, Own, before, cards_of, in_turn,
    is_first_round, is_hand, last_discard, own, pairs,
)
from core_ext.zones cimport (
    COUNTER_AS_DEALT, COUNTER_POT, COUNTER_RUN_OUTS, COUNTER_TURNS, ZONE_DISCARD, CounterRow, View, ZoneRow, add_counter, add_zone,
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

# Names of events beside the yaku.
cdef enum:
    FIRST_TITLE = FIRST_YAKU_NAME + 10
    POT = FIRST_TITLE + 3
    LAST_POT

assert sizeof(Own) <= 8 * OWN_WORDS
assert FIRST_TITLE == FIRST_YAKU_NAME + len(YAKU) and POT == FIRST_TITLE + len(TITLES)
assert TERMS[POT - FIRST_TITLE :] == ("pot", "last_pot")
assert [LIGHTS_MASK, ANIMALS_MASK, RIBBONS_MASK, CHAFF_MASK] == [cards_mask(kind) for kind in KINDS]

cdef uint64_t POEMS = cards_mask(parse_cards("1R 2R 3R"))
cdef uint64_t BLUES = cards_mask(parse_cards("6R 9R 10R"))
cdef uint64_t KIRI = cards_mask(parse_cards("12x 12y 12z"))
cdef uint64_t WILLOW = cards_mask(parse_cards("11x"))


cdef struct Hand:
    int row                 # of the table
    int points
    int times_five
    int times_three


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
        mine.turns = mine.took = mine.known = mine.suspects = 0
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
        mine.discards[popcount(deal.field)] = <uint8_t>card
        deal.field |= bit(card)
        mine.turns += 1
        if card != mine.fresh:
            mine.as_dealt &= ~<uint8_t>(1 << seat)
        mine.fresh = NO_CARD
        mine.took = False
        log_event(log, EVENT_DISCARD, seat, bit(card), 0)
        self.ask_for_claim(deal, after(deal, seat), log)

    cdef void ask_for_claim(self, Deal* deal, int seat, Log* log) noexcept nogil:
        """Ask the first seat from this one on whose hand the discard completes; if there is none, play goes on."""
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
        """Every other seat pays the asked seat its hand, and it takes the pot; a dealer is paid for that once more."""
        cdef int winner = deal.asked
        cdef Hand hand = read_hand(&self.hands, deal.hand[winner])
        cdef int value = hand.points * hand.times_five * hand.times_three + added
        cdef int extra = own(deal).run_outs if winner == deal.dealer else 0
        cdef int pot = pot_of(deal)
        cdef int64_t paid[MAX_SEATS]
        cdef EventRow* row
        cdef int seat
        for seat in range(deal.seats):
            deal.score[seat] = -(value + extra)
            paid[seat] = -extra
        deal.score[winner] = (value + extra) * (deal.seats - 1) + pot
        deal.shown[winner] = deal.hand[winner]
        if log != NULL:
            row = emit(log, EVENT_WIN, winner, deal.hand[winner], discard)
            row.name = <uint8_t>name_of(&hand, deal.hand[winner])
            add_value(row, hand.points)
            add_value(row, hand.times_five)
            add_value(row, hand.times_three)
            add_value(row, added)
            log_value(log, EVENT_SCORE, winner, 0, FIRST_YAKU_NAME + hand.row, value)
            log_total(log, winner, value, 0, 1, deal.seats - 1)
            if pot:
                paid[winner] = pot + extra * (deal.seats - 1)
                log_by_seat(log, EVENT_PAY, winner, POT, paid, deal.seats)
        own(deal).run_outs = 0
        self.end_deal(deal, ENDED_WIN, winner, log)

    cdef void run_out(self, Deal* deal, int ended, Log* log) noexcept nogil:
        """Every seat pays into the pot; after the last month it goes to the final winner instead."""
        cdef int64_t shares[MAX_SEATS]
        cdef int seat
        if deal.month < MONTHS:
            for seat in range(deal.seats):
                deal.score[seat] = shares[seat] = -2 if seat == deal.dealer else -1
            own(deal).run_outs += 1
        else:
            share_last_pot(deal, shares)
        if pot_of(deal):
            log_by_seat(log, EVENT_PAY, -1, POT if deal.month < MONTHS else LAST_POT, shares, deal.seats)
        self.end_deal(deal, ended, -1, log)

    cdef void _results(self, const Deal* deal, int64_t* results) noexcept nogil:
        cdef int seat
        share_last_pot(deal, results)
        for seat in range(deal.seats):
            results[seat] += deal.balance[seat]

    # What a seat may know

    cdef void _public_phase(self, const Deal* deal, uint8_t* phase, int8_t* asked) noexcept nogil:
        """A claim is asked for in secret: for the others the next seat draws, even where there is no next turn."""
        phase[0] = PHASE_DRAW if deal.phase == PHASE_CLAIM else deal.phase
        asked[0] = <int8_t>in_turn(deal) if deal.phase == PHASE_CLAIM else deal.asked

    cdef void _mask(self, Deal* deal, const Deal* full, int seat) noexcept nogil:
        views.mask(&self.hands, deal, full, seat)

    cdef void _constrain_sample(self, Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
        views.constrain_sample(deal, unseen, count, rng)

    cdef bint _validate_sample(self, Deal* deal, int seat, Log* log) noexcept nogil:
        return views.validate_sample(&self.hands, deal, seat, log)

    cdef void _zones(self, const Deal* deal, View* view) noexcept nogil:
        cdef int count = popcount(deal.field)
        cdef ZoneRow* discard = add_zone(view, ZONE_DISCARD, -1, count)
        cdef int i
        for i in range(count - 1, -1, -1):
            know(discard, own(deal).discards[i])

    cdef CounterRow* _counters(self, const Deal* deal, CounterRow* row) noexcept nogil:
        cdef const Own* mine = own(deal)
        cdef int seat
        row = add_counter(row, COUNTER_TURNS, -1, mine.turns)
        row = add_counter(row, COUNTER_RUN_OUTS, -1, mine.run_outs)
        row = add_counter(row, COUNTER_POT, -1, pot_of(deal))
        if is_first_round(deal):
            for seat in range(deal.seats):
                if mine.known >> seat & 1:
                    row = add_counter(row, COUNTER_AS_DEALT, seat, mine.as_dealt >> seat & 1)
        return row

    cdef int _restore(self, Deal* deal, observation, dict counters) except -1:
        return views.restore(&self.hands, deal, observation, counters)

    cdef bytes _pack_own(self, const Deal* deal):
        cdef const Own* mine = own(deal)
        fields = bytes([mine.turns, mine.run_outs, mine.fresh, mine.took, mine.as_dealt])
        return fields + (<const char*>mine.discards)[: popcount(deal.field)]


cdef int compile_hands(HandRules* rules, options) except -1:
    """The rules for hands under these options."""
    memset(rules, 0, sizeof(HandRules))
    for number, row in enumerate(YAKU):
        rules.points[<int>number] = row.points
        for three in row.threes:
            rules.rows[<int>KINDS.index(three)][<int>KINDS.index(row.cards)] = number
    rules.strict_pairs = options["strict_pairs"]
    rules.strict_kiri_times = options["strict_kiri_times"]
    rules.strict_three = options["strict_three"]
    return 0


cdef Hand read_hand(const HandRules* rules, uint64_t cards) noexcept nogil:
    """Row, points and times of eight cards that are a hand."""
    cdef Hand hand
    cdef int three = LIGHT
    cdef int five = LIGHT
    cdef int kind, count
    for kind in range(<int>KIND_COUNT):
        count = popcount(cards & cards_of(kind))
        if count == 3:
            three = kind
        elif count == 5:
            five = kind
    hand.row = rules.rows[three][five]
    hand.points = rules.points[hand.row]
    hand.times_five = times_of_five(rules, cards & CHAFF_MASK) if five == CHAFF else 1
    hand.times_three = times_of_three(cards & cards_of(three))
    return hand


cdef int times_of_five(const HandRules* rules, uint64_t chaff) noexcept nogil:
    cdef bint two_pairs = pairs(chaff) == 2
    cdef bint has_kiri = chaff & KIRI == KIRI
    if rules.strict_pairs:
        return rules.strict_kiri_times if has_kiri else 2 if chaff & WILLOW else 1
    if two_pairs and has_kiri:
        return 4
    if has_kiri or (two_pairs and chaff & WILLOW):
        return 3
    return 2 if two_pairs else 1


cdef int times_of_three(uint64_t three) noexcept nogil:
    return 3 if three == KIRI else 2 if three == POEMS or three == BLUES else 1


cdef int name_of(const Hand* hand, uint64_t cards) noexcept nogil:
    """The hand's name in events: of five lights with the times of their three a name of its own."""
    if hand.times_three == 1 or cards & LIGHTS_MASK != LIGHTS_MASK:
        return FIRST_YAKU_NAME + hand.row
    return FIRST_TITLE + (0 if cards & POEMS else 1 if cards & BLUES else 2)


cdef inline int pot_of(const Deal* deal) noexcept nogil:
    """What lies in the pot: two from the dealer and one from every other seat for each run-out month."""
    return own(deal).run_outs * (deal.seats + 1)


cdef void share_last_pot(const Deal* deal, int64_t* shares) noexcept nogil:
    """The pot to the seats with the most chips; the rest to the first from the last dealer on (sangohana R4)."""
    cdef int64_t best = deal.balance[0]
    cdef int winners = 0
    cdef int first = deal.dealer
    cdef int seat
    for seat in range(deal.seats):
        best = max(best, deal.balance[seat])
    for seat in range(deal.seats):
        winners += deal.balance[seat] == best
    for seat in range(deal.seats):
        shares[seat] = pot_of(deal) // winners if deal.balance[seat] == best else 0
    while deal.balance[first] != best:
        first = after(deal, first)
    shares[first] += pot_of(deal) % winners


VARIANT = Sangohana
