# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Standard koi-koi (``koikoi``), two seats."""
cimport cython
from libc.stdint cimport int64_t, uint64_t

from core_ext.variants.koikoi_table import INFO, rows, rows_after_koi

from core_ext.cards cimport whole_months
from core_ext.events cimport Log
from core_ext.matching cimport Matching
from core_ext.scoring cimport compile_yaku
from core_ext.table cimport ENDED_REDEAL, ENDED_RUN_OUT, Deal
from core_ext.variant cimport Variant
from core_ext.zones cimport COUNTER_MULTIPLIER, COUNTER_STAKE, CounterRow, add_counter

cdef enum:
    LAST_ATTEMPT = 15       # stands whatever is on the field (koikoi R6)
    MOST_ADDED = 3          # koi of the winner that add a point each; more multiply (koikoi R10)


@cython.final
cdef class KoiKoi(Matching):
    """The rules of ``koikoi``."""

    cdef int64_t target             # 0: none
    cdef bint redeals
    cdef bint teshi
    cdef int teshi_points
    cdef int koi_multiplier
    cdef bint koi_escalates
    cdef int oyaken_points
    cdef bint counts_koi            # each koi of the winner adds to its score, and nobody has a stake (koikoi R10)

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats, rows(options), hand_cards=8, field_cards=8)
        self.last_month = options["months"]
        self.last_attempt = LAST_ATTEMPT
        self.target = options["target"] or 0
        self.redeals = options["field_four"] == "redeal"
        self.teshi = options["teshi"]
        self.teshi_points = options["teshi_points"]
        self.kuitsuki = options["kuitsuki"]
        self.counts_koi = options["koi_scoring"] == "count"
        self.has_others = options["cup_points_after_koi"] > 0
        compile_yaku(&self.other_yaku, rows_after_koi(options))
        self.keeps_stakes = not self.counts_koi
        self.koi_multiplier = options["koi_multiplier"]
        self.koi_escalates = options["koi_escalates"]
        self.oyaken_points = options["oyaken_points"]

    # The deal

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        self.deal_cards(deal)
        self.log_deal(deal, log)
        if self.redeals and deal.attempt < LAST_ATTEMPT and whole_months(deal.field):
            self.end_deal(deal, ENDED_REDEAL, -1, log)
            return
        self.give_fours(deal, log)
        self.ask_dealt_hands(deal, log)

    cdef int _dealt_hand(self, uint64_t hand) noexcept nogil:
        return self.teshi and whole_months(hand) != 0

    cdef void _declare(self, Deal* deal, int action, Log* log) noexcept nogil:
        self.win_by_hand(deal, whole_months(deal.hand[deal.asked]), 1, self.teshi_points, log)

    # The score of a month

    cdef bint _counts_others(self, const Deal* deal, uint64_t pile) noexcept nogil:
        """In the pile of a seat that has said koi, where that changes what a cup is worth."""
        return deal.koi[0 if pile & deal.pile[0] else 1] > 0

    cdef int64_t multiplier(self, const Deal* deal, int seat) noexcept nogil:
        """What a stop of the seat is multiplied by now: with 14 koi, the most there can be, at most 4^14, far inside 64
        bits."""
        cdef int said = deal.koi[0] + deal.koi[1]
        cdef int64_t product = 1
        if self.counts_koi:
            return max(1, deal.koi[seat] - MOST_ADDED + 1) if seat >= 0 else 1
        if said and not self.koi_escalates:
            said = 1
        while said:
            product *= self.koi_multiplier
            said -= 1
        return product

    cdef void _stop(self, Deal* deal, Log* log) noexcept nogil:
        """The winner's points, with the other's stake if both have said koi (koikoi R4), or its own few koi (R10)."""
        cdef int seat = deal.asked
        cdef int64_t added = deal.stake[1 - seat] if deal.koi[seat] and deal.koi[1 - seat] else 0
        if self.counts_koi and deal.koi[seat] <= MOST_ADDED:
            added = deal.koi[seat]
        self.win_pile(deal, seat, added, self.multiplier(deal, seat), log)

    cdef void _run_out(self, Deal* deal, Log* log) noexcept nogil:
        """Every seat that said koi keeps its own stake (koikoi R5); nobody did: the dealer's right (koikoi R7)."""
        cdef int winner = -1
        if (deal.koi[0] or deal.koi[1]) and not self.counts_koi:
            deal.score[0] = deal.stake[0]
            deal.score[1] = deal.stake[1]
        else:
            deal.score[deal.dealer] = self.oyaken_points
        if deal.score[0] != deal.score[1]:
            winner = deal.score[1] > deal.score[0]
        self.end_deal(deal, ENDED_RUN_OUT, winner, log)

    # From deal to deal

    cdef bint _is_last(self, const Deal* deal) noexcept nogil:
        cdef bint is_reached = deal.balance[0] >= self.target or deal.balance[1] >= self.target
        return Variant._is_last(self, deal) or (self.target > 0 and is_reached)

    # What a seat may know

    cdef CounterRow* _counters(self, const Deal* deal, CounterRow* row) noexcept nogil:
        cdef int seat
        row = Matching._counters(self, deal, row)
        for seat in range(2):
            row = add_counter(row, COUNTER_STAKE, seat, deal.stake[seat])
        row = add_counter(row, COUNTER_MULTIPLIER, -1, self.multiplier(deal, deal.asked))
        return row


VARIANT = KoiKoi
