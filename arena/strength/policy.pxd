from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

from core_ext.action_encoding cimport ActionEncoding
from core_ext.encoding cimport Encoding, Seen, Standing
from core_ext.table cimport MAX_SEATS, Deal
from core_ext.variant cimport Variant

from arena.strength.network cimport HIDDEN, Network

cdef enum:
    COLD = 1 << 20      # from this heat on the best action is taken

# What each seat saw when it was last asked: only what is new since then is read. It may be of any earlier deal.
cdef struct Memory:
    Standing standing
    Seen seen[MAX_SEATS]
    int16_t sums[MAX_SEATS][HIDDEN]


# A network ready to play under one choice of options and seats: it reads a deal as the asked seat sees it.
cdef class Policy:
    cdef readonly Network network
    cdef Variant rules
    cdef Encoding encoding
    cdef ActionEncoding actions

    # Nothing seen yet.
    cdef void forget(self, Memory* memory) noexcept nogil
    # Everything that each seat sees of a deal, so that playouts from there begin with it.
    cdef void learn(self, const Deal* deal, Memory* memory) noexcept nogil
    cdef void see(self, const Deal* deal, int seat, Memory* memory) noexcept nogil
    cdef void logits(
        self, const Deal* deal, const uint16_t* legal, int count, Memory* memory, int32_t* out
    ) noexcept nogil
    # The index of the action that the asked seat takes. Heat is 256 / temperature.
    cdef int choose(
        self, const Deal* deal, const uint16_t* legal, int count, uint32_t heat, uint64_t* rng, Memory* memory
    ) noexcept nogil
    # The chance that the asked seat takes each action.
    cdef void chances(
        self, const Deal* deal, const uint16_t* legal, int count, uint32_t heat, Memory* memory, double* out
    ) noexcept nogil
    # What the deal is expected to bring a seat beyond the others, in 1/65536 of points.
    cdef int64_t value(self, const Deal* deal, int seat, Memory* memory) noexcept nogil
