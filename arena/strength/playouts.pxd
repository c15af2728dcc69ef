from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from core_ext.table cimport Deal

from arena.strength.policy cimport Memory, Policy

# Plays to the end of the deal, each seat by the policy from what it may see; returns how many decisions it took. Heat is
# 256 / temperature; from COLD on the best action is taken.
cdef int64_t play_deal(
    Policy policy, Deal* deal, const uint8_t* key, uint32_t heat, uint64_t* rng, Memory* memory
) noexcept nogil

# What a seat's deal came to beyond the others' mean, in 1/65536 of points.
cdef int64_t margin_of(const Deal* deal, const Deal* start, int seat) noexcept nogil

# The chance of a seat to win the match from an ended deal on, in 1/65536; between more than two, that it leads.
cdef int64_t chance_of(Policy policy, const Deal* deal, int seat) noexcept nogil

# What a deal is expected to come to, over everything that the policy may do: margin in points, and chance to win.
cdef struct Expected:
    double margin
    double chance
    int64_t decisions   # of all the ways together

# Adds what a deal that is reached with this weight is expected to come to, less what it began with.
cdef void expect(
    Policy policy,
    const Deal* deal,
    const Deal* start,
    int seat,
    const uint8_t* key,
    uint32_t heat,
    double weight,
    Memory* memory,
    Expected* expected,
) noexcept nogil
