from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t

from core_ext.events cimport Log
from core_ext.table cimport Deal
from core_ext.zones cimport CounterRow, View


# The rules of one variant with one choice of options: immutable, shared by states. The hooks are the variant's, and
# run without the GIL; the verbs, in State and in playouts, check, record and go on to the next deal.
cdef class Variant:
    cdef readonly object info       # VariantInfo
    cdef readonly object options    # Options
    cdef readonly int seats
    cdef tuple names                # of events: "", the endings, then yaku and dealt hands
    cdef dict codes                 # code by text
    cdef int cards                  # in the deck
    cdef int last_month             # no match goes on after it
    cdef int last_attempt           # no month is dealt again after it
    cdef object hashed              # SHA-256 of variant, version, seats and options: how a position's hash begins

    # What a match begins with: balances and own fields, all zero until then.
    cdef void _start(self, Deal* deal) noexcept nogil
    # Empty table, deck in place: deal it, and settle what the dealt cards alone decide.
    cdef void _deal(self, Deal* deal, Log* log) noexcept nogil
    # The legal codes of the asked seat, ascending; how many.
    cdef int _legal(self, const Deal* deal, uint16_t* out) noexcept nogil
    # A legal action. The key serves chance inside the month alone. No log in playouts.
    cdef void _apply(self, Deal* deal, const uint8_t* key, int action, Log* log) noexcept nogil
    # Plays at random to the end of the deal; returns how many decisions that took. No log.
    cdef int64_t _play_at_random(self, Deal* deal, const uint8_t* key, uint64_t* rng) noexcept nogil
    # Whether the match is over with this ended deal; the last month's, unless it is dealt again.
    cdef bint _is_last(self, const Deal* deal) noexcept nogil
    # After an ended deal that is not the last: month, attempt and dealer (the winner, where there is one) of the next,
    # and what `own` carries over.
    cdef void _next(self, Deal* deal) noexcept nogil
    # Whether that end is a safeguard's: the match could have gone on.
    cdef bint _is_cut_short(self, const Deal* deal) noexcept nogil
    # Final results by seat: the balances, unless the variant settles the year's end.
    cdef void _results(self, const Deal* deal, int64_t* results) noexcept nogil
    # Phase and seat as everybody knows them while a question is asked in secret.
    cdef void _public_phase(self, const Deal* deal, uint8_t* phase, int8_t* asked) noexcept nogil
    # Clears what the seat may not know from the variant's own fields, and puts back what it knows of the stock.
    cdef void _mask(self, Deal* deal, const Deal* full, int seat) noexcept nogil
    # Before the shuffled unseen cards are laid out, hands by seat and then the stock: changes their order so that a
    # rare secret question fits, and makes up what is hidden from the seat and is not a card.
    cdef void _constrain_sample(self, Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil
    # Completes a sampled deal, its hands and stock filled; False when the seat could tell that it is not this one.
    cdef bint _validate_sample(self, Deal* deal, int seat, Log* log) noexcept nogil
    # Adds the zones of a masked deal between hands and stock: by default field, turned card and piles.
    cdef void _zones(self, const Deal* deal, View* view) noexcept nogil
    # Writes the numbers that the viewer of a masked deal knows beside the balances, and returns the row after them.
    cdef CounterRow* _counters(self, const Deal* deal, CounterRow* row) noexcept nogil
    # A masked deal's own fields from an observation, its counters by name and seat; ObservationError when its zones do
    # not go together.
    cdef int _restore(self, Deal* deal, observation, dict counters) except -1
    # The variant's own fields, for the state's hash.
    cdef bytes _pack_own(self, const Deal* deal)

    # The verbs, the same for all.
    cdef void begin(self, Deal* deal, const uint8_t* key, Log* log) noexcept nogil
    cdef void begin_at(
        self, Deal* deal, const uint8_t* deck, int month, int attempt, int dealer, Log* log
    ) noexcept nogil
    cdef void next_deal(self, Deal* deal, const uint8_t* key, const uint8_t* given, Log* log) noexcept nogil
    cdef void set_table(self, Deal* deal) noexcept nogil
    cdef void log_deal(self, const Deal* deal, Log* log) noexcept nogil
    cdef void end_deal(self, Deal* deal, int ended, int winner, Log* log) noexcept nogil
    cdef void end_match(self, Deal* deal, Log* log) noexcept nogil


cdef enum:
    FIRST_YAKU_NAME = 9     # names[0] is empty, then eight endings
