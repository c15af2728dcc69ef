# cython: language_level=3
"""The questions of a match and the verdicts on their answers: a few steps for each decision, and so worth compiling."""
import asyncio

from arena.match.journal import Played
from arena.match.model import THINKING_CLASSES, Rejection

cimport cython

from arena.match.question cimport Answer, Question
from arena.match.reply cimport Listener, Reply
from arena.match.rng cimport SeatRng
from core_ext.state cimport State

cdef object ILLEGAL_ACTION = Rejection.ILLEGAL_ACTION
cdef object TOO_LATE = Rejection.TOO_LATE
cdef int LAST_CLASS = THINKING_CLASSES - 1
cdef object running_loop = asyncio.get_running_loop


@cython.final
cdef class SeatState:
    cdef readonly int number
    cdef readonly object seat
    cdef readonly object tally
    cdef readonly int questions
    cdef readonly int events_seen
    cdef public int defaults
    cdef public bint unreachable
    cdef readonly list thinking
    cdef SeatRng rng
    cdef long bank_ms
    cdef bint replies       # whether the seat gives a Reply for its questions

    def __init__(self, int number, seat, spec):
        self.number = number
        self.seat = seat
        self.tally = seat.tally
        self.rng = SeatRng(spec.seed, number, spec.salts[number] if spec.salts else "")
        self.bank_ms = spec.time.bank_ms
        self.thinking = []

    cdef count(self, long clock_ms):
        """A decision took so long."""
        cdef int kind = 0
        while kind < LAST_CLASS and clock_ms >> kind:
            kind += 1
        while len(self.thinking) <= kind:
            self.thinking.append(0)
        self.thinking[kind] += 1


@cython.final
cdef class Arbiter(Listener):
    cdef readonly State state
    cdef readonly list seats
    cdef readonly bytearray choices
    cdef readonly list clock_ms
    cdef readonly Question question     # the open one
    cdef object spec
    cdef object journal
    cdef long per_decision_ms
    cdef object waiting                 # the future of the match's task, while it waits
    cdef SeatState asked                # the seat that is asked the open question
    cdef bint alone                     # whether it may go on without the match's task

    def __init__(self, spec, seats, journal):
        self.spec = spec
        self.journal = journal
        self.per_decision_ms = spec.time.per_decision_ms
        self.state = State.new(spec.variant, spec.options, spec.seed, len(seats))
        self.seats = [SeatState(number, seat, spec) for number, seat in enumerate(seats)]
        self.choices = bytearray()
        self.clock_ms = []

    cpdef ask(self, bint secret):
        cdef State state = self.state
        cdef SeatState asked = self.seats[state.deal.asked]
        cdef int events = state.first_event() + state.log.count
        cdef int since = asked.events_seen
        self.asked = asked
        cdef long decision_ms = self.per_decision_ms
        cdef long bank_ms = asked.bank_ms
        if secret:
            decision_ms, bank_ms = min(decision_ms + bank_ms, <long>self.spec.cover_ms), 0
        asked.questions += 1
        asked.events_seen = events
        self.question = Question.__new__(Question)
        self.question.fill(
            self.spec, asked.number, asked.questions, tuple(state.legal_actions()), asked.rng.roll(asked.questions),
            decision_ms, bank_ms, since, events, state,
        )
        return self.question

    def answer(self, *, bint alone):
        coming = self.asked.seat.decide(self.question)
        self.asked.replies = type(coming) is Reply
        if not self.asked.replies:
            return coming
        self.alone = alone
        self.waiting = running_loop().create_future()
        (<Reply>coming).listen(self)
        return self.waiting

    cdef heard(self, Reply reply):
        if self.waiting.done():  # the task was cancelled
            return
        try:
            if reply.failure is not None:
                self.waiting.set_exception(reply.failure)
            elif not self.alone or self.verdict(reply.answer) is not None:
                self.waiting.set_result(reply.answer)
            else:
                self.go_on(reply.answer)
        except Exception as error:  # whatever it is, the task is told
            self.waiting.set_exception(error)

    cdef go_on(self, Answer answer):
        """Do what the match's task would do after an answer that is taken, until the next question is asked."""
        cdef State state = self.state
        played = self.judged(answer, None)
        self.record(played.choice, played.clock_ms)
        written = None if self.journal is None else self.journal.write(played)
        if written is not None or state.deal.asked < 0 or not (<SeatState>self.seats[state.deal.asked]).replies:
            self.waiting.set_result(written)
            return
        self.ask(False)
        (<Reply?>self.asked.seat.decide(self.question)).listen(self)

    cdef verdict(self, Answer answer):
        """Why an answer to the open question is not taken, None where it is. Here an answer is judged too late."""
        code = answer.code
        if code is None or <long>(answer.thinking_s * 1000) > self.question.decision_ms + self.question.bank_ms:
            return TOO_LATE
        return None if code in self.question.legal else ILLEGAL_ACTION

    cpdef judge(self, Answer answer):
        return self.judged(answer, self.verdict(answer))

    cdef judged(self, Answer answer, refused):
        cdef long clock_ms = <long>(answer.thinking_s * 1000)
        self.charge(clock_ms)
        choice = 0
        tally = self.asked.tally
        if refused is None:
            choice = self.question.legal.index(answer.code)
        else:
            tally.rejections += 1
        return Played(self.asked.number, choice, clock_ms, refused, tally.rejections)

    cpdef charge(self, long clock_ms):
        cdef Question question = self.question
        if question.bank_ms and clock_ms > question.decision_ms:
            self.asked.bank_ms = max(0, question.decision_ms + question.bank_ms - clock_ms)

    cpdef record(self, int choice, long clock_ms):
        self.state.apply_code(<Py_ssize_t>self.question.legal[choice])
        self.choices.append(choice)
        self.clock_ms.append(clock_ms)
        self.asked.count(clock_ms)
