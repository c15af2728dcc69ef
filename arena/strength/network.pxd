# A small network in whole numbers: the same on every machine.
#
# The active features of a position add their rows up to the hidden layer (16 bits, cut off below 0); from it come a
# logit for each legal action, to which what the action does adds its own weights, and the value of the position to the
# seat.
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef enum:
    HIDDEN = 64
    EXP_STEPS = 1024
    EXP_SHIFT = 10      # a step of the table of exp is 2^10 of the logits' units: 1/64
    LOGIT_ONE = 65536   # a logit of 1
    FULL_HEAT = 256     # temperatures are given as 256 / T


cdef class Network:
    cdef readonly str variant
    cdef readonly int features
    cdef readonly int actions
    cdef readonly int action_features
    cdef readonly bytes weights     # as they stand in the file
    cdef const int16_t* first
    cdef const int16_t* bias
    cdef const int16_t* policy
    cdef const int16_t* value_row
    cdef const int32_t* policy_bias
    cdef const int32_t* action_weights
    cdef const int32_t* equities    # [months left][EQUITY_POINTS]: the chance to win the match, in 1/65536
    cdef int32_t value_bias
    cdef readonly int unit          # points that a value of 1 is worth

    # `sums` are the hidden layer before it is cut off: the bias and the rows of the active features.
    cdef void shift(
        self, const uint16_t* came, int came_count, const uint16_t* gone, int gone_count, int16_t* sums
    ) noexcept nogil
    # Of the actions, without what their own features add.
    cdef void logits(self, const int16_t* sums, const uint16_t* legal, int count, int32_t* out) noexcept nogil
    cdef int64_t value(self, const int16_t* sums) noexcept nogil
    cdef int32_t equity(self, int months_left, int64_t lead) noexcept nogil


# Writes what each action counts by softmax with the temperature 256 / heat, and returns the sum.
cdef uint64_t softmax(const int32_t* logits, int count, uint32_t heat, uint32_t* parts) noexcept nogil
# The index of an action, drawn by softmax over the logits with the temperature 256 / heat.
cdef int pick(const int32_t* logits, int count, uint32_t heat, uint64_t* rng) noexcept nogil
# The index of the highest logit; of equal ones the first.
cdef int best(const int32_t* logits, int count) noexcept nogil
