from core_ext.table cimport Deal
from core_ext.variant cimport Variant

cdef str digest(Variant rules, const Deal* deal, bytes chance)
