# The deals that a seat cannot tell from the true one, sampled in C from its observation alone.
from libc.stdint cimport int64_t, uint8_t, uint64_t

from core_ext.table cimport Deal
from core_ext.variant cimport Variant


cdef class Worlds:
    cdef Variant rules
    cdef readonly int seat
    cdef Deal masked
    cdef uint8_t unseen[48]
    cdef readonly int unseen_count
    cdef bint are_turned        # whether each hand card turns one of the stock: in the matching games

    # Writes the deal that follows from the seed, as it may be; False when none was found that fits.
    cdef bint sample(self, uint64_t seed, Deal* deal) noexcept nogil
    # As `sample`, from a generator that goes on. `unseen` are the hidden cards, in any order, and change it.
    cdef bint deal_anew(self, uint8_t* unseen, uint64_t* rng, Deal* deal) noexcept nogil
    # How many ways there are to complete it, up to the order of cards that nobody turns before the deal ends; `most` + 1
    # where there are more.
    cdef int64_t count(self, int64_t most) noexcept nogil
    # Writes one of them, by its number from 0; False where the seat could tell that it is not this one.
    cdef bint world(self, int64_t number, Deal* deal) noexcept nogil
    cdef int hidden_in_hand(self, int seat) noexcept nogil
    cdef int hidden_draws(self) noexcept nogil
