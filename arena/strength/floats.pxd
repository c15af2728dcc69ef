# The network in 32-bit floats, for learning. Sums are taken in a fixed order, so that every machine learns the same.
from libc.stdint cimport uint16_t

cdef extern from *:
    """
    typedef float hanafuda_floats __attribute__((vector_size(16)));

    static inline void hanafuda_forward(
        const float *first, const float *bias, const uint16_t *active, int count, float *hidden)
    {
        hanafuda_floats sums[16];
        __builtin_memcpy(sums, bias, sizeof sums);
        for (int i = 0; i < count; i++) {
            hanafuda_floats row[16];
            __builtin_memcpy(row, first + 64 * active[i], sizeof row);
            for (int k = 0; k < 16; k++)
                sums[k] += row[k];
        }
        __builtin_memcpy(hidden, sums, sizeof sums);
        for (int k = 0; k < 64; k++)
            hidden[k] = hidden[k] > 0 ? hidden[k] : 0;
    }

    static inline float hanafuda_fdot(const float *left, const float *right)
    {
        hanafuda_floats sum = {0}, a, b;
        for (int k = 0; k < 64; k += 4) {
            __builtin_memcpy(&a, left + k, sizeof a);
            __builtin_memcpy(&b, right + k, sizeof b);
            sum += a * b;
        }
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

    /* sums += factor * row */
    static inline void hanafuda_add(float *sums, float factor, const float *row)
    {
        hanafuda_floats a, b;
        for (int k = 0; k < 64; k += 4) {
            __builtin_memcpy(&a, sums + k, sizeof a);
            __builtin_memcpy(&b, row + k, sizeof b);
            a += factor * b;
            __builtin_memcpy(sums + k, &a, sizeof a);
        }
    }

    /* e^x for x <= 0, to 1e-6: libraries differ in the last bit, this does not. */
    static inline float hanafuda_exp(float x)
    {
        float scale, r, p;
        int n;
        unsigned bits;
        if (x < -60.0f)
            return 0.0f;
        n = (int)(x * 1.44269504f - 0.5f);
        r = x - (float)n * 0.693147182f;
        p = 1.0f + r * (1.0f + r * (0.5f + r * (0.166666667f + r * (0.0416666667f + r * 0.00833333333f))));
        bits = (unsigned)(n + 127) << 23;
        __builtin_memcpy(&scale, &bits, sizeof scale);
        return p * scale;
    }
    """
    void forward "hanafuda_forward"(
        const float* first, const float* bias, const uint16_t* active, int count, float* hidden
    ) noexcept nogil
    float fdot "hanafuda_fdot"(const float* left, const float* right) noexcept nogil
    void add_row "hanafuda_add"(float* sums, float factor, const float* row) noexcept nogil
    float exp_below "hanafuda_exp"(float x) noexcept nogil
