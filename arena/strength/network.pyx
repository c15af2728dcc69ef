# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The network that plays: policy, value and the chance to win a match by the lead, in whole numbers."""
from decimal import Decimal

from arena.strength.errors import WeightsError

cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

from core_ext.rng cimport next64
from core_ext.table cimport MAX_LEGAL

cdef extern from *:
    """
    #include <stdint.h>

    /* Twice as wide where the processor is found to be: the numbers are the same. */
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
    #define HANAFUDA_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define HANAFUDA_WIDE
    #endif

    typedef int16_t hanafuda_lanes __attribute__((vector_size(32), aligned(2), may_alias));

    /* Adds the rows of the features that came to the sums, and takes off the rows of those that went. */
    HANAFUDA_WIDE static void hanafuda_shift(
        const int16_t *first, const uint16_t *came, int came_count, const uint16_t *gone, int gone_count, int16_t *sums)
    {
        hanafuda_lanes *out = (hanafuda_lanes *)sums;
        hanafuda_lanes a = out[0], b = out[1], c = out[2], d = out[3];
        for (int i = 0; i < came_count; i++) {
            const hanafuda_lanes *row = (const hanafuda_lanes *)(first + 64 * came[i]);
            a += row[0];
            b += row[1];
            c += row[2];
            d += row[3];
        }
        for (int i = 0; i < gone_count; i++) {
            const hanafuda_lanes *row = (const hanafuda_lanes *)(first + 64 * gone[i]);
            a -= row[0];
            b -= row[1];
            c -= row[2];
            d -= row[3];
        }
        out[0] = a;
        out[1] = b;
        out[2] = c;
        out[3] = d;
    }

    /* The products of the hidden layer, which is the sums cut off below 0, with the rows of some actions. */
    HANAFUDA_WIDE static void hanafuda_products(
        const int16_t *sums, const int16_t *rows, const uint16_t *actions, int count, int32_t *out)
    {
        int16_t hidden[64];
        for (int k = 0; k < 64; k++)
            hidden[k] = sums[k] > 0 ? sums[k] : 0;
        for (int i = 0; i < count; i++) {
            const int16_t *row = rows + 64 * actions[i];
            int32_t sum = 0;
            for (int k = 0; k < 64; k++)
                sum += (int32_t)hidden[k] * row[k];
            out[i] = sum;
        }
    }
    """
    void shift_sums "hanafuda_shift"(
        const int16_t* first, const uint16_t* came, int came_count, const uint16_t* gone, int gone_count, int16_t* sums
    ) noexcept nogil
    void products "hanafuda_products"(
        const int16_t* sums, const int16_t* rows, const uint16_t* actions, int count, int32_t* out
    ) noexcept nogil

# Where the chance to win is told apart: by the lead in points, in between along straight lines.
LEAD_POINTS = (0, 1, 2, 3, 4, 6, 8, 11, 16, 22, 32, 45, 64, 90, 128, 180, 256, 360, 512, 1024)
MONTHS_LEFT = 13        # 0 to 12 months that are still to be dealt

cdef enum:
    POINTS = 20
    MOST_LEFT = 12
    SURE = 65536

cdef int32_t lead_points[POINTS]
cdef uint32_t exp_table[EXP_STEPS]

for _number, _lead in enumerate(LEAD_POINTS):
    lead_points[<int>_number] = _lead
# Decimal's exp is rounded correctly, so the table is the same everywhere.
for _number in range(EXP_STEPS):
    exp_table[<int>_number] = int((Decimal(-_number) / 64).exp() * (1 << 20))

assert len(LEAD_POINTS) == POINTS and MONTHS_LEFT == MOST_LEFT + 1


