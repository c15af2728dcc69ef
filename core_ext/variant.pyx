# cython: language_level=3, boundscheck=False, wraparound=False
"""What a variant is to the rest of the core: its hooks, and what is the same in all of them."""
import hashlib
import struct

from core_ext.table import ENDINGS

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from core_ext.cards cimport NO_CARD, bit, popcount
from core_ext.events cimport (
    EVENT_DEAL, EVENT_DRAW, EVENT_MATCH_END, EVENT_MONTH_END, EventRow, Log, add_value, emit, log_by_seat,
)
from core_ext.rng cimport choose
from core_ext.shuffle cimport shuffle
from core_ext.table cimport (
    ENDED_REDEAL, ENDED_SAFEGUARD, ENDED_STOP, MAX_LEGAL, PHASE_ENDED, PHASE_OVER, Deal, first_dealer,
)
from core_ext.zones cimport ZONE_FIELD, ZONE_PILE, ZONE_TURNED, CounterRow, View, add_cards


cdef class Variant:
    """The rules of one variant with one choice of options; a subclass a variant, never made or changed by a caller."""

    def __init__(self, info, options, int seats):
        self.info = info
        self.options = options
        self.seats = seats
        self.cards = info.cards
        self.names = ("", *ENDINGS, *(row.id for row in info.yaku), *info.dealt_hands, *info.terms)
        self.hashed = hash_of_rules(info, options, seats)
        self.codes = {text: code for code, text in enumerate(info.actions)}

    cdef void _start(self, Deal* deal) noexcept nogil:
        pass

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        pass

    cdef int _legal(self, const Deal* deal, uint16_t* out) noexcept nogil:
        return 0

    cdef void _apply(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil:
        pass

    cdef int64_t _play_at_random(self, Deal* deal, const uint8_t* key, uint64_t* rng) noexcept nogil:
        cdef uint16_t legal[MAX_LEGAL]
        cdef int64_t decisions = 0
        while deal.phase != PHASE_ENDED:
            self._apply(deal, key, legal[choose(rng, self._legal(deal, legal))], NULL)
            decisions += 1
        return decisions

    cdef bint _is_last(self, const Deal* deal) noexcept nogil:
        return deal.month >= self.last_month and deal.ended != ENDED_REDEAL

    cdef void _next(self, Deal* deal) noexcept nogil:
        if deal.ended == ENDED_REDEAL:
            deal.attempt += 1
            return
        deal.month += 1
        deal.attempt = 0
        if deal.winner >= 0:
            deal.dealer = <uint8_t>deal.winner

    cdef bint _is_cut_short(self, const Deal* deal) noexcept nogil:
        return False

    cdef void _results(self, const Deal* deal, int64_t* results) noexcept nogil:
        cdef int seat
        for seat in range(deal.seats):
            results[seat] = deal.balance[seat]

    cdef void _public_phase(self, const Deal* deal, uint8_t* phase, int8_t* asked) noexcept nogil:
        phase[0] = deal.phase
        asked[0] = deal.asked

    cdef void _mask(self, Deal* deal, const Deal* full, int seat) noexcept nogil:
        pass

    cdef void _constrain_sample(self, Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
        pass

    cdef bint _validate_sample(self, Deal* deal, int seat, Log* log) noexcept nogil:
        return True

    cdef void _zones(self, const Deal* deal, View* view) noexcept nogil:
        cdef int seat
        add_cards(view, ZONE_FIELD, -1, deal.field, popcount(deal.field))
        if deal.turned != NO_CARD:
            add_cards(view, ZONE_TURNED, -1, bit(deal.turned), 1)
        for seat in range(deal.seats):
            add_cards(view, ZONE_PILE, seat, deal.pile[seat], popcount(deal.pile[seat]))

    cdef CounterRow* _counters(self, const Deal* deal, CounterRow* row) noexcept nogil:
        return row

    cdef int _restore(self, Deal* deal, observation, dict counters) except -1:
        return 0

    cdef bytes _pack_own(self, const Deal* deal):
        return b""

    cdef void begin(self, Deal* deal, const uint8_t* key, Log* log) noexcept nogil:
        """Draw for the first deal and deal month 1."""
        cdef uint8_t deck[48]
        cdef uint8_t draws[49]
        cdef int i = 0
        cdef int dealer
        shuffle(key, 0, 0, self.cards, deck)
        dealer = first_dealer(deck, self.cards, self.seats, draws)
        if log != NULL:
            while draws[i] != NO_CARD:
                emit(log, EVENT_DRAW, draws[i], bit(deck[i]), 0)
                i += 1
        shuffle(key, 1, 0, self.cards, deck)
        self.begin_at(deal, deck, 1, 0, dealer, log)

    cdef void begin_at(
        self, Deal* deal, const uint8_t* deck, int month, int attempt, int dealer, Log* log
    ) noexcept nogil:
        """Begin a match with this deal."""
        memset(deal, 0, sizeof(Deal))
        deal.seats = <uint8_t>self.seats
        deal.month = <uint16_t>month
        deal.attempt = <uint8_t>attempt
        deal.dealer = <uint8_t>dealer
        self._start(deal)
        memcpy(deal.deck, deck, self.cards)
        self.set_table(deal)
        self._deal(deal, log)

    cdef void next_deal(self, Deal* deal, const uint8_t* key, const uint8_t* given, Log* log) noexcept nogil:
        """Deal what follows an ended deal that is not the last, from a given deck or, where it is NULL, by chance."""
        self._next(deal)
        if given == NULL:
            shuffle(key, deal.month, deal.attempt, self.cards, deal.deck)
        else:
            memcpy(deal.deck, given, self.cards)
        self.set_table(deal)
        self._deal(deal, log)

    cdef void set_table(self, Deal* deal) noexcept nogil:
        """An empty table with the whole deck as stock; what outlasts a deal stays."""
        cdef int seat
        for seat in range(4):
            deal.hand[seat] = deal.pile[seat] = deal.shown[seat] = 0
            deal.score[seat] = deal.stake[seat] = 0
            deal.koi[seat] = 0
        deal.field = deal.gained = 0
        deal.top = 0
        deal.end = <uint8_t>self.cards
        deal.turned = NO_CARD
        deal.winner = -1
        deal.ended = ENDED_STOP
        deal.asked = <int8_t>deal.dealer

    cdef void log_deal(self, const Deal* deal, Log* log) noexcept nogil:
        cdef EventRow* row
        if log != NULL:
            row = emit(log, EVENT_DEAL, deal.dealer, deal.field, 0)
            add_value(row, deal.month)
            add_value(row, deal.attempt)

    cdef void end_deal(self, Deal* deal, int ended, int winner, Log* log) noexcept nogil:
        """End the deal and add its scores to the balances."""
        cdef int seat
        deal.phase = PHASE_ENDED
        deal.ended = <uint8_t>ended
        deal.winner = <int8_t>winner
        deal.gained = 0
        for seat in range(deal.seats):
            deal.balance[seat] += deal.score[seat]
        log_by_seat(log, EVENT_MONTH_END, winner, 1 + ended, deal.score, deal.seats)

    cdef void end_match(self, Deal* deal, Log* log) noexcept nogil:
        """End the match with its last deal."""
        cdef int64_t results[4]
        cdef int name = 1 + ENDED_SAFEGUARD if self._is_cut_short(deal) else 0
        deal.phase = PHASE_OVER
        deal.asked = -1
        if log != NULL:
            self._results(deal, results)
            log_by_seat(log, EVENT_MATCH_END, -1, name, results, deal.seats)


def written(info, options):
    """The options that stand in hashes and transcripts: all but late ones that have their default."""
    late = {option.name: option.default for option in info.options if option.late}
    return {name: value for name, value in options.items() if name not in late or value != late[name]}


def hash_of_rules(info, options, seats):
    lines = [info.id, str(info.rules_version), str(seats), *(f"{name}={value}" for name, value in written(info, options).items())]
    text = "\n".join(lines).encode()
    return hashlib.sha256(struct.pack("<I", len(text)) + text)
