# cython: language_level=3
"""What a move means: one seat's decisions in one match, without any wire."""
import asyncio

from arena.match.model import Rejection
from arena.match.seat import Answer

cimport cython

from arena.match.clock cimport DecisionTimer
from arena.seats.turn cimport Turn

cdef object NOT_ASKED = Rejection.NOT_ASKED
cdef object TOO_LATE = Rejection.TOO_LATE
cdef object ALREADY_ANSWERED = Rejection.ALREADY_ANSWERED


@cython.final
cdef class Ledger:
    cdef readonly DecisionTimer timer
    cdef readonly bint open
    cdef public Turn turn
    cdef object loop
    cdef object waiting     # the future of the last decision's answer
    cdef Py_ssize_t asked   # how many decisions there were
    cdef set late           # those that ran out of time

    def __init__(self):
        self.timer = DecisionTimer(self.expire)
        self.loop = asyncio.get_running_loop()
        self.late = set()

    def ask(self, Py_ssize_t number, double limit_s):
        answer = self.expect()
        self.begin(number, limit_s)
        return answer

    cpdef expect(self):
        self.waiting = self.loop.create_future()
        return self.waiting

    cpdef begin(self, Py_ssize_t number, double limit_s):
        self.asked = number
        self.open = True
        self.timer.begin(limit_s)

    def answer(self, Py_ssize_t number, code):
        if self.open and number == self.asked:
            self.close(code)
            return None
        if not 0 < number <= self.asked:
            return NOT_ASKED
        return TOO_LATE if number in self.late else ALREADY_ANSWERED

    def end(self):
        self.timer.stop()
        if self.open:
            self.late.add(self.asked)
            self.close(None)

    def break_off(self, failure):
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_exception(failure)

    def expire(self):
        self.late.add(self.asked)
        self.close(None)

    cdef close(self, code):
        """Close the open decision with this code."""
        self.open = False
        self.timer.stop()
        if not self.waiting.done():
            self.waiting.set_result(Answer(code, self.timer.thinking_s))
        if self.turn is not None:
            self.turn.end()
