# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A network at a table: from a deal as the asked seat sees it to logits, actions and values."""
cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

from core_ext.action_encoding cimport MAX_ACTION_ACTIVE, ActionEncoding, Setting
from core_ext.encoding cimport MAX_ACTIVE, Encoding
from core_ext.state cimport State
from core_ext.table cimport MAX_LEGAL, Deal

from arena.strength.network cimport HIDDEN, Network, best, pick

HEAT_OF_BEST = COLD


@cython.final
cdef class Policy:
    """The policy of a network for the rules, options and seats of a state."""

    def __init__(self, State state not None, Network network not None):
        if network.variant != state.rules.info.id:
            raise ValueError(f"weights of {network.variant} do not play {state.rules.info.id}")
        self.network = network
        self.rules = state.rules
        self.encoding = Encoding(state)
        self.actions = ActionEncoding(self.encoding)

    cdef void logits(self, const Deal* deal, const uint16_t* legal, int count, int32_t* out) noexcept nogil:
        cdef uint16_t active[MAX_ACTIVE]
        cdef uint16_t action_active[MAX_ACTION_ACTIVE]
        cdef int16_t hidden[HIDDEN]
        cdef Setting setting
        cdef int i
        cdef int n = self.encoding.encode(deal, deal.asked, active)
        self.network.hidden_of(active, n, hidden)
        n = 0
        if self.network.action_features:
            self.actions.set_up(deal, deal.asked, &setting)
        for i in range(count):
            if self.network.action_features:
                n = self.actions.encode(deal, &setting, legal[i], action_active)
            out[i] = self.network.logit(hidden, legal[i], action_active, n)

    cdef int choose(
        self, const Deal* deal, const uint16_t* legal, int count, uint32_t heat, uint64_t* rng
    ) noexcept nogil:
        cdef int32_t logits[MAX_LEGAL]
        if count == 1:
            return 0
        self.logits(deal, legal, count, logits)
        return best(logits, count) if heat >= COLD else pick(logits, count, heat, rng)

    cdef int64_t value(self, const Deal* deal, int seat) noexcept nogil:
        cdef uint16_t active[MAX_ACTIVE]
        cdef int16_t hidden[HIDDEN]
        cdef int n = self.encoding.encode(deal, seat, active)
        self.network.hidden_of(active, n, hidden)
        return self.network.value(hidden)
