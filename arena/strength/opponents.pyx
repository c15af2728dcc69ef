# cython: language_level=3, boundscheck=False, wraparound=False
"""A learned policy as the opponent in many games that are stepped at once."""
cimport cython
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from core_ext.state cimport State
from core_ext.table cimport Deal
from core_ext.vector cimport Opponent

from arena.strength.network cimport Network
from arena.strength.policy cimport Memory, Policy


@cython.final
cdef class PolicyOpponent(Opponent):
    """Plays by a policy at a temperature."""

    cdef Policy policy
    cdef uint32_t heat

    def __init__(self, State match not None, Network network not None, uint32_t heat):
        self.policy = Policy(match, network)
        self.heat = heat

    cdef int pick(self, const Deal* deal, const uint16_t* legal, int count, uint64_t* rng) noexcept nogil:
        cdef Memory memory
        self.policy.forget(&memory)
        return self.policy.choose(deal, legal, count, self.heat, rng, &memory)