@cython.final
cdef class Network:
    """The weights of one variant. Its methods are for C; Python sees the sizes and the bytes."""

    def __init__(self, str variant, int features, int actions, int action_features, int unit, bytes weights not None):
        cdef const char* at = weights
        expected = weights_size(features, actions, action_features)
        if len(weights) != expected:
            raise WeightsError(f"the weights of {variant} are {len(weights)} bytes, not {expected}")
        self.variant = variant
        self.features = features
        self.actions = actions
        self.action_features = action_features
        self.unit = unit
        self.weights = weights
        # the numbers of 32 bits come first, so that each lies where the machine wants it
        self.policy_bias = <const int32_t*>at
        at += 4 * actions
        self.value_bias = (<const int32_t*>at)[0]
        at += 4
        self.equities = <const int32_t*>at
        at += 4 * MONTHS_LEFT * POINTS
        self.action_weights = <const int32_t*>at
        at += 4 * action_features
        self.first = <const int16_t*>at
        at += 2 * HIDDEN * features
        self.bias = <const int16_t*>at
        at += 2 * HIDDEN
        self.policy = <const int16_t*>at
        at += 2 * HIDDEN * actions
        self.value_row = <const int16_t*>at

    def win_chance(self, int months_left, int lead):
        return self.equity(months_left, lead) / SURE

    cdef void shift(
        self, const uint16_t* came, int came_count, const uint16_t* gone, int gone_count, int16_t* sums
    ) noexcept nogil:
        shift_sums(self.first, came, came_count, gone, gone_count, sums)

    cdef void logits(self, const int16_t* sums, const uint16_t* legal, int count, int32_t* out) noexcept nogil:
        cdef int i
        products(sums, self.policy, legal, count, out)
        for i in range(count):
            out[i] += self.policy_bias[legal[i]]

    cdef int64_t value(self, const int16_t* sums) noexcept nogil:
        """What the deal is expected to bring the seat beyond the others, in 1/65536 of points."""
        cdef uint16_t row = 0
        cdef int32_t product
        products(sums, self.value_row, &row, 1, &product)
        return <int64_t>(self.value_bias + product) * self.unit

    cdef int32_t equity(self, int months_left, int64_t lead) noexcept nogil:
        """The chance to win the match with this lead and so many months to be dealt, in 1/65536; a draw is half."""
        cdef const int32_t* row = self.equities + POINTS * min(months_left, <int>MOST_LEFT)
        cdef int64_t distance = lead if lead >= 0 else -lead
        cdef int32_t chance
        cdef int i = 1
        if months_left <= 0:
            return SURE if lead > 0 else SURE // 2 if lead == 0 else 0
        while i < POINTS and lead_points[i] < distance:
            i += 1
        if i == POINTS:
            chance = row[POINTS - 1]
        else:
            chance = row[i - 1] + <int32_t>(
                (row[i] - row[i - 1]) * (distance - lead_points[i - 1]) // (lead_points[i] - lead_points[i - 1])
            )
        return chance if lead >= 0 else SURE - chance


cdef uint64_t softmax(const int32_t* logits, int count, uint32_t heat, uint32_t* parts) noexcept nogil:
    cdef uint64_t total = 0
    cdef uint64_t step
    cdef int32_t highest = logits[0]
    cdef int i
    for i in range(1, count):
        highest = max(highest, logits[i])
    for i in range(count):
        step = (<uint64_t>(<int64_t>highest - logits[i]) * heat) >> (8 + EXP_SHIFT)
        parts[i] = exp_table[step] if step < EXP_STEPS else 0
        total += parts[i]
    return total


cdef int pick(const int32_t* logits, int count, uint32_t heat, uint64_t* rng) noexcept nogil:
    cdef uint32_t parts[MAX_LEGAL]
    cdef uint64_t total = softmax(logits, count, heat, parts)
    cdef uint64_t drawn = ((next64(rng) >> 32) * total) >> 32
    cdef int i = 0
    while drawn >= parts[i]:
        drawn -= parts[i]
        i += 1
    return i


cdef int best(const int32_t* logits, int count) noexcept nogil:
    cdef int best = 0
    cdef int i
    for i in range(1, count):
        if logits[i] > logits[best]:
            best = i
    return best


def weights_size(int features, int actions, int action_features):
    """How many bytes the weights have."""
    return 4 * (actions + 1 + MONTHS_LEFT * POINTS + action_features) + 2 * HIDDEN * (features + actions + 2)
