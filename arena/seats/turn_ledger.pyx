# cython: language_level=3
"""The decisions of a bot that runs by turns: a few steps for each decision, and so worth compiling."""
cimport cython

from arena.match.question cimport Question
from arena.seats.ledger cimport Ledger
from arena.seats.turn cimport Turn
from arena.wire.encode cimport ask_bytes


@cython.final
cdef class TurnLedger(Ledger):
    cdef readonly Turn turn
    cdef object session
    # The decision that waits for the bot's turn.
    cdef Py_ssize_t number
    cdef double limit_s
    cdef bytes message

    def __init__(self, Turn turn, session):
        Ledger.__init__(self)
        turn.timer = self.timer
        self.turn = turn
        self.session = session

    def ask_in_turn(self, Question question):
        reply = self.expect()
        self.message = ask_bytes(question, False)
        self.number = question.number
        self.limit_s = (question.decision_ms + question.bank_ms) / 1000.0
        self.turn.begin(self.send, question.secret)
        return reply

    def send(self):
        """Send the decision: the bot's turn has come."""
        self.begin(self.number, self.limit_s)
        connection = self.session.connection
        if connection is not None:
            connection.send(self.message, self.timer)

    cdef closed(self):
        self.turn.end()
