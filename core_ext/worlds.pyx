# cython: language_level=3, boundscheck=False, wraparound=False
"""The deals that a seat cannot tell from the true one: what a search goes through without the GIL."""
from core_ext.errors import ObservationError

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from core_ext.cards cimport NO_CARD, popcount
from core_ext.events cimport Log, reserve
from core_ext.matching cimport Matching
from core_ext.rng cimport next64
from core_ext.state cimport State, restore_deal, rules_of
from core_ext.table cimport Deal
from core_ext.views cimport MAX_SAMPLES, fill, fits, lay_out, unseen_cards

cdef int64_t NONE_LEFT = (<int64_t>1 << 62)     # no limit


cdef class Worlds:
    """What a seat knows of a deal, ready to be completed any number of times."""

    def __init__(self, observation):
        cdef Log log
        if not observation.legal:
            raise ObservationError(f"seat {observation.seat} is not asked")
        State.from_observation(observation, 0)  # which checks all that it says
        self.rules = rules_of(observation)
        self.seat = observation.seat
        self.are_turned = isinstance(self.rules, Matching)
        memset(&log, 0, sizeof(Log))
        try:
            restore_deal(self.rules, &self.masked, observation, &log)
        finally:
            free(log.rows)
        self.unseen_count = unseen_cards(&self.masked, self.rules.cards, self.unseen)

    cdef bint sample(self, uint64_t seed, Deal* deal) noexcept nogil:
        cdef uint8_t unseen[48]
        cdef uint64_t rng = seed
        memcpy(unseen, self.unseen, sizeof(unseen))
        return fill(self.rules, &self.masked, unseen, self.unseen_count, self.seat, &rng, deal, NULL)

    cdef bint deal_anew(self, uint8_t* unseen, uint64_t* rng, Deal* deal) noexcept nogil:
        cdef int left = self.unseen_count
        cdef int i, tries
        cdef uint64_t drawn
        for tries in range(MAX_SAMPLES):
            for i in range(0, left - 1, 2):   # two cards by one number
                drawn = next64(rng)
                swap(unseen, i, i + <int>((drawn >> 32) * <uint64_t>(left - i) >> 32))
                swap(unseen, i + 1, i + 1 + <int>(<uint64_t><uint32_t>drawn * <uint64_t>(left - i - 1) >> 32))
            if fits(self.rules, &self.masked, unseen, left, self.seat, rng, deal, NULL):
                return True
        return False

    cdef int64_t count(self, int64_t most) noexcept nogil:
        cdef int64_t number = 1
        cdef int left = self.unseen_count
        cdef int seat, i
        for seat in range(self.masked.seats):
            number *= combinations(left, self.hidden_in_hand(seat), most)
            left -= self.hidden_in_hand(seat)
            if number > most:
                return most + 1
        for i in range(self.hidden_draws()):
            number *= left - i
            if number > most:
                return most + 1
        return number

    cdef bint world(self, int64_t number, Deal* deal) noexcept nogil:
        cdef uint8_t rest[48]
        cdef uint8_t order[48]
        cdef int left = self.unseen_count
        cdef int n = 0
        cdef int seat, i, chosen
        cdef int64_t ways, rank
        memcpy(rest, self.unseen, sizeof(rest))
        for seat in range(self.masked.seats):
            chosen = self.hidden_in_hand(seat)
            ways = combinations(left, chosen, NONE_LEFT)
            rank = number % ways
            number //= ways
            i = 0
            while chosen:   # the cards of the hand in ascending order, by the rank of the combination
                ways = combinations(left - i - 1, chosen - 1, NONE_LEFT)
                if rank < ways:
                    order[n] = take_out(rest, &left, i)
                    n += 1
                    chosen -= 1
                else:
                    rank -= ways
                    i += 1
        for i in range(self.hidden_draws()):
            chosen = <int>(number % left)
            number //= left
            order[n] = take_out(rest, &left, chosen)
            n += 1
        memcpy(order + n, rest, left)
        deal[0] = self.masked
        lay_out(deal, order)
        if not self.rules._validate_sample(deal, self.seat, NULL):
            return False
        deal.waiting = 0
        return True

    cdef int hidden_in_hand(self, int seat) noexcept nogil:
        return self.masked.held[seat] - popcount(self.masked.hand[seat])

    cdef int hidden_draws(self) noexcept nogil:
        """How many cards that the seat does not know can still be turned, at most."""
        cdef int draws = 0
        cdef int hidden = 0
        cdef int seat, place
        if not self.are_turned:
            return self.masked.end - self.masked.top
        for seat in range(self.masked.seats):
            draws += self.masked.held[seat]
        for place in range(self.masked.top, min(self.masked.top + draws, <int>self.masked.end)):
            hidden += self.masked.deck[place] == NO_CARD
        return hidden


cdef int64_t combinations(int n, int k, int64_t most) noexcept nogil:
    """How many sets of k there are of n; `most` + 1 where there are more."""
    cdef int64_t number = 1
    cdef int i
    for i in range(k):
        number = number * (n - i) // (i + 1)
        if number > most:
            return most + 1
    return number


cdef uint8_t take_out(uint8_t* cards, int* count, int place) noexcept nogil:
    """A card out of its place; those after it move up."""
    cdef uint8_t card = cards[place]
    cdef int i
    count[0] -= 1
    for i in range(place, count[0]):
        cards[i] = cards[i + 1]
    return card


cdef inline void swap(uint8_t* cards, int first, int second) noexcept nogil:
    cdef uint8_t card = cards[first]
    cards[first] = cards[second]
    cards[second] = card
