# Money in hachihachi, in points: what a field makes of kan, who pays whom, the end of a year.
from libc.stdint cimport int64_t, uint64_t

cdef enum:
    EVERYBODY = -1      # no seat pays alone
    POINTS_TO_KAN = 12
    PAR = 88

# In the order of FIELDS.
cdef enum Field:
    FIELD_SHO
    FIELD_DAI
    FIELD_ZETSU

# What a menu makes of a field.
cdef struct Rate:
    int twice       # two times the multiplier
    int added       # kan for each yaku


cdef inline int64_t rated(const Rate* rate, int64_t kan, int yaku) noexcept nogil:
    """So many kan for so many yaku, in points; 0 yaku for what menu F adds nothing to."""
    return (kan + yaku * rate.added) * rate.twice * (POINTS_TO_KAN // 2)


cdef void pay(int64_t* scores, int to, int64_t points, int alone) noexcept nogil
cdef int field_of(uint64_t field, int bind, int* carried) noexcept nogil
cdef int card_points(uint64_t pile) noexcept nogil
cdef void difference_scores(const Rate* rate, const int* points, int64_t* scores) noexcept nogil
cdef void year_results(const int64_t* balances, int pot, int dealer, int shiso, int64_t* results) noexcept nogil
cdef int compile_rates(Rate* rates, menu) except -1
