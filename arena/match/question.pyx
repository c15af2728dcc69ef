# cython: language_level=3
"""A decision as it is asked and answered: made and read for each one, and so worth compiling."""
from core_ext import variant_info
from core_ext.errors import CoreError

cimport cython


class StaleQuestionError(RuntimeError):
    pass


class QuestionError(RuntimeError):
    pass


@cython.final
@cython.freelist(64)
cdef class Question:
    def __init__(
        self, spec, int seat, long number, tuple legal, uint64_t random, long decision_ms, long bank_ms,
        int events_since, int events_until, State state,
    ):
        self.fill(spec, seat, number, legal, random, decision_ms, bank_ms, events_since, events_until, state)

    cdef fill(
        self, spec, int seat, long number, tuple legal, uint64_t random, long decision_ms, long bank_ms,
        int events_since, int events_until, State state,
    ):
        """The fields of a question that was made without them: from compiled code they need not become objects."""
        self.spec = spec
        self.seat = seat
        self.number = number
        self.legal = legal
        self.random = random
        self.decision_ms = decision_ms
        self.bank_ms = bank_ms
        self.events_since = events_since
        self.events_until = events_until
        self.state = state

    @property
    def limit_ms(self):
        return self.decision_ms + self.bank_ms

    @property
    def observation(self):
        if self.seen is None:
            since = 0 if variant_info(self.spec.variant).recalls else self.events_since
            try:
                self.seen = self.live_state().observation(self.seat, since)
            except CoreError as error:
                raise QuestionError(str(error)) from error
        return self.seen

    @property
    def events(self):
        if self.happened is None:
            try:
                self.happened = self.live_state().events(self.seat, self.events_since)
            except CoreError as error:
                raise QuestionError(str(error)) from error
        return self.happened

    @property
    def texts(self):
        return tuple(map(self.state.action_text, self.legal))

    def live_state(self):
        if self.state.first_event() + self.state.log.count != self.events_until:
            raise StaleQuestionError(f"question {self.number} of seat {self.seat} is answered, the match has gone on")
        return self.state


@cython.final
@cython.freelist(64)
cdef class Answer:
    def __init__(self, code, double thinking_s):
        self.code = code
        self.thinking_s = thinking_s
