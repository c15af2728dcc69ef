from libc.stdint cimport uint64_t

from core_ext.table cimport Deal
from core_ext.variant cimport Variant

cdef str digest(Variant rules, const Deal* deal, bytes chance)
cdef uint64_t mix_in(uint64_t positions, const Deal* deal) noexcept nogil
cdef str running_hash(Variant rules, bytes chance, bytes codes, uint64_t positions)
