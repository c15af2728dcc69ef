from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from core_ext.action_encoding cimport ActionEncoding
from core_ext.encoding cimport Encoding
from core_ext.table cimport Deal
from core_ext.variant cimport Variant

from arena.strength.network cimport Network

cdef enum:
    COLD = 1 << 20      # from this heat on the best action is taken


# A network ready to play under one choice of options and seats: it reads a deal as the asked seat sees it.
cdef class Policy:
    cdef readonly Network network
    cdef Variant rules
    cdef Encoding encoding
    cdef ActionEncoding actions

    cdef void logits(self, const Deal* deal, const uint16_t* legal, int count, int32_t* out) noexcept nogil
    # The index of the action that the asked seat takes. Heat is 256 / temperature.
    cdef int choose(
        self, const Deal* deal, const uint16_t* legal, int count, uint32_t heat, uint64_t* rng
    ) noexcept nogil
    # What the deal is expected to bring a seat beyond the others, in 1/65536 of points.
    cdef int64_t value(self, const Deal* deal, int seat) noexcept nogil
