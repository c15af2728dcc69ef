# cython: language_level=3
"""From an answer to the next question without the match's task: a few steps for each decision, and so worth compiling."""
import asyncio

cimport cython

from arena.match.question cimport Question
from arena.match.referee cimport Referee
from arena.match.reply cimport Listener, Reply

cdef object running_loop = asyncio.get_running_loop


@cython.final
cdef class Relay(Listener):
    cdef Referee referee
    cdef list seats
    cdef object journal
    cdef object waiting     # the future of the match's task
    cdef set replying       # the seats that were seen to give a Reply

    def __init__(self, Referee referee, seats, journal):
        self.referee = referee
        self.seats = list(seats)
        self.journal = journal
        self.replying = set()

    cpdef take(self, answer):
        entry = self.referee.answer(answer)
        return entry, None if self.journal is None else self.journal.write(entry)

    def follow(self, Reply reply):
        self.replying.add(self.referee.question.seat)
        self.waiting = running_loop().create_future()
        reply.listen(self)
        return self.waiting

    cdef heard(self, Reply reply):
        if self.waiting.done():  # the task was cancelled
            return
        try:
            if reply.failure is not None:
                self.waiting.set_exception(reply.failure)
            else:
                self.go_on(reply.answer)
        except Exception as error:  # whatever it is, the task is told
            self.waiting.set_exception(error)

    cdef go_on(self, answer):
        cdef Question question
        entry, written = self.take(answer)
        if written is not None or self.referee.rejection is not None or self.referee.to_act() not in self.replying:
            self.waiting.set_result((entry, written))
            return
        question = self.referee.ask()
        (<Reply?>self.seats[question.seat].decide(question)).listen(self)
