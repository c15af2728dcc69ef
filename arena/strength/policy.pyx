# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A network at a table: from a deal as the asked seat sees it to logits, actions and values."""
from functools import lru_cache

cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from core_ext.action_encoding cimport ActionEncoding, Setting, Sums
from core_ext.encoding cimport Changes, Encoding
from core_ext.state cimport State
from core_ext.table cimport MAX_LEGAL, MAX_SEATS, Deal
from core_ext.variant cimport Variant

from arena.strength.network cimport Network, best, pick, softmax

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

    cdef void forget(self, Memory* memory) noexcept nogil:
        cdef int seat
        memset(memory, 0, sizeof(Memory))
        memory.standing = self.encoding.untouched
        for seat in range(MAX_SEATS):
            memcpy(memory.sums[seat], self.network.bias, sizeof(memory.sums[seat]))

    cdef void learn(self, const Deal* deal, Memory* memory) noexcept nogil:
        cdef int seat
        self.forget(memory)
        for seat in range(deal.seats):
            self.see(deal, seat, memory)

    cdef void see(self, const Deal* deal, int seat, Memory* memory) noexcept nogil:
        """Brings the seat's sums up to date."""
        cdef Changes changes
        self.encoding.look(deal, seat, &memory.standing, &memory.seen[seat], &changes)
        self.network.shift(changes.came, changes.came_count, changes.gone, changes.gone_count, memory.sums[seat])

    cdef void logits(
        self, const Deal* deal, const uint16_t* legal, int count, Memory* memory, int32_t* out
    ) noexcept nogil:
        cdef Setting setting
        cdef Sums sums
        cdef int seat = deal.asked
        cdef int i
        self.see(deal, seat, memory)
        self.network.logits(memory.sums[seat], legal, count, out)
        if not self.network.action_features:
            return
        self.actions.set_up_seen(deal, seat, &memory.seen[seat], &memory.standing, &setting)
        sums.has_card[0] = sums.has_card[1] = 0
        sums.has_row[0] = sums.has_row[1] = 0
        for i in range(count):
            out[i] += self.actions.total(deal, &setting, legal[i], self.network.action_weights, &sums)

    cdef int choose(
        self, const Deal* deal, const uint16_t* legal, int count, uint32_t heat, uint64_t* rng, Memory* memory
    ) noexcept nogil:
        cdef int32_t logits[MAX_LEGAL]
        if count == 1:
            return 0
        self.logits(deal, legal, count, memory, logits)
        return best(logits, count) if heat >= COLD else pick(logits, count, heat, rng)

    cdef void chances(
        self, const Deal* deal, const uint16_t* legal, int count, uint32_t heat, Memory* memory, double* out
    ) noexcept nogil:
        cdef int32_t logits[MAX_LEGAL]
        cdef uint32_t parts[MAX_LEGAL]
        cdef uint64_t total
        cdef int i
        if count == 1:
            out[0] = 1
            return
        self.logits(deal, legal, count, memory, logits)
        if heat >= COLD:
            for i in range(count):
                out[i] = 0
            out[best(logits, count)] = 1
            return
        total = softmax(logits, count, heat, parts)
        for i in range(count):
            out[i] = <double>parts[i] / <double>total

    cdef int64_t value(self, const Deal* deal, int seat, Memory* memory) noexcept nogil:
        self.see(deal, seat, memory)
        return self.network.value(memory.sums[seat])


def policy_of(State state not None, Network network not None):
    return _policy_of(state.rules, network)


@lru_cache(maxsize=64)
def _policy_of(Variant rules, Network network):
    return Policy(State.new(rules.info.id, rules.options, 0, rules.seats), network)
