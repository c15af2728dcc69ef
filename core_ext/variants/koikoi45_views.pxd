# What a seat of koikoi45 may know: what the hooks of these names add for exchanges.
from core_ext.events cimport Log
from core_ext.matching cimport Matching
from core_ext.table cimport Deal

cdef void veil(Deal* deal, const Deal* full, int seat) noexcept nogil
cdef bint is_sure_to_be_asked(Matching rules, const Deal* deal, int seat) noexcept nogil
cdef bint accept(Matching rules, Deal* deal, int seat, Log* log) noexcept nogil
cdef int restore(Matching rules, Deal* deal, observation) except -1
