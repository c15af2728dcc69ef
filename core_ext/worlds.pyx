# cython: language_level=3, boundscheck=False, wraparound=False
"""The deals that a seat cannot tell from the true one: what a search goes through without the GIL."""
from core_ext.errors import ObservationError

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from core_ext.events cimport Log, reserve
from core_ext.state cimport State, restore_deal, rules_of
from core_ext.table cimport Deal
from core_ext.views cimport fill, unseen_cards


cdef class Worlds:
    """What a seat knows of a deal, ready to be completed any number of times."""

    def __init__(self, observation):
        cdef Log log
        if not observation.legal:
            raise ObservationError(f"seat {observation.seat} is not asked")
        State.from_observation(observation, 0)  # which checks all that it says
        self.rules = rules_of(observation)
        self.seat = observation.seat
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
