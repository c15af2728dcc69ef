# A small network in whole numbers: the same on every machine.
#
# The active features of a position add their rows up to the hidden layer (16 bits, cut off below 0); from it come a
# logit for each legal action, the value of the position to the seat, and the softmax over the logits.
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef enum:
    HIDDEN = 64
    EXP_STEPS = 1024
    EXP_SHIFT = 10      # a step of the table of exp is 2^10 of the logits' units: 1/64
    LOGIT_ONE = 65536   # a logit of 1
    FULL_HEAT = 256     # temperatures are given as 256 / T

cdef extern from *:
    """
    typedef int16_t hanafuda_lanes __attribute__((vector_size(16)));

    /* Sums the rows of the active features on top of the bias, and cuts off below 0. */
    static inline void hanafuda_hidden(
        const int16_t *first, const int16_t *bias, const uint16_t *active, int count, int16_t *hidden)
    {
        hanafuda_lanes sums[8];
        const hanafuda_lanes zero = {0};
        __builtin_memcpy(sums, bias, sizeof sums);
        for (int i = 0; i < count; i++) {
            hanafuda_lanes row[8];
            __builtin_memcpy(row, first + 64 * active[i], sizeof row);
            for (int k = 0; k < 8; k++)
                sums[k] += row[k];
        }
        for (int k = 0; k < 8; k++)
            sums[k] &= sums[k] > zero;
        __builtin_memcpy(hidden, sums, sizeof sums);
    }

    static inline int32_t hanafuda_dot(const int16_t *hidden, const int16_t *weights)
    {
        int32_t sum = 0;
        for (int i = 0; i < 64; i++)
            sum += (int32_t)hidden[i] * weights[i];
        return sum;
    }
    """
    void sum_hidden "hanafuda_hidden"(
        const int16_t* first, const int16_t* bias, const uint16_t* active, int count, int16_t* hidden
    ) noexcept nogil
    int32_t dot "hanafuda_dot"(const int16_t* hidden, const int16_t* weights) noexcept nogil


cdef class Network:
    cdef readonly str variant
    cdef readonly int features
    cdef readonly int actions
    cdef readonly bytes weights     # as they stand in the file: first layer, its biases, policy, its biases, value
    cdef const int16_t* first
    cdef const int16_t* bias
    cdef const int16_t* policy
    cdef const int16_t* value_row
    cdef const int32_t* policy_bias
    cdef const int32_t* equities    # [months left][EQUITY_POINTS]: the chance to win the match, in 1/65536
    cdef int32_t value_bias
    cdef readonly int unit          # points that a value of 1 is worth

    cdef void hidden_of(self, const uint16_t* active, int count, int16_t* hidden) noexcept nogil
    cdef int pick(
        self, const int16_t* hidden, const uint16_t* legal, int count, uint32_t heat, uint64_t* rng
    ) noexcept nogil
    cdef int best(self, const int16_t* hidden, const uint16_t* legal, int count) noexcept nogil
    cdef void logits(self, const int16_t* hidden, const uint16_t* legal, int count, int32_t* out) noexcept nogil
    cdef int64_t value(self, const int16_t* hidden) noexcept nogil
    cdef int32_t equity(self, int months_left, int64_t lead) noexcept nogil
