# cython: language_level=3
"""A match as a state machine. The steps of each decision, for whoever drives it, and so worth compiling."""
from arena.match.journal import Forfeit, JournalError, Played
from arena.match.model import THINKING_CLASSES, End, MatchResult, Policy, Rejection
from arena.match.outcome import end_of, placing, results_of
from arena.match.rng import SeatRng

cimport cython

LENIENT_DEFAULTS = 3

cdef object ILLEGAL_ACTION = Rejection.ILLEGAL_ACTION
cdef object TOO_LATE = Rejection.TOO_LATE
cdef object LENIENT = Policy.LENIENT
cdef object ABANDONED = End.ABANDONED
cdef dict END_AFTER = {TOO_LATE: End.TIMEOUT, ILLEGAL_ACTION: End.ILLEGAL_ACTION}
cdef int LAST_CLASS = THINKING_CLASSES - 1
cdef int MAX_DEFAULTS = LENIENT_DEFAULTS


cdef inline long secret_limit(long cover_ms):
    """How long a secret question may take: who lets it pass is found to have done so before its slot is over."""
    return cover_ms - (cover_ms + 9) // 10


class OutOfTurnError(RuntimeError):
    pass


@cython.final
cdef class Tally:
    pass


@cython.final
cdef class SeatState:
    def __init__(self, int number, Tally tally, spec):
        self.number = number
        self.tally = tally
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
cdef class Referee:
    def __init__(self, spec, tallies=None):
        if tallies is None:
            tallies = [Tally() for _ in spec.names]
        if len(tallies) != len(spec.names):
            raise ValueError(f"a match of {len(spec.names)} names has {len(tallies)} seats")
        self.spec = spec
        self.per_decision_ms = spec.time.per_decision_ms
        self.state = State.new(spec.variant, spec.options, spec.seed, len(tallies))
        self.seats = [SeatState(number, tally, spec) for number, tally in enumerate(tallies)]
        self.choices = bytearray()
        self.clock_ms = []

    @property
    def turn(self):
        return self.to_act()

    cdef int to_act(self):
        return -1 if self.forfeit is not None else self.state.deal.asked

    cpdef ask(self, bint secret=False):
        cdef State state = self.state
        cdef int turn = self.to_act()
        if turn < 0 or self.asked is not None:
            raise OutOfTurnError("the match is over" if turn < 0 else "the open question is not answered yet")
        cdef SeatState asked = self.seats[turn]
        cdef int events = state.first_event() + state.log.count
        cdef int since = asked.events_seen
        cdef long decision_ms = self.per_decision_ms
        cdef long bank_ms = asked.bank_ms
        self.secret = secret
        if secret:
            decision_ms, bank_ms = min(decision_ms + bank_ms, secret_limit(self.spec.cover_ms)), 0
        self.asked = asked
        asked.questions += 1
        asked.events_seen = events
        self.question = Question.__new__(Question)
        self.question.fill(
            self.spec, asked.number, asked.questions, tuple(state.legal_actions()), asked.rng.roll(asked.questions),
            decision_ms, bank_ms, since, events, state,
        )
        self.question.secret = secret
        return self.question

    cpdef answer(self, Answer answer):
        cdef SeatState asked = self.asked
        cdef long clock_ms = <long>(answer.thinking_s * 1000)
        cdef int choice = 0
        if asked is None:
            raise OutOfTurnError("no question is open")
        self.answered = answer
        self.rejection = self.verdict(answer)
        self.charge(asked, clock_ms)
        if self.rejection is None:
            choice = self.question.legal.index(answer.code)
        else:
            asked.tally.rejections += 1
            if self.secret and self.rejection is TOO_LATE:
                # Less time than the time control gives is no reason to forfeit, and a forfeit would show who was asked.
                choice = self.question.legal.index(self.state.parse_action("pass"))
            elif self.spec.policy is not LENIENT or asked.defaults == MAX_DEFAULTS:
                return self.end(END_AFTER[self.rejection], asked.number, self.reason(clock_ms))
            else:
                asked.defaults += 1
        self.record(asked, choice, clock_ms)
        return Played(asked.number, choice, clock_ms, self.rejection, asked.tally.rejections)

    def fail(self, int seat, end, str text):
        cdef SeatState failed = self.seats[seat]
        if end is ABANDONED:
            text = f"{self.spec.names[seat]} declined the match"
            if self.spec.declinable and failed.questions <= 1:
                return self.abandon(text)
            end = End.BOT_ERROR
            text += ", after its first move" if self.spec.declinable else ", which is no challenge"
        return self.end(end, seat, text)

    def abandon(self, str text):
        return self.end(ABANDONED, -1, text)

    def replay(self, entry, *, bint secret=False):
        cdef SeatState asked
        if type(entry) is Forfeit:
            if entry.offender >= 0:
                self.seats[entry.offender].tally.rejections = entry.rejections
            self.forfeit = entry
            return
        if self.to_act() != entry.seat:
            raise JournalError(f"entry {len(self.choices)} of the journal is not of the seat whose turn it is")
        self.ask(secret)
        if entry.choice >= len(self.question.legal):
            raise JournalError(f"entry {len(self.choices)} of the journal is no legal action")
        asked = self.asked
        self.charge(asked, entry.clock_ms)
        asked.tally.rejections = entry.rejections
        asked.defaults += entry.refused is not None and not (secret and entry.refused is TOO_LATE)
        self.record(asked, entry.choice, entry.clock_ms)

    def result(self):
        results = results_of(self.state)
        if self.forfeit is None:
            end, offender, text = end_of(self.state), -1, ""
        else:
            end, offender, text = self.forfeit.end, self.forfeit.offender, self.forfeit.text
        return MatchResult(
            end=end,
            offender=offender,
            results=results,
            placing=placing(results, offender),
            choices=bytes(self.choices),
            clock_ms=tuple(self.clock_ms),
            rejections=tuple([seat.tally.rejections for seat in self.seats]),
            text=text,
            thinking=tuple([tuple(seat.thinking) for seat in self.seats]),
        )

    cdef verdict(self, Answer answer):
        """Why an answer to the open question is not taken, None where it is. Here an answer is judged too late."""
        code = answer.code
        if code is None or <long>(answer.thinking_s * 1000) > self.question.decision_ms + self.question.bank_ms:
            return TOO_LATE
        return None if code in self.question.legal else ILLEGAL_ACTION

    cdef charge(self, SeatState asked, long clock_ms):
        """Charge the seat's bank for the time beyond the decision's own."""
        cdef Question question = self.question
        if question.bank_ms and clock_ms > question.decision_ms:
            asked.bank_ms = max(0, question.decision_ms + question.bank_ms - clock_ms)

    cdef record(self, SeatState asked, int choice, long clock_ms):
        """Play an action, by its index in the legal list; the question is not open any more."""
        self.asked = None
        self.state.apply_code(<Py_ssize_t>self.question.legal[choice])
        self.choices.append(choice)
        self.clock_ms.append(clock_ms)
        asked.count(clock_ms)

    cdef end(self, end, int offender, str text):
        """End the match here, unless it was ended before."""
        cdef int rejections = 0
        if self.forfeit is None:
            if offender >= 0:
                rejections = self.seats[offender].tally.rejections
            self.asked = None
            self.forfeit = Forfeit(end, offender, text, rejections)
        return self.forfeit

    cdef reason(self, long clock_ms):
        """Why the open question's seat forfeits, for people."""
        cdef Question question = self.question
        where = f"decision {question.number} of seat {question.seat}"
        if self.rejection is TOO_LATE:
            return f"{where} took {clock_ms} ms of {question.limit_ms}"
        return f"{where}: code {self.answered.code!r} is not legal"
