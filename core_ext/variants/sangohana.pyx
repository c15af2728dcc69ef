# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Coral flower (``sangohana``), two to four seats: a rummy of three cards of one kind and five of another."""
cimport cython
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from core_ext.cards import cards_mask as mask_of, parse_cards
from core_ext.errors import ObservationError
from core_ext.variants.sangohana_table import INFO, KINDS, TERMS, YAKU

from core_ext.cards cimport NO_CARD, bit, lowest, popcount
from core_ext.events cimport (
    EVENT_DEAL, EVENT_DISCARD, EVENT_PASS, EVENT_PAY, EVENT_SCORE, EVENT_STOCK, EVENT_TAKE, EVENT_WIN, EventRow, Log,
    add_value, emit,
)
from core_ext.rng cimport choose, next64
from core_ext.table cimport (
    ENDED_RUN_OUT, ENDED_SAFEGUARD, ENDED_WIN, MAX_SEATS, PHASE_CLAIM, PHASE_DISCARD, PHASE_DRAW, PHASE_OVER, Deal,
    take_cards,
)
from core_ext.variant cimport FIRST_YAKU_NAME, Variant
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
    HAND = 7
    MONTHS = 12
    LAST_TURN = 200             # ends the month whatever happens (sangohana R2)
    WON_BY_DRAWING = 15         # added in one's first turn: 福上がり
    WON_AS_DEALT = 12           # added for a discard of the first round: 福当たり
    WON_CHANGED = 10
    RED_GOKO = FIRST_YAKU_NAME + 10
    BLUE_GOKO
    KIRI_GOKO
    POT
    LAST_POT

assert RED_GOKO == FIRST_YAKU_NAME + len(YAKU) and TERMS.index("last_pot") == LAST_POT - RED_GOKO

# In the order of KINDS.
cdef enum Kind:
    LIGHT
    ANIMAL
    RIBBON
    CHAFF
    KIND_COUNT

cdef uint64_t LIGHTS, ANIMALS, RIBBONS, CHAFFS
LIGHTS, ANIMALS, RIBBONS, CHAFFS = map(mask_of, KINDS)
cdef uint64_t POEMS = mask_of(parse_cards("1R 2R 3R"))
cdef uint64_t BLUES = mask_of(parse_cards("6R 9R 10R"))
cdef uint64_t KIRI = mask_of(parse_cards("12x 12y 12z"))
cdef uint64_t WILLOW = mask_of(parse_cards("11x"))

cdef enum:
    THREE_OR_FIVE = 1 << 0 | 1 << 3 | 1 << 5    # how many cards of a kind a hand may have, as bits

cdef int64_t CHOICES[48][6]     # how many ways there are to choose 0 to 5 of so many cards


cdef void count_choices() noexcept:
    cdef int n, k
    memset(CHOICES, 0, sizeof(CHOICES))
    for n in range(48):
        CHOICES[n][0] = 1
        for k in range(1, 6):
            if n:
                CHOICES[n][k] = CHOICES[n - 1][k - 1] + CHOICES[n - 1][k]


count_choices()


cdef struct Own:
    uint8_t turns           # finished in this month
    uint8_t run_outs        # months that the pot is from
    uint8_t fresh           # the card that the seat in turn has just drawn or taken; veiled: NO_CARD where not known
    uint8_t took            # whether it was taken
    uint8_t as_dealt        # in the first round, seats, as bits, that hold the seven cards they were dealt (sangohana R6)
    uint8_t known           # veiled only: seats, as bits, of which the viewer knows whether they do
    uint8_t suspects        # veiled only: seats, as bits, one of which must be asked for a claim; none: nobody need be
    uint8_t discarded       # how many discards lie there
    uint8_t discards[48]    # the last one last


cdef struct Hand:
    int row                 # of the table; its points are 0 where the cards are no hand
    int points
    int times_five
    int times_three


cdef inline Own* own(const Deal* deal) noexcept nogil:
    return <Own*>deal.own


cdef inline int pairs(uint64_t chaff) noexcept nogil:
    """How many months have two chaff that make a pair: they are k = 2 and k = 3, of month 12 too."""
    return popcount(chaff & chaff >> 1 & <uint64_t>0x444444444444)


cdef inline int last_discard(const Deal* deal) noexcept nogil:
    return own(deal).discards[own(deal).discarded - 1]


