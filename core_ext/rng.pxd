# SplitMix64 (Steele, Lea, Flood 2014): the numbers of playouts and of sampled states, never of a deal.
from libc.stdint cimport uint64_t


cdef inline uint64_t next64(uint64_t* state) noexcept nogil:
    cdef uint64_t z
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline int choose(uint64_t* state, int n) noexcept nogil:
    """One of 0 … n-1; for the few choices of a game the bias is below n / 2^32."""
    return <int>(((next64(state) >> 32) * <uint64_t>n) >> 32)
