# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Learning from self-play: an actor and a critic on one hidden layer, in strictly ordered 32-bit floats.

A `Table` plays deals against itself by the current weights and adds up the gradient of what it has seen. `update` takes
a step of Adam. Which tables there are decides the result; how many threads run them does not.
"""
import numpy as np

from arena.strength.network import LEAD_POINTS
from arena.strength.policy import policy_of

from libc.math cimport sqrtf
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from core_ext.action_encoding cimport ActionEncoding, Setting
from core_ext.encoding cimport Encoding
from core_ext.rng cimport next64
from core_ext.state cimport State
from core_ext.table cimport MAX_LEGAL, MAX_SEATS, PHASE_ENDED, Deal

from arena.strength.floats cimport add_row, exp_below, fdot, forward
from arena.strength.network cimport Network
from arena.strength.policy cimport COLD

cdef enum:
    POINTS = 20
    MOST_LEFT = 12

cdef int lead_points[POINTS]
for _number, _lead in enumerate(LEAD_POINTS):
    lead_points[<int>_number] = _lead

cdef float SWING = 8.0      # what a change of 1 in the chance to win is worth beside a margin of one unit


cdef Layout layout_of(int features, int actions, int action_features) noexcept:
    cdef Layout at
    at.features = features
    at.actions = actions
    at.bias = HIDDEN * features
    at.policy = at.bias + HIDDEN
    at.policy_bias = at.policy + HIDDEN * actions
    at.value = at.policy_bias + actions
    at.value_bias = at.value + HIDDEN
    at.action_features = at.value_bias + 1
    at.size = at.action_features + action_features
    return at


def parameter_count(int features, int actions, int action_features):
    return layout_of(features, actions, action_features).size


cdef class Table:
    """A table at which the weights play against themselves or a rival, match after match."""

    def __init__(
        self,
        State state not None,
        uint64_t seed,
        float[::1] weights,
        float[:, ::1] equities,
        float unit,
        float trace,
        Network rival=None,
    ):
        self.rules = state.rules
        self.encoding = Encoding(state)
        self.action_encoding = ActionEncoding(self.encoding)
        self.at = layout_of(self.encoding.size, len(state.rules.info.actions), self.action_encoding.size)
        self.rng = seed
        self.weights = weights
        self.equities = equities
        self.gradient = np.zeros(self.at.size, np.float32)
        self.reached = np.zeros((MOST_LEFT + 1, POINTS))
        self.won = np.zeros((MOST_LEFT + 1, POINTS))
        self.unit = unit
        self.trace = trace
        self.rival = None if rival is None else policy_of(state, rival)
        self.learner = 0
        self.steps = <Step*>malloc(MAX_STEPS * sizeof(Step))
        self.rows = <uint16_t*>malloc(MAX_ROWS * sizeof(uint16_t))
        if self.steps == NULL or self.rows == NULL:
            raise MemoryError
        self.begin_match()

    def __dealloc__(self):
        free(self.steps)
        free(self.rows)

    def play(self, int deals, float entropy, float by_equity):
        self.entropy = entropy
        self.by_equity = by_equity
        with nogil:
            self.play_deals(deals)

    def take_gradient(self):
        return np.asarray(self.gradient)

    def take_results(self):
        return np.asarray(self.reached), np.asarray(self.won)

    cdef void begin_match(self) noexcept nogil:
        cdef uint64_t word
        cdef int i
        for i in range(4):
            word = next64(&self.rng)
            memcpy(self.key + 8 * i, &word, 8)
        self.mark_count = 0
        if self.rival is not None:
            self.learner = self.learner + 1 if self.learner + 1 < self.rules.seats else 0
            self.rival.forget(&self.memory)
        self.rules.begin(&self.deal, self.key, NULL)

    cdef void play_deals(self, int deals) noexcept nogil:
        while deals:
            self.play_deal()
            if self.step_count:
                deals -= 1
                self.learn_deal()
            self.next_deal()

    cdef void play_deal(self) noexcept nogil:
        cdef uint16_t legal[MAX_LEGAL]
        cdef int count, chosen
        cdef bint kept
        self.step_count = 0
        self.row_count = 0
        while self.deal.phase != PHASE_ENDED:
            count = self.rules._legal(&self.deal, legal)
            if self.rival is not None and self.deal.asked != self.learner:
                chosen = self.rival.choose(&self.deal, legal, count, COLD, &self.rng, &self.memory)
                self.rules._apply(&self.deal, self.key, legal[chosen], NULL)
                continue
            kept = self.step_count < MAX_STEPS and self.row_count < MAX_ROWS - MAX_STEP_ROWS
            chosen = self.decide(legal, count) if count > 1 and kept else 0
            self.rules._apply(&self.deal, self.key, legal[chosen], NULL)
            self.decisions += 1

    cdef int decide(self, const uint16_t* legal, int count) noexcept nogil:
        """Draws an action by the weights, and keeps the decision as a step."""
        cdef Step* step = &self.steps[self.step_count]
        cdef const float* weights = &self.weights[0]
        cdef const float* action_weights = weights + self.at.action_features
        cdef Setting setting
        cdef float best, total, drawn
        cdef int i, row
        self.step_count += 1
        step.seat = self.deal.asked
        step.active_count = <int16_t>self.encoding.encode(&self.deal, self.deal.asked, step.active)
        step.legal_count = <int16_t>count
        forward(weights, weights + self.at.bias, step.active, step.active_count, step.hidden)
        step.value = fdot(step.hidden, weights + self.at.value) + weights[self.at.value_bias]
        step.rows[0] = self.row_count
        if self.action_encoding.size:
            self.action_encoding.set_up(&self.deal, self.deal.asked, &setting)
        for i in range(count):
            step.legal[i] = legal[i]
            step.logit[i] = (
                fdot(step.hidden, weights + self.at.policy + HIDDEN * legal[i]) + weights[self.at.policy_bias + legal[i]]
            )
            if self.action_encoding.size:
                self.row_count += self.action_encoding.encode(
                    &self.deal, &setting, legal[i], self.rows + self.row_count
                )
            for row in range(step.rows[i], self.row_count):
                step.logit[i] += action_weights[self.rows[row]]
            step.rows[i + 1] = self.row_count
        best = step.logit[0]
        for i in range(1, count):
            best = max(best, step.logit[i])
        total = 0
        for i in range(count):
            step.chance[i] = exp_below(step.logit[i] - best)
            total += step.chance[i]
        drawn = total * (<float>(next64(&self.rng) >> 40) / <float>(1 << 24))
        step.chosen = <int16_t>(count - 1)
        for i in range(count):
            if drawn < step.chance[i]:
                step.chosen = <int16_t>i
                break
            drawn -= step.chance[i]
        for i in range(count):
            step.chance[i] /= total
        return step.chosen

    cdef void learn_deal(self) noexcept nogil:
        """Credits each step with what came later, the nearer the more, and adds its gradient."""
        cdef float later[MAX_SEATS]
        cdef float credit[MAX_SEATS]
        cdef Step* step
        cdef int seat, i
        for seat in range(self.rules.seats):
            later[seat] = self.reward(seat)
            credit[seat] = 0
        for i in range(self.step_count - 1, -1, -1):
            step = &self.steps[i]
            seat = step.seat
            credit[seat] = later[seat] - step.value + self.trace * credit[seat]
            later[seat] = step.value
            step.advantage = credit[seat]
            step.target = step.value + credit[seat]
            self.backward(step)

    cdef void backward(self, const Step* step) noexcept nogil:
        cdef const float* weights = &self.weights[0]
        cdef float* gradient = &self.gradient[0]
        cdef float back[HIDDEN]
        cdef float slope, mean, logit, error
        cdef int i, action, row
        cdef float advantage = max(<float>-3.0, min(<float>3.0, step.advantage))
        mean = 0
        for i in range(step.legal_count):
            mean += step.chance[i] * step.logit[i]
        error = step.value - step.target
        error = <float>0.5 * max(<float>-4.0, min(<float>4.0, error))
        for i in range(<int>HIDDEN):
            back[i] = 0
        add_row(back, error, weights + self.at.value)
        add_row(gradient + self.at.value, error, step.hidden)
        gradient[self.at.value_bias] += error
        for i in range(step.legal_count):
            action = step.legal[i]
            logit = step.logit[i]
            slope = advantage * (step.chance[i] - (1 if i == step.chosen else 0))
            slope += self.entropy * step.chance[i] * (logit - mean)
            add_row(back, slope, weights + self.at.policy + HIDDEN * action)
            add_row(gradient + self.at.policy + HIDDEN * action, slope, step.hidden)
            gradient[self.at.policy_bias + action] += slope
            for row in range(step.rows[i], step.rows[i + 1]):
                gradient[self.at.action_features + self.rows[row]] += slope
        for i in range(<int>HIDDEN):
            if step.hidden[i] <= 0:
                back[i] = 0
        add_row(gradient + self.at.bias, 1, back)
        for i in range(step.active_count):
            add_row(gradient + HIDDEN * step.active[i], 1, back)

    cdef float reward(self, int seat) noexcept nogil:
        """The margin of the ended deal in units; between two seats, mixed with what it did to the chance to win."""
        cdef int64_t others = -self.deal.score[seat]
        cdef int64_t before, now
        cdef int other, left
        cdef float margin, swing
        for other in range(self.rules.seats):
            others += self.deal.score[other]
        margin = (<float>self.deal.score[seat] - <float>others / (self.rules.seats - 1)) / self.unit
        if self.rules.seats > 2 or self.by_equity == 0:
            return margin
        now = self.deal.balance[seat] - self.deal.balance[1 - seat]
        before = now - self.deal.score[seat] + self.deal.score[1 - seat]
        left = self.months_left()
        swing = self.chance_to_win(left - 1, now) - self.chance_to_win(left, before)
        return self.by_equity * SWING * swing + (1 - self.by_equity) * margin

    cdef int months_left(self) noexcept nogil:
        """The months that are still to be dealt, that of the deal included."""
        return max(1, self.encoding.months - self.deal.month + 1)

    cdef float chance_to_win(self, int months_left, int64_t lead) noexcept nogil:
        cdef int64_t distance = lead if lead >= 0 else -lead
        cdef int i = 1
        cdef float chance, share
        if months_left <= 0:
            return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
        months_left = min(months_left, <int>MOST_LEFT)
        while i < POINTS and lead_points[i] < distance:
            i += 1
        if i == POINTS:
            chance = self.equities[months_left, POINTS - 1]
        else:
            share = <float>(distance - lead_points[i - 1]) / <float>(lead_points[i] - lead_points[i - 1])
            chance = self.equities[months_left, i - 1] * (1 - share) + self.equities[months_left, i] * share
        return chance if lead >= 0 else 1 - chance

    cdef void mark(self) noexcept nogil:
        if self.mark_count < 64:
            self.marks[self.mark_count][0] = self.months_left() - 1
            self.marks[self.mark_count][1] = <int>(self.deal.balance[0] - self.deal.balance[1])
            self.mark_count += 1

    cdef void next_deal(self) noexcept nogil:
        """Deals the next month, or the first of a new match."""
        cdef int64_t results[MAX_SEATS]
        cdef int i, left, lead, place
        cdef double won
        if not self.rules._is_last(&self.deal):
            self.mark()
            self.rules.next_deal(&self.deal, self.key, NULL, NULL)
            return
        self.rules._results(&self.deal, results)
        won = 1.0 if results[0] > results[1] else 0.5 if results[0] == results[1] else 0.0
        for i in range(self.mark_count):
            left = min(self.marks[i][0], <int>MOST_LEFT)
            lead = self.marks[i][1]
            place = 0
            while place < POINTS - 1 and lead_points[place + 1] <= abs(lead):
                place += 1
            if place < POINTS - 1 and 2 * abs(lead) > lead_points[place] + lead_points[place + 1]:
                place += 1
            self.reached[left, place] += 1
            self.won[left, place] += won if lead >= 0 else 1 - won
        self.begin_match()


def update(
    float[::1] weights,
    float[::1] gradient,
    float[::1] mean,
    float[::1] square,
    float rate,
    float first_decay,
    float second_decay,
):
    """A step of Adam (Kingma and Ba 2015), in place; the decays are those of the means, corrected by the caller's rate."""
    cdef Py_ssize_t i
    cdef float slope
    with nogil:
        for i in range(weights.shape[0]):
            slope = gradient[i]
            mean[i] = first_decay * mean[i] + (1 - first_decay) * slope
            square[i] = second_decay * square[i] + (1 - second_decay) * slope * slope
            weights[i] -= rate * mean[i] / (sqrtf(square[i]) + <float>1e-5)
