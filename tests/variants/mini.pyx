# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A small game of play, turn, settle: each koi makes the month worth once more."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from core_ext.variants.mini_table import INFO, YAKU

from core_ext.cards cimport whole_months
from core_ext.events cimport EVENT_DECLARE, EVENT_SCORE, EVENT_STOP, Log, add_value, emit, log_total
from core_ext.matching cimport Matching
from core_ext.scoring cimport MAX_YAKU
from core_ext.table cimport ENDED_DECLARE, ENDED_STOP, Deal


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
        cdef int seat = deal.asked
        deal.shown[seat] = whole_months(deal.hand[seat])
        self.log_hand(EVENT_DECLARE, seat, deal.shown[seat], 1, 4, log)
        self.log_hand(EVENT_SCORE, seat, 0, 1, 4, log)
        deal.score[seat] = 4
        self.end_deal(deal, ENDED_DECLARE, seat, log)

    cdef void _stop(self, Deal* deal, Log* log) noexcept nogil:
        cdef int32_t values[MAX_YAKU]
        cdef int seat = deal.asked
        cdef int64_t points = self._values(deal, seat, values)
        cdef int64_t times = 1 + deal.koi[0] + deal.koi[1]
        if log != NULL:
            add_value(emit(log, EVENT_STOP, seat, 0, 0), points)
        self.log_rows(deal, seat, ~<uint32_t>0, EVENT_SCORE, log)
        log_total(log, seat, points, 0, times, 0)
        deal.score[seat] = points * times
        self.end_deal(deal, ENDED_STOP, seat, log)


VARIANT = Mini
