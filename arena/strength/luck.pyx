# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Luck: what each card that came was worth, beside the cards that could have come in its place.

For each chance event, the value after it less the mean of the value over all that could have happened, given what was
fixed before. Values are means of playouts by the policy, of which fixed shares count: what a stop at the first chance
would have brought, and what the playout brought in the end. The mean of what is found is 0 whatever policy and shares
are: the true card is valued as each of the others is, on the same dice, and dice do not depend on what came.
"""
from typing import NamedTuple

from core_ext.errors import IllegalActionError

from arena.strength.policy import policy_of

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from core_ext.cards cimport NO_CARD
from core_ext.notation cimport ACTION_STOP
from core_ext.rng cimport choose, next64
from core_ext.state cimport State
from core_ext.table cimport ENDED_REDEAL, MAX_LEGAL, MAX_SEATS, PHASE_ENDED, PHASE_SETTLE, Deal
from core_ext.variant cimport Variant
from core_ext.views cimport mask_deal

from arena.strength.network cimport Network
from arena.strength.policy cimport Memory, Policy


cdef enum:
    MAX_SHARES = 4
    MAX_KOI = 3             # in a playout, which stops at the next chance: doublings without end would drown all other luck


class Shares(NamedTuple):
    first_stop: float
    end: float


class Chance(NamedTuple):
    decision: int
    is_deal: bool
    luck: tuple


@cython.final
cdef class Luck:
    """The luck of a match, found event by event."""

    cdef Policy policy
    cdef Variant rules
    cdef uint8_t key[32]
    cdef uint64_t seed
    cdef uint64_t rng       # begun anew with each deal, so that games on the same cards are measured by the same dice
    cdef double first_stop_shares[MAX_SHARES]   # by how often a seat has said koi; the last for all that is more
    cdef double end_shares[MAX_SHARES]
    cdef int share_count
    cdef double first_stop_share                # of the event that is valued
    cdef double end_share
    cdef int64_t card_pairs
    cdef int64_t deal_playouts
    cdef uint32_t heat
    cdef double luck[MAX_SEATS]
    cdef int64_t first_stop[MAX_SEATS]          # the balances after the last playout, had its first chance to stop been taken
    cdef Memory known       # of a position that those valued are near to
    cdef readonly int64_t decisions

    def __init__(
        self, State state not None, Network network not None, seed, shares, card_pairs, deal_playouts, uint32_t heat
    ):
        cdef int i
        if not 1 <= len(shares) <= MAX_SHARES:
            raise ValueError(f"{len(shares)} pairs of shares are not 1 to {MAX_SHARES}")
        self.policy = policy_of(state, network)
        self.rules = state.rules
        for i in range(32):
            self.key[i] = state.key[i]
        self.seed = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
        self.share_count = len(shares)
        for i, (first_stop, end) in enumerate(shares):
            self.first_stop_shares[<int>i] = first_stop
            self.end_shares[<int>i] = end
        self.card_pairs = card_pairs
        self.deal_playouts = deal_playouts
        self.heat = heat
        self.policy.forget(&self.known)

    def of_match(self, codes):
        """The chance events of a match with these actions, in their order; IllegalActionError."""
        cdef Deal deal
        cdef Deal base      # the deal before this one, as it ended
        cdef bint is_first = True
        cdef int number = 0
        cdef int code
        found = []
        rest = iter(codes)
        self.rules.begin(&deal, self.key, NULL)
        base = deal
        while True:
            self.rng = self.seed + <uint64_t>(256 * deal.month + deal.attempt) * <uint64_t>0xD1B54A32D192ED03
            if deal.phase != PHASE_ENDED or deal.ended != ENDED_REDEAL:
                self.use_shares(0)
                with nogil:
                    self.value_dealt(&deal, &base, is_first)
                found.append(Chance(number, True, self.margins()))
            while deal.phase != PHASE_ENDED:
                code = next(rest, -1)
                if code < 0:
                    return found
                self.must_be_legal(&deal, code)
                number += 1
                self.use_shares(koi_said(&deal))
                with nogil:
                    happened = self.value_card(&deal, code)
                    self.rules._apply(&deal, self.key, code, NULL)
                if happened:
                    found.append(Chance(number, False, self.margins()))
            if deal.ended != ENDED_REDEAL:
                base = deal
                is_first = False
            if self.rules._is_last(&deal):
                return found
            self.rules.next_deal(&deal, self.key, NULL, NULL)

    cdef void use_shares(self, int koi) noexcept:
        cdef int which = min(koi, self.share_count - 1)
        self.first_stop_share = self.first_stop_shares[which]
        self.end_share = self.end_shares[which]

    cdef int must_be_legal(self, const Deal* deal, int code) except -1:
        cdef uint16_t legal[MAX_LEGAL]
        cdef int i
        for i in range(self.rules._legal(deal, legal)):
            if legal[i] == code:
                return 0
        raise IllegalActionError(code, f"the action {code} is not legal there")

    cdef tuple margins(self):
        """What the event brought each seat beyond the others' mean."""
        cdef int seats = self.rules.seats
        cdef double total = 0
        cdef int seat
        for seat in range(seats):
            total += self.luck[seat]
        return tuple([self.luck[seat] - (total - self.luck[seat]) / (seats - 1) for seat in range(seats)])

    cdef void value_dealt(self, const Deal* dealt, const Deal* base, bint is_first) noexcept nogil:
        """The value of the dealt cards, less that of cards dealt anew."""
        cdef uint8_t deck[48]
        cdef Deal deal
        cdef int64_t i
        cdef int seat, card
        for seat in range(self.rules.seats):
            self.luck[seat] = 0
        self.policy.learn(dealt, &self.known)
        for card in range(self.rules.cards):
            deck[card] = <uint8_t>card
        for i in range(self.deal_playouts):
            deal = dealt[0]
            if deal.phase != PHASE_ENDED:
                self.shuffle_stock(&deal)
            self.play(&deal, next64(&self.rng))
            self.add(&deal, base, 1.0 / self.deal_playouts)
            deal = base[0]
            while True:
                self.shuffle_cards(deck, self.rules.cards)
                if is_first:
                    self.rules.begin_at(&deal, deck, 1, dealt.attempt, dealt.dealer, NULL)
                else:
                    self.rules.next_deal(&deal, self.key, deck, NULL)
                if deal.phase != PHASE_ENDED or deal.ended != ENDED_REDEAL:
                    break
            self.play(&deal, next64(&self.rng))
            self.add(&deal, base, -1.0 / self.deal_playouts)

    cdef bint value_card(self, const Deal* start, int action) noexcept nogil:
        """The value of the card that the action turns or draws, less the mean over all that could lie there; False where
        it turns none that nobody knew."""
        cdef uint8_t places[48]
        cdef Deal deal, other
        cdef uint64_t dice
        cdef int seat, other_card, i
        cdef int n = self.hidden_places(start, places)
        cdef int64_t pair
        if n < 2 or places[0] != start.top:
            return False
        deal = start[0]
        self.rules._apply(&deal, self.key, action, NULL)
        if deal.top != start.top + 1:
            return False
        self.policy.learn(start, &self.known)
        for seat in range(self.rules.seats):
            self.luck[seat] = 0
        for i in range(1, n):
            other_card = start.deck[places[i]]
            for pair in range(self.card_pairs):
                deal = start[0]
                self.shuffle_places(&deal, places, n)
                other = deal
                put_on_top(&deal, places, n, start.deck[start.top])
                put_on_top(&other, places, n, other_card)
                dice = next64(&self.rng)
                self.rules._apply(&deal, self.key, action, NULL)
                self.play(&deal, dice)
                self.add(&deal, start, 1.0 / (n * self.card_pairs))
                self.rules._apply(&other, self.key, action, NULL)
                self.play(&other, dice)
                self.add(&other, start, -1.0 / (n * self.card_pairs))
        return True

    cdef void play(self, Deal* deal, uint64_t dice) noexcept nogil:
        """To the end of the deal, with a stop at the first chance after `MAX_KOI` koi."""
        cdef Memory memory = self.known
        cdef Deal stopped
        cdef uint16_t legal[MAX_LEGAL]
        cdef int chances = 0
        cdef int action, count
        while deal.phase != PHASE_ENDED:
            if deal.phase == PHASE_SETTLE:
                if chances == 0 and self.first_stop_share:
                    stopped = deal[0]
                    self.rules._apply(&stopped, self.key, ACTION_STOP, NULL)
                    self.first_stop = stopped.balance
                chances += 1
            if deal.phase == PHASE_SETTLE and chances > MAX_KOI:
                action = ACTION_STOP
            else:
                count = self.rules._legal(deal, legal)
                action = legal[self.policy.choose(deal, legal, count, self.heat, &dice, &memory)]
            self.rules._apply(deal, self.key, action, NULL)
            self.decisions += 1
        if chances == 0:
            self.first_stop = deal.balance

    cdef void add(self, const Deal* deal, const Deal* start, double weight) noexcept nogil:
        """Count what the playout that ended so has brought since the start."""
        cdef int seat
        for seat in range(self.rules.seats):
            self.luck[seat] += weight * (
                self.end_share * (deal.balance[seat] - start.balance[seat])
                + self.first_stop_share * (self.first_stop[seat] - start.balance[seat])
            )

    cdef int hidden_places(self, const Deal* deal, uint8_t* places) noexcept nogil:
        """The places of the stock whose cards no seat knows, from the top; how many."""
        cdef Deal masked
        cdef bint known[48]
        cdef int seat, place
        cdef int n = 0
        for place in range(deal.top, deal.end):
            known[place] = False
        for seat in range(self.rules.seats):
            mask_deal(self.rules, deal, &masked, seat)
            for place in range(deal.top, deal.end):
                known[place] = known[place] or masked.deck[place] != NO_CARD
        for place in range(deal.top, deal.end):
            if not known[place]:
                places[n] = <uint8_t>place
                n += 1
        return n

    cdef void shuffle_stock(self, Deal* deal) noexcept nogil:
        cdef uint8_t places[48]
        cdef int n = self.hidden_places(deal, places)
        self.shuffle_places(deal, places, n)

    cdef void shuffle_places(self, Deal* deal, const uint8_t* places, int n) noexcept nogil:
        cdef int i, j
        cdef uint8_t card
        for i in range(n - 1):
            j = i + choose(&self.rng, n - i)
            card = deal.deck[places[i]]
            deal.deck[places[i]] = deal.deck[places[j]]
            deal.deck[places[j]] = card

    cdef void shuffle_cards(self, uint8_t* deck, int n) noexcept nogil:
        cdef int i, j
        cdef uint8_t card
        for i in range(n - 1):
            j = i + choose(&self.rng, n - i)
            card = deck[i]
            deck[i] = deck[j]
            deck[j] = card


cdef void put_on_top(Deal* deal, const uint8_t* places, int n, int card) noexcept nogil:
    """Exchange the card with the stock's top."""
    cdef int i
    for i in range(n):
        if deal.deck[places[i]] == card:
            deal.deck[places[i]] = deal.deck[deal.top]
            deal.deck[deal.top] = <uint8_t>card
            return


cdef int koi_said(const Deal* deal) noexcept nogil:
    cdef int said = 0
    cdef int seat
    for seat in range(deal.seats):
        said += deal.koi[seat]
    return said


def match_luck(
    State state not None, codes, Network network not None, seed, shares=None, card_pairs=4, deal_playouts=200, heat=256
):
    shares = shares or (Shares(0.0, 1.0),)
    return Luck(state, network, seed, shares, card_pairs, deal_playouts, heat).of_match(codes)
