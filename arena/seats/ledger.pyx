# cython: language_level=3
"""What a move means: one seat's decisions in one match, without any wire."""
from arena.match.model import Rejection
from arena.wire.encode import decision_response_bytes

cimport cython

from arena.match.clock cimport DecisionTimer
from arena.match.question cimport Answer, Question
from arena.match.reply cimport Reply

cdef object NOT_ASKED = Rejection.NOT_ASKED
cdef object TOO_LATE = Rejection.TOO_LATE
cdef object ALREADY_ANSWERED = Rejection.ALREADY_ANSWERED


@cython.final
cdef class Ledger:
    def __init__(self):
        self.timer = DecisionTimer(self.expire)
        self.late = set()

    def ask(self, Py_ssize_t number, double limit_s):
        reply = self.expect()
        self.begin(number, limit_s)
        return reply

    def ask_in_turn(self, session, Question question):
        self.message = decision_response_bytes(question)
        self.session = session
        self.number = question.number
        self.limit_s = (question.decision_ms + question.bank_ms) / 1000.0
        reply = self.expect()
        self.turn.begin(self.send)
        return reply

    def send(self):
        """The bot's turn has come."""
        self.begin(self.number, self.limit_s)
        connection = self.session.connection
        if connection is not None:
            connection.send(self.message, self.timer)

    cdef expect(self):
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
            self.late.add(self.asked)
            self.close(None)

    def break_off(self, failure):
        if self.reply is not None:
            self.reply.end(None, failure)

    def expire(self):
        self.late.add(self.asked)
        self.close(None)

    cdef close(self, code):
        """Close the open decision with this code. The match may have gone on, or be over, when this returns."""
        cdef Reply reply = self.reply  # the next decision has another
        self.open = False
        self.timer.stop()
        if self.turn is not None:
            self.turn.end()
        reply.end(Answer(code, self.timer.thinking_s), None)
