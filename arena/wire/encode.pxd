from arena.match.question cimport Question


cdef bytes ask_bytes(Question question, bint repeated)
