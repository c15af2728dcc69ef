cimport cython

from arena.match.clock cimport Clock
from arena.match.deadline cimport Deadline
from arena.match.rng cimport SeatRng
from arena.match.seat cimport Question, Tally
from core_ext.state cimport State

cdef Clock clock


cdef class _SeatState:
    cdef public int number
    cdef public object seat
    cdef public long long bank_ms
    cdef public SeatRng dice
    cdef public Tally tally
    cdef public Py_ssize_t questions
    cdef public int defaults
    cdef public Py_ssize_t asked_since
    cdef public bint mute


cdef class _Match:
    cdef object _spec
    cdef State _state
    cdef list _chairs
    cdef object _journal
    cdef object _spectator
    cdef Py_ssize_t _told
    cdef bytearray _choices
    cdef list _clock_ms
    cdef list _watching
    cdef object _cover
    cdef object _forfeit
    cdef long long _decision_ms
    cdef Deadline _deadline

    cdef _judge(self, _SeatState chair, Question question, code, double handed_at, bint late)
    @cython.locals(decision_ms=cython.longlong, bank_ms=cython.longlong)
    cdef Question _question(self, _SeatState chair, bint secret)
    cdef _charge(self, _SeatState chair, Question question, long long clock_ms)
    cdef _record(self, Question question, Py_ssize_t choice, long long clock_ms)
