# What a seat of sangohana may know: the longer hooks, by their names.
from libc.stdint cimport uint8_t, uint64_t

from core_ext.events cimport Log
from core_ext.table cimport Deal
from core_ext.variants.sangohana_month cimport HandRules

cdef void mask(const HandRules* rules, Deal* deal, const Deal* full, int seat) noexcept nogil
cdef void constrain_sample(Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil
cdef bint validate_sample(const HandRules* rules, Deal* deal, int seat, Log* log) noexcept nogil
cdef int restore(const HandRules* rules, Deal* deal, observation, dict counters) except -1
