# cython: language_level=3
"""What a move means: one seat's decisions in one match, without any wire. Looked into for each move, and so compiled."""
from arena.match.model import Rejection

from arena.match.clock cimport DecisionTimer
from arena.match.question cimport Answer
from arena.match.reply cimport Reply

cdef object NOT_ASKED = Rejection.NOT_ASKED
cdef object TOO_LATE = Rejection.TOO_LATE
cdef object ALREADY_ANSWERED = Rejection.ALREADY_ANSWERED


cdef class Ledger:
    def __init__(self):
        self.timer = DecisionTimer(self.expire)
        self.late = []  # of nearly all seats it stays empty, and a set is four times as large

    def ask(self, Py_ssize_t number, double limit_s):
        reply = self.expect()
        self.begin(number, limit_s)
        return reply

    cdef expect(self):
        if self.failure is not None:
            raise self.failure
        self.reply = Reply.__new__(Reply)
        return self.reply

    cdef begin(self, Py_ssize_t number, double limit_s):
        self.asked = number
        self.open = True
        self.timer.begin(limit_s)

    cpdef answer(self, Py_ssize_t number, code):
        if self.open and number == self.asked:
            self.close(code)
            return None
        if not 0 < number <= self.asked:
            return NOT_ASKED
        return TOO_LATE if number in self.late else ALREADY_ANSWERED

    def end(self):
        self.timer.stop()
        if self.open:
            self.late.append(self.asked)
            self.close(None)

    def break_off(self, failure):
        if self.failure is not None:
            return
        self.failure = failure
        if self.reply is not None:
            self.reply.end(None, failure)

    def expire(self):
        self.late.append(self.asked)
        self.close(None)

    cdef close(self, code):
        """Close the open decision with this code. The match may have gone on, or be over, when this returns."""
        cdef Reply reply = self.reply  # the next decision has another
        cdef Answer answer = Answer.__new__(Answer)
        self.open = False
        self.timer.stop()
        self.closed()
        answer.code = code
        answer.thinking_s = self.timer.thinking_s
        reply.end(answer, None)

    cdef closed(self):
        """Do what else is to be done when a decision is closed, before the match goes on."""
