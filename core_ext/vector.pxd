# Many games stepped at once.
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from core_ext.table cimport MAX_LEGAL, MAX_SEATS, Deal

# Plays the seats that are not the learner's, in every game and thread at once: so it keeps nothing.
cdef class Opponent:
    # The place of an action in the legal list, from what the asked seat may see.
    cdef int pick(self, const Deal* deal, const uint16_t* legal, int count, uint64_t* rng) noexcept nogil


# What is looked at together lies together.
cdef struct Game:
    uint64_t rng                # of the keys of the games to come, and of the opponents
    uint64_t sampling           # of `sample`, which changes nothing that follows
    int legal_count
    uint16_t legal[MAX_LEGAL]
    Deal deal
    int64_t balance[MAX_SEATS]  # when rewards were last given
    double paid[MAX_SEATS]      # the rewards so far
    int64_t number              # of the game in this place, from 0
    uint8_t key[32]             # the game's seed