cdef inline int in_turn(const Deal* deal) noexcept nogil:
    """The seat whose turn it is, or whose it is once the last discard stands."""
    return (deal.dealer + own(deal).turns) % deal.seats


cdef inline int after(const Deal* deal, int seat) noexcept nogil:
    return seat + 1 if seat + 1 < deal.seats else 0


cdef inline int before(const Deal* deal, int seat) noexcept nogil:
    return (seat if seat else deal.seats) - 1


cdef inline bint is_over_unclaimed(const Deal* deal) noexcept nogil:
    """Whether the month ends with the last discard, if nobody wins it (sangohana R2, R3)."""
    return deal.top == deal.end or own(deal).turns == LAST_TURN


cdef inline bint is_first_round(const Deal* deal) noexcept nogil:
    """Whether a discard may be won, or may have been, before the dealer's second turn begins."""
    return own(deal).turns + (deal.phase == PHASE_DISCARD) <= deal.seats


@cython.final
cdef class Sangohana(Variant):
    """The rules of ``sangohana``."""

    cdef int rows[<int>KIND_COUNT][<int>KIND_COUNT]     # by the kinds of the three and the five
    cdef int points[16]                                 # by row
    cdef bint strict_pairs
    cdef int strict_kiri_times
    cdef bint strict_three

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats)
        memset(self.rows, 0, sizeof(self.rows))
        for number, row in enumerate(YAKU):
            self.points[<int>number] = row.points
            for three in row.threes:
                self.rows[<int>KINDS.index(three)][<int>KINDS.index(row.cards)] = number
        self.strict_pairs = options["strict_pairs"]
        self.strict_kiri_times = options["strict_kiri_times"]
        self.strict_three = options["strict_three"]

    # Hands

    cdef inline bint is_hand(self, uint64_t cards) noexcept nogil:
        """Whether eight cards are a hand."""
        cdef int chaff = popcount(cards & CHAFFS)
        if not (
            THREE_OR_FIVE >> chaff
            & THREE_OR_FIVE >> popcount(cards & RIBBONS)
            & THREE_OR_FIVE >> popcount(cards & ANIMALS)
            & THREE_OR_FIVE >> popcount(cards & LIGHTS)
            & 1
        ):
            return False
        if chaff == 5:
            return pairs(cards & CHAFFS) > self.strict_pairs
        return chaff == 0 or not self.strict_three or pairs(cards & CHAFFS) > 0

    cdef Hand read_hand(self, uint64_t cards) noexcept nogil:
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
        hand.row = self.rows[three][five]
        hand.points = self.points[hand.row]
        hand.times_five = self.times_of_five(cards & CHAFFS) if five == CHAFF else 1
        hand.times_three = times_of_three(cards & cards_of(three))
        return hand

    cdef int times_of_five(self, uint64_t chaff) noexcept nogil:
        cdef bint two_pairs = pairs(chaff) == 2
        cdef bint has_kiri = chaff & KIRI == KIRI
        if self.strict_pairs:
            return self.strict_kiri_times if has_kiri else 2 if chaff & WILLOW else 1
        if two_pairs and has_kiri:
            return 4
        if has_kiri or (two_pairs and chaff & WILLOW):
            return 3
        return 2 if two_pairs else 1

    # The deal

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        cdef Own* mine = own(deal)
        cdef EventRow* row
        cdef int seat
        for seat in range(deal.seats):
            deal.hand[seat] = take_cards(deal, HAND)
        mine.turns = mine.took = mine.discarded = 0
        mine.known = mine.suspects = 0
        mine.fresh = NO_CARD
        mine.as_dealt = <uint8_t>((1 << deal.seats) - 1)
        deal.phase = PHASE_DRAW
        if log != NULL:
            row = emit(log, EVENT_DEAL, deal.dealer, 0, 0)
            add_value(row, deal.month)
            add_value(row, deal.attempt)

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
        elif self.is_hand(cards):
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
        if log != NULL:
            emit(log, EVENT_TAKE if mine.took else EVENT_STOCK, seat, bit(mine.fresh), 0)

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
        if log != NULL:
            emit(log, EVENT_DISCARD, seat, bit(card), 0)
        self.ask_for_claim(deal, after(deal, seat), log)

    cdef void ask_for_claim(self, Deal* deal, int seat, Log* log) noexcept nogil:
        """Asks the first seat from this one on whose hand the discard completes; if there is none, play goes on."""
        cdef int next_seat = in_turn(deal)
        cdef int discarder = before(deal, next_seat)
        cdef uint64_t discard = bit(last_discard(deal))
        while seat != discarder:
            if self.is_hand(deal.hand[seat] | discard):
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
            if log != NULL:
                emit(log, EVENT_PASS, seat, 0, 0)
            self.ask_for_claim(deal, after(deal, seat), log)
            return
        if is_first_round(deal):
            added = WON_AS_DEALT if own(deal).as_dealt >> seat & 1 else WON_CHANGED
        discard = bit(self.lift_discard(deal))
        deal.hand[seat] |= discard
        self.win(deal, added, discard, log)

    # The score of a month

    cdef void win(self, Deal* deal, int added, uint64_t discard, Log* log) noexcept nogil:
        """Every other seat pays the asked seat its hand, and it takes the pot; a dealer is paid for that once more."""
        cdef Own* mine = own(deal)
        cdef int winner = deal.asked
        cdef Hand hand = self.read_hand(deal.hand[winner])
        cdef int value = hand.points * hand.times_five * hand.times_three + added
        cdef int extra = mine.run_outs if winner == deal.dealer else 0
        cdef int pot = self.pot(deal)
        cdef EventRow* row
        cdef int seat
        for seat in range(deal.seats):
            deal.score[seat] = -(value + extra)
        deal.score[winner] = (value + extra) * (deal.seats - 1) + pot
        deal.shown[winner] = deal.hand[winner]
        if log != NULL:
            row = emit(log, EVENT_WIN, winner, deal.hand[winner], discard)
            row.name = <uint8_t>name_of(&hand, deal.hand[winner])
            add_value(row, hand.points)
            add_value(row, hand.times_five)
            add_value(row, hand.times_three)
            add_value(row, added)
            row = emit(log, EVENT_SCORE, winner, 0, 0)
            row.name = <uint8_t>(FIRST_YAKU_NAME + hand.row)
            add_value(row, value)
            if pot:
                row = emit(log, EVENT_PAY, winner, 0, 0)
                row.name = POT
                for seat in range(deal.seats):
                    add_value(row, pot + extra * (deal.seats - 1) if seat == winner else -extra)
        mine.run_outs = 0
        self.end_deal(deal, ENDED_WIN, winner, log)

    cdef inline int pot(self, const Deal* deal) noexcept nogil:
        """What lies in the pot: two from the dealer and one from every other seat for each run-out month."""
        return own(deal).run_outs * (deal.seats + 1)

    cdef void run_out(self, Deal* deal, int ended, Log* log) noexcept nogil:
        """Every seat pays into the pot; after the last month it goes to the final winner instead."""
        cdef int64_t shares[MAX_SEATS]
        cdef EventRow* row
        cdef int seat
        if deal.month < MONTHS:
            for seat in range(deal.seats):
                deal.score[seat] = shares[seat] = -2 if seat == deal.dealer else -1
            own(deal).run_outs += 1
        else:
            self.share_last_pot(deal, shares)
        if log != NULL and self.pot(deal):
            row = emit(log, EVENT_PAY, -1, 0, 0)
            row.name = POT if deal.month < MONTHS else LAST_POT
            for seat in range(deal.seats):
                add_value(row, shares[seat])
        self.end_deal(deal, ended, -1, log)

    cdef void share_last_pot(self, const Deal* deal, int64_t* shares) noexcept nogil:
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
            shares[seat] = self.pot(deal) // winners if deal.balance[seat] == best else 0
        while deal.balance[first] != best:
            first = after(deal, first)
        shares[first] += self.pot(deal) % winners

    # From deal to deal

    cdef bint _is_last(self, const Deal* deal) noexcept nogil:
        return deal.month >= MONTHS

    cdef void _next(self, Deal* deal) noexcept nogil:
        deal.month += 1
        if deal.winner >= 0:
            deal.dealer = <uint8_t>deal.winner

    cdef void _results(self, const Deal* deal, int64_t* results) noexcept nogil:
        cdef int seat
        self.share_last_pot(deal, results)
        for seat in range(deal.seats):
            results[seat] += deal.balance[seat]

    # What a seat may know

    cdef void _face(self, const Deal* deal, uint8_t* phase, int8_t* asked) noexcept nogil:
        """A claim is asked for in secret: for the others the next seat draws, even where there is no next turn."""
        phase[0] = deal.phase
        asked[0] = deal.asked
        if deal.phase == PHASE_CLAIM:
            phase[0] = PHASE_DRAW
            asked[0] = <int8_t>in_turn(deal)

    cdef void _veil(self, Deal* deal, const Deal* full, int seat) noexcept nogil:
        cdef Own* mine = own(deal)
        cdef int next_seat = in_turn(full)
        cdef int other = full.dealer
        cdef int turn
        if full.phase == PHASE_OVER:
            return
        for turn in range(full.seats):
            if turn >= mine.turns or other == seat or full.shown[other]:
                mine.known |= <uint8_t>(1 << other)
            other = after(full, other)
        mine.as_dealt &= mine.known
        if not mine.took and next_seat != seat:
            mine.fresh = NO_CARD
        if full.phase == PHASE_CLAIM and deal.phase == PHASE_DRAW:
            # a seat that could claim has been asked unless its turn comes after that of the seat that is
            mine.suspects = self.suspects(deal, seat, seat >= 0 and comes_first(full, seat, full.asked))

    cdef uint8_t suspects(self, const Deal* deal, int seat, bint has_passed) noexcept nogil:
        """Of a veiled deal in which the seat is not asked and the next is to draw, if nobody is asked for a claim: the
        seats of which the viewer knows that one is, none if it cannot tell.

        It can tell when its own claim has not been asked for yet, when its own turn does not come, and when the
        month is not over.
        """
        cdef int next_seat = in_turn(deal)
        cdef int discarder = before(deal, next_seat)
        cdef int first = next_seat
        cdef int end = discarder
        cdef uint8_t found = 0
        if not own(deal).turns:
            return 0
        if seat >= 0 and seat != discarder and self.is_hand(deal.hand[seat] | bit(last_discard(deal))):
            if has_passed:
                first = after(deal, seat)
            else:
                end = seat
        if end == discarder and not is_over_unclaimed(deal) and next_seat != seat:
            return 0
        while first != end:
            if first != seat:
                found |= <uint8_t>(1 << first)
            first = after(deal, first)
        return found

    cdef void _arrange(self, Deal* deal, int seat, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
        cdef Own* mine = own(deal)
        cdef int other
        for other in range(deal.seats):
            # Of the eight cards that a seat had in its turn, each is as likely to be the one drawn.
            if deal.phase != PHASE_OVER and is_first_round(deal) and not mine.known >> other & 1:
                mine.as_dealt |= <uint8_t>((choose(rng, HAND + 1) == 0) << other)
        mine.known = 0
        if mine.suspects:
            self.deal_claim(deal, unseen, count, rng)
        if deal.phase == PHASE_DISCARD and mine.fresh == NO_CARD:
            mine.fresh = self.any_unshown(deal, unseen, rng)

    cdef uint8_t any_unshown(self, const Deal* deal, const uint8_t* unseen, uint64_t* rng) noexcept nogil:
        """A card of the asked seat's hand, to be laid out of the unseen ones, that it may have drawn."""
        cdef uint64_t known = deal.hand[deal.asked] & ~deal.shown[deal.asked]
        cdef int hidden = deal.held[deal.asked] - popcount(deal.hand[deal.asked])
        cdef int pick = choose(rng, hidden + popcount(known))
        if pick < hidden:
            return unseen[hidden_before(deal, deal.asked) + pick]
        return <uint8_t>lowest(some_of(known, 1, rng))

    cdef void deal_claim(self, Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
        """Gives a suspect, who is then asked, three and five with the discard: each way to do so for any of them is equally
        likely. Whether they have the pairs, and whether an earlier suspect has a claim too, is for `_accept`.
        """
        cdef int64_t ways[<int>MAX_SEATS * <int>KIND_COUNT * <int>KIND_COUNT]
        cdef uint8_t rest[48]
        cdef uint64_t chosen, hidden = 0
        cdef int64_t total = 0
        cdef int64_t pick
        cdef int i, suspect, three, five, offset
        cdef int kept = 0
        for i in range(count):
            hidden |= bit(unseen[i])
        for i in range(<int>MAX_SEATS * <int>KIND_COUNT * <int>KIND_COUNT):
            ways[i] = 0
            if own(deal).suspects >> (i >> 4) & 1:
                ways[i] = ways_to_complete(known_of_claim(deal, i >> 4), hidden, i >> 2 & 3, i & 3)
            total += ways[i]
        if not total:
            return
        pick = <int64_t>(next64(rng) % <uint64_t>total)
        i = 0
        while pick >= ways[i]:
            pick -= ways[i]
            i += 1
        suspect, three, five = i >> 4, i >> 2 & 3, i & 3
        chosen = known_of_claim(deal, suspect)
        chosen = some_of(hidden & cards_of(three), 3 - popcount(chosen & cards_of(three)), rng) | some_of(
            hidden & cards_of(five), 5 - popcount(chosen & cards_of(five)), rng
        )
        deal.asked = <int8_t>suspect
        for i in range(count):
            if not chosen >> unseen[i] & 1:
                rest[kept] = unseen[i]
                kept += 1
        offset = hidden_before(deal, suspect)
        for i in range(kept):
            unseen[i if i < offset else i + count - kept] = rest[i]
        while chosen:
            unseen[offset] = <uint8_t>lowest(chosen)
            offset += 1
            chosen &= chosen - 1

    cdef bint _accept(self, Deal* deal, int seat, Log* log) noexcept nogil:
        cdef Own* mine = own(deal)
        cdef int claimant = in_turn(deal)
        cdef int discarder = before(deal, claimant)
        cdef uint64_t discard
        if mine.turns == 0 or (deal.phase != PHASE_DRAW and deal.phase != PHASE_CLAIM):
            return True
        discard = bit(last_discard(deal))
        if mine.suspects:
            if not self.is_hand(deal.hand[deal.asked] | discard):
                return False
            while claimant != deal.asked:
                if mine.suspects >> claimant & 1 and self.is_hand(deal.hand[claimant] | discard):
                    return False
                claimant = after(deal, claimant)
            deal.phase = PHASE_CLAIM
            mine.suspects = 0
            claimant = in_turn(deal)
        while claimant != discarder and not (deal.phase == PHASE_CLAIM and claimant == deal.asked):
            if claimant != seat and log != NULL and self.is_hand(deal.hand[claimant] | discard):
                emit(log, EVENT_PASS, claimant, 0, 0)
            claimant = after(deal, claimant)
        return True

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
        add_counter(view, COUNTER_POT, -1, self.pot(deal))
        if is_first_round(deal):
            for seat in range(deal.seats):
                if mine.known >> seat & 1:
                    add_counter(view, COUNTER_AS_DEALT, seat, mine.as_dealt >> seat & 1)

    cdef int _restore(self, Deal* deal, observation) except -1:
        cdef Own* mine = own(deal)
        cdef int seat = observation.seat
        cdef bint has_passed = False
        memset(mine, 0, sizeof(Own))
        mine.fresh = NO_CARD
        for counter in observation.counters:
            if counter.name == "turns" and 0 <= counter.value <= LAST_TURN:
                mine.turns = counter.value
            elif counter.name == "run_outs" and 0 <= counter.value < MONTHS:
                mine.run_outs = counter.value
            elif counter.name == "as_dealt" and counter.seat >= 0:
                mine.known |= <uint8_t>(1 << <int>counter.seat)
                mine.as_dealt |= <uint8_t>((counter.value != 0) << <int>counter.seat)
        for zone in observation.zones:
            if zone.kind == "discard" and zone.count == len(zone.cards):
                for card in reversed(zone.cards):
                    mine.discards[mine.discarded] = card
                    mine.discarded += 1
        for event in observation.events:
            if event.kind == "take" or event.kind == "stock":
                mine.took = event.kind == "take"
                mine.fresh = event.cards[0] if event.cards else NO_CARD
            elif event.kind == "discard":
                mine.took = has_passed = False
                mine.fresh = NO_CARD
            elif event.kind == "pass" and event.seat == seat:
                has_passed = True
        if deal.phase == PHASE_OVER:
            return 0
        if deal.phase == PHASE_DRAW and not observation.legal:
            mine.suspects = self.suspects(deal, seat, has_passed)
        self.check_restored(deal, observation)
        return 0

    cdef int check_restored(self, Deal* deal, observation) except -1:
        """ObservationError unless rules that are applied to the deal find what they rely on."""
        cdef Own* mine = own(deal)
        cdef int other
        cdef bint fits = in_turn(deal) == observation.turn and mine.discarded == popcount(deal.field)
        fits = fits and mine.run_outs < deal.month
        for other in range(deal.seats):
            fits = fits and deal.held[other] == HAND + (deal.phase == PHASE_DISCARD and other == deal.asked)
        if deal.phase == PHASE_DISCARD:
            fits = fits and mine.turns < LAST_TURN and deal.asked == observation.turn
            fits = fits and deal.waiting == 0 and self.is_fresh_of(deal)
        elif deal.phase == PHASE_CLAIM:
            fits = fits and mine.turns > 0 and mine.discarded > 0 and deal.asked != before(deal, observation.turn)
            fits = fits and self.is_hand(deal.hand[deal.asked] | bit(last_discard(deal)))
        elif deal.phase == PHASE_DRAW:
            fits = fits and (mine.turns == 0) == (mine.discarded == 0)
            fits = fits and (mine.suspects != 0 or (deal.waiting == 0 and not is_over_unclaimed(deal)))
        else:
            fits = False
        if not fits:
            raise ObservationError(
                f"in phase {observation.phase!r} after {mine.turns} turns, seat {observation.turn} in turn, there cannot be "
                f"{mine.discarded} discards, a stock of {deal.end - deal.top} and hands of "
                f"{', '.join(str(deal.held[other]) for other in range(deal.seats))}"
            )
        return 0

    cdef bint is_fresh_of(self, const Deal* deal) noexcept nogil:
        """Whether the card just drawn or taken lies where it must, or may."""
        cdef const Own* mine = own(deal)
        cdef int seat = deal.asked
        if mine.took:
            return mine.fresh != NO_CARD and deal.shown[seat] >> mine.fresh & 1
        if mine.fresh != NO_CARD:
            return deal.hand[seat] >> mine.fresh & 1
        return deal.held[seat] > popcount(deal.shown[seat])

    cdef bytes _pack_own(self, const Deal* deal):
        cdef const Own* mine = own(deal)
        cdef int i
        return bytes(
            [mine.turns, mine.run_outs, mine.fresh, mine.took, mine.as_dealt]
            + [mine.discards[i] for i in range(mine.discarded)]
        )


cdef inline uint64_t cards_of(int kind) noexcept nogil:
    return LIGHTS if kind == LIGHT else ANIMALS if kind == ANIMAL else RIBBONS if kind == RIBBON else CHAFFS


cdef inline int times_of_three(uint64_t three) noexcept nogil:
    return 3 if three == KIRI else 2 if three == POEMS or three == BLUES else 1


cdef int name_of(const Hand* hand, uint64_t cards) noexcept nogil:
    """The hand's name as it is told: some hands of five lights have names of their own with their times."""
    if hand.times_three > 1 and cards & LIGHTS == LIGHTS:
        return RED_GOKO if cards & POEMS else BLUE_GOKO if cards & BLUES else KIRI_GOKO
    return FIRST_YAKU_NAME + hand.row


cdef bint comes_first(const Deal* deal, int seat, int other) noexcept nogil:
    """Whether the seat is asked for a claim before the other."""
    cdef int next_seat = in_turn(deal)
    return (seat + deal.seats - next_seat) % deal.seats < (other + deal.seats - next_seat) % deal.seats


cdef inline int hidden_before(const Deal* deal, int seat) noexcept nogil:
    """How many hidden cards the hands of the seats before this one have."""
    cdef int hidden = 0
    cdef int other
    for other in range(seat):
        hidden += deal.held[other] - popcount(deal.hand[other])
    return hidden


cdef inline uint64_t known_of_claim(const Deal* deal, int seat) noexcept nogil:
    """What a viewer knows of the eight cards with which a seat would claim."""
    return deal.shown[seat] | bit(last_discard(deal))


cdef int64_t ways_to_complete(uint64_t known, uint64_t hidden, int three, int five) noexcept nogil:
    """How many choices of hidden cards make known ones three and five of these kinds."""
    cdef int needs_three = 3 - popcount(known & cards_of(three))
    cdef int needs_five = 5 - popcount(known & cards_of(five))
    if three == five or known & ~(cards_of(three) | cards_of(five)) or needs_three < 0 or needs_five < 0:
        return 0
    return (
        CHOICES[popcount(hidden & cards_of(three))][needs_three] * CHOICES[popcount(hidden & cards_of(five))][needs_five]
    )


cdef uint64_t some_of(uint64_t cards, int count, uint64_t* rng) noexcept nogil:
    """So many of the cards, each choice equally likely."""
    cdef uint64_t chosen = 0
    cdef uint64_t left
    cdef int skip
    while count:
        left = cards & ~chosen
        skip = choose(rng, popcount(left))
        while skip:
            left &= left - 1
            skip -= 1
        chosen |= left & (~left + 1)
        count -= 1
    return chosen


VARIANT = Sangohana
