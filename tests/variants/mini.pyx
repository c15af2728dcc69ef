# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A small game of play, turn, settle: each koi makes the month worth once more."""
cimport cython
from libc.stdint cimport uint64_t

from core_ext.variants.mini_table import INFO, YAKU

from core_ext.cards cimport whole_months
from core_ext.events cimport Log
from core_ext.matching cimport Matching
from core_ext.table cimport Deal


@cython.final
cdef class Mini(Matching):
    """The rules of ``mini``."""

    def __init__(self, options, int seats):
        super().__init__(INFO, options, seats, YAKU, hand_cards=8, field_cards=8)
        self.last_month = options["months"]

    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil:
        self.deal_cards(deal)
        self.log_deal(deal, log)
        self.give_fours(deal, log)
        self.ask_dealt_hands(deal, log)

    cdef int _dealt_hand(self, uint64_t hand) noexcept nogil:
        return whole_months(hand) != 0

    cdef void _declare(self, Deal* deal, int action, Log* log) noexcept nogil:
        self.win_by_hand(deal, whole_months(deal.hand[deal.asked]), 1, 4, log)

    cdef void _stop(self, Deal* deal, Log* log) noexcept nogil:
        self.win_pile(deal, deal.asked, 0, 1 + deal.koi[0] + deal.koi[1], log)


VARIANT = Mini
