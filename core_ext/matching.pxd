from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from core_ext.events cimport Log
from core_ext.scoring cimport YakuTable
from core_ext.table cimport Deal
from core_ext.variant cimport Variant


# What every matching game keeps in `own`; a variant's own struct begins with it.
cdef struct Course:
    uint64_t by_hand        # what the turn's hand card took, itself included
    uint8_t passed          # seats, as bits, that declined to declare their dealt hand; masked: the viewer's alone
    uint8_t declared        # seats, as bits, that declared it


cdef inline Course* course(const Deal* deal) noexcept nogil:
    return <Course*>deal.own


cdef enum:
    DEALT_HAND_KINDS = 256


# The games of play, turn, settle. The course of a turn is here, once; what differs are fields and hooks.
cdef class Matching(Variant):
    cdef YakuTable yaku
    cdef YakuTable other_yaku   # the rows that count in place of `yaku` in some piles
    cdef bint has_others        # whether there can be such piles
    cdef int hand_cards
    cdef int field_cards
    cdef int dealt_cards        # to hands and field
    cdef bint kuitsuki          # a turned card of the month just taken by the hand card goes with it
    cdef bint keeps_stakes      # what the pile is worth at a seat's last koi stays, as its stake
    cdef uint64_t straight      # cards that go straight to the pile of who plays or turns them

    # Which dealt hand these cards are: a number from 1 to DEALT_HAND_KINDS - 1, 0 for none.
    cdef int _dealt_hand(self, uint64_t hand) noexcept nogil
    # The asked seat declares its dealt hand.
    cdef void _declare(self, Deal* deal, int action, Log* log) noexcept nogil
    # Every seat with a dealt hand has answered.
    cdef void _open(self, Deal* deal, Log* log) noexcept nogil
    # Both cards have landed: what the asked seat's turn made, and who is asked to stop or go on, or `pass_turn`. By
    # default a yaku asks the seat, and stops by itself where no hand card is left.
    cdef void _settle(self, Deal* deal, Log* log) noexcept nogil
    # The asked seat says stop (or nobody could go on), or koi.
    cdef void _stop(self, Deal* deal, Log* log) noexcept nogil
    cdef void _koi(self, Deal* deal, Log* log) noexcept nogil
    # The next seat has no hand card left.
    cdef void _run_out(self, Deal* deal, Log* log) noexcept nogil
    # Whether the other rows count in this pile: the rain took some away, or its seat has said koi.
    cdef bint _counts_others(self, const Deal* deal, uint64_t pile) noexcept nogil
    # Before a card is played: sets `waiting` in a masked deal when the seat can tell that another is being asked in secret.
    cdef void _suspect(self, Deal* deal, int seat) noexcept nogil
    # The legal codes and the action in the variant's own phases, and for dealt hands that have several readings.
    cdef int _legal_own(self, const Deal* deal, uint16_t* out) noexcept nogil
    cdef void _apply_own(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil

    # The course, the same for all.
    cdef void deal_cards(self, Deal* deal) noexcept nogil
    cdef uint64_t give_fours(self, Deal* deal, Log* log) noexcept nogil
    cdef void ask_dealt_hands(self, Deal* deal, Log* log) noexcept nogil
    cdef void begin_play(self, Deal* deal) noexcept nogil
    cdef void win_by_hand(self, Deal* deal, uint64_t shown, int hand, int64_t points, Log* log) noexcept nogil
    cdef void win_pile(self, Deal* deal, int holder, int64_t added, int64_t times, Log* log) noexcept nogil
    cdef int worth(self, const Deal* deal, uint64_t pile, int32_t* values) noexcept nogil
    cdef uint32_t made_in_turn(self, const Deal* deal) noexcept nogil
    cdef void pass_turn(self, Deal* deal, Log* log) noexcept nogil
    cdef void log_rows(self, const Deal* deal, int seat, uint32_t which, int kind, Log* log) noexcept nogil
    cdef void log_hand(self, int kind, int seat, uint64_t cards, int hand, int64_t points, Log* log) noexcept nogil
    cdef bint is_untouched(self, const Deal* deal) noexcept nogil
    cdef bint is_to_be_asked(self, const Deal* deal, int seat) noexcept nogil
