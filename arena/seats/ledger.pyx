# cython: language_level=3
"""What a move means: one seat's decisions in one match, without any wire."""
from arena.match.model import Rejection

cimport cython

from arena.match.clock cimport DecisionTimer
from arena.match.question cimport Answer, Question
from arena.match.reply cimport Reply
from arena.seats.turn cimport Turn
from arena.wire.encode cimport ask_bytes

cdef object NOT_ASKED = Rejection.NOT_ASKED
cdef object TOO_LATE = Rejection.TOO_LATE
cdef object ALREADY_ANSWERED = Rejection.ALREADY_ANSWERED


@cython.final
cdef class Ledger:
    def __init__(self):
        self.timer = DecisionTimer(self.expire)
        self.late = []  # of nearly all seats it stays empty, and a set is four times as large

    def ask(self, Py_ssize_t number, double limit_s):
        reply = self.expect()
        self.begin(number, limit_s)
        return reply

    def take_turns(self, Turn turn, session):
        turn.timer = self.timer
        self.turn = turn
        self.session = session

    def ask_in_turn(self, Question question):
        reply = self.expect()
        self.message = ask_bytes(question, False)
        self.number = question.number
        self.limit_s = (question.decision_ms + question.bank_ms) / 1000.0
        self.turn.begin(self.send)
        return reply

    def send(self):
        """The bot's turn has come."""
        self.begin(self.number, self.limit_s)
        connection = self.session.connection
        if connection is not None:
            connection.send(self.message, self.timer)

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
        if self.turn is not None:
            self.turn.end()
        answer.code = code
        answer.thinking_s = self.timer.thinking_s
        reply.end(answer, None)
