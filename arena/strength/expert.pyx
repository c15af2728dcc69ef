# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Search: every action played on by the policy, on deals that the seat cannot tell from the real one.

On each such deal all actions still in question are played on with the same random numbers. Actions that are clearly
behind the best, by the differences between them on the same deals, get no more playouts. The policy's own opinion counts
as some playouts would. The budget counts playouts; time and the number of threads change nothing.

Where few worlds are left, late in a deal, all are counted instead, and in each everything that the policy may do.
"""
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import NamedTuple

from arena.strength.policy import policy_of

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.math cimport INFINITY, sqrt
from libc.string cimport memset

from core_ext.matching cimport Matching
from core_ext.rng cimport next64
from core_ext.state cimport State
from core_ext.table cimport MAX_LEGAL, PHASE_ENDED, Deal
from core_ext.variant cimport Variant
from core_ext.worlds cimport Worlds

from arena.strength.network cimport Network
from arena.strength.playouts cimport Expected, chance_of, expect, margin_of, play_deal
from arena.strength.policy cimport Memory, Policy

cdef enum:
    ROUND = 32          # deals before actions are compared anew

MOST_WORLDS = 3_000
"""So many worlds are counted, each of them, in place of sampling."""

cdef double SWING = 8.0     # what the chance to win counts beside a margin of one unit of the network


# What a playout came to.
cdef struct Outcome:
    double utility
    double margin           # in points
    double chance           # to win the match
    int64_t decisions


cdef struct Total:
    double sum
    double squares


cdef inline void add_to(Total* total, double value) noexcept nogil:
    total.sum += value
    total.squares += value * value


cdef inline double error_of(const Total* total, int64_t count) noexcept nogil:
    """The standard error of the mean."""
    if count < 2:
        return INFINITY
    return sqrt(max(0.0, total.squares - total.sum * total.sum / count) / (count - 1) / count)


class ActionValue(NamedTuple):
    code: int
    playouts: int
    margin: float
    margin_error: float
    chance: float
    chance_error: float


class Lead(NamedTuple):
    code: int
    margin: float
    margin_error: float
    chance: float
    chance_error: float


@cython.final
cdef class Search:
    """A search for one decision. What it has found stands in its arrays, by the order of the legal actions."""

    cdef Worlds worlds
    cdef Policy policy
    cdef Memory known       # what each seat sees on one of the deals
    cdef Variant rules
    cdef uint64_t seed
    cdef uint32_t heat
    cdef double by_chance
    cdef double prior_weight
    cdef double cut_weight
    cdef double bar
    cdef int count
    cdef uint16_t legal[MAX_LEGAL]
    cdef int32_t logits[MAX_LEGAL]
    cdef bint out[MAX_LEGAL]
    cdef int64_t world_count    # 0: too many, they are sampled
    cdef readonly bint is_exact
    cdef int64_t playouts
    cdef int64_t decisions
    cdef int64_t deals
    cdef int64_t counts[MAX_LEGAL]
    cdef Total utility[MAX_LEGAL]
    cdef Total margin[MAX_LEGAL]
    cdef Total chance[MAX_LEGAL]
    # by how much the first of two is ahead of the second on the same deals
    cdef Total apart[MAX_LEGAL][MAX_LEGAL]
    cdef Total margin_apart[MAX_LEGAL][MAX_LEGAL]
    cdef Total chance_apart[MAX_LEGAL][MAX_LEGAL]
    cdef Outcome outcomes[ROUND][MAX_LEGAL]

    def __init__(
        self,
        observation,
        Network network not None,
        seed,
        uint32_t heat=256,
        double by_chance=0.0,
        double prior_weight=0.0,
        double cut_weight=0.0,
        double bar=2.5,
        int64_t most_worlds=MOST_WORLDS,
    ):
        cdef Deal deal
        cdef int i
        state = State.from_observation(observation, 0)
        self.worlds = Worlds(observation)
        self.policy = policy_of(state, network)
        self.rules = self.worlds.rules
        self.seed = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
        self.heat = heat
        self.by_chance = by_chance
        self.prior_weight = prior_weight
        self.cut_weight = cut_weight
        self.bar = bar
        self.worlds.sample(0, &deal)
        self.count = self.rules._legal(&deal, self.legal)
        self.policy.learn(&deal, &self.known)
        self.policy.logits(&deal, self.legal, self.count, &self.known, self.logits)
        for i in range(self.count):
            self.out[i] = False
        self.world_count = self.worlds.count(most_worlds)
        if self.world_count > most_worlds or not isinstance(self.rules, Matching):
            self.world_count = 0

    def run(self, int64_t playouts, int threads=1, bint cut=True):
        cdef int left = self.in_question()
        cdef int64_t spent = 0
        cdef int deals
        if playouts < 0 or threads < 1:
            raise ValueError(f"{playouts} playouts cannot be run on {threads} threads")
        if self.world_count and not self.deals:
            with nogil:
                self.count_worlds()
        if self.is_exact:
            return
        with ThreadPoolExecutor(threads) if threads > 1 else nullcontext() as pool:
            while left > 1 or not cut:
                deals = <int>min(<int64_t>ROUND, (playouts - spent) // left)
                if deals == 0:
                    break
                if pool is None:
                    self.play_worlds(0, deals)
                else:
                    shares = [deals * part // threads for part in range(threads + 1)]
                    list(pool.map(self.play_worlds, shares[:-1], shares[1:]))
                self.count_round(deals)
                spent += deals * left
                if cut:
                    self.cut()
                    left = self.in_question()

    cdef void count_worlds(self) noexcept nogil:
        """Counts every world that fits, unless none of them does."""
        cdef uint8_t key[32]    # chance that decides nothing before the deal ends
        cdef Deal start, deal
        cdef Memory memory = self.known
        cdef Expected expected
        cdef int64_t number
        cdef int i
        memset(key, 0, sizeof(key))
        for number in range(self.world_count):
            if not self.worlds.world(number, &start):
                continue
            for i in range(self.count):
                deal = start
                expected.margin = expected.chance = 0
                expected.decisions = 1
                self.rules._apply(&deal, key, self.legal[i], NULL)
                expect(
                    self.policy, &deal, &start, self.worlds.seat, key, self.heat, 1.0, &memory, &expected
                )
                self.outcomes[0][i].margin = expected.margin
                self.outcomes[0][i].chance = expected.chance
                self.outcomes[0][i].decisions = expected.decisions
                self.outcomes[0][i].utility = self.utility_of(expected.margin, expected.chance)
            self.count_round(1)
        self.is_exact = self.deals > 0

    cdef double utility_of(self, double margin, double chance) noexcept nogil:
        return (1 - self.by_chance) * margin / self.policy.network.unit + self.by_chance * SWING * chance

    def play_worlds(self, int start, int end):
        """Plays a share of a round, without the GIL."""
        cdef int number
        with nogil:
            for number in range(start, end):
                self.play_world(self.deals + number, self.outcomes[number])

    cdef void count_round(self, int deals) noexcept nogil:
        """Adds up a round, in the order of its deals."""
        cdef const Outcome* outcome
        cdef const Outcome* other
        cdef int number, i, j
        for number in range(deals):
            for i in range(self.count):
                if self.out[i]:
                    continue
                outcome = &self.outcomes[number][i]
                for j in range(i):
                    if not self.out[j]:
                        other = &self.outcomes[number][j]
                        add_to(&self.apart[i][j], outcome.utility - other.utility)
                        add_to(&self.margin_apart[i][j], outcome.margin - other.margin)
                        add_to(&self.chance_apart[i][j], outcome.chance - other.chance)
                add_to(&self.utility[i], outcome.utility)
                add_to(&self.margin[i], outcome.margin)
                add_to(&self.chance[i], outcome.chance)
                self.counts[i] += 1
                self.playouts += 1
                self.decisions += outcome.decisions
        self.deals += deals

    cdef void play_world(self, int64_t number, Outcome* outcomes) noexcept nogil:
        """Plays every action still in question on one deal, each with the same dice."""
        cdef uint64_t rng = self.seed + <uint64_t>number * <uint64_t>0xD1B54A32D192ED03
        cdef uint64_t seed = next64(&rng)
        cdef uint64_t dice
        cdef uint64_t key[4]
        cdef Deal start, deal
        cdef Memory memory
        cdef Outcome* outcome
        cdef int seat = self.worlds.seat
        cdef int i
        self.worlds.sample(seed, &start)
        for i in range(4):
            key[i] = next64(&rng)
        for i in range(self.count):
            if self.out[i]:
                continue
            outcome = &outcomes[i]
            deal = start
            dice = rng
            memory = self.known
            self.rules._apply(&deal, <const uint8_t*>key, self.legal[i], NULL)
            outcome.decisions = 1 + play_deal(self.policy, &deal, <const uint8_t*>key, self.heat, &dice, &memory)
            outcome.margin = <double>margin_of(&deal, &start, seat) / 65536
            outcome.chance = <double>chance_of(self.policy, &deal, seat) / 65536
            outcome.utility = self.utility_of(outcome.margin, outcome.chance)

    cdef double score(self, int i, double prior_weight) noexcept nogil:
        """The mean utility, with the policy's opinion as some playouts more unless every world was counted."""
        cdef int64_t count = max(<int64_t>1, self.counts[i])
        if self.is_exact:
            return self.utility[i].sum / count
        return (self.utility[i].sum + prior_weight * (self.logits[i] / 65536.0)) / count

    cdef int best(self, double prior_weight) noexcept nogil:
        cdef int best = -1
        cdef int i
        for i in range(self.count):
            if not self.out[i] and (best < 0 or self.score(i, prior_weight) > self.score(best, prior_weight)):
                best = i
        return best

    cdef int in_question(self) noexcept nogil:
        cdef int left = 0
        cdef int i
        for i in range(self.count):
            left += not self.out[i]
        return left

    cdef void cut(self) noexcept nogil:
        """Takes out of question what is clearly behind the best."""
        cdef int best = self.best(self.cut_weight)
        cdef const Total* apart
        cdef double behind
        cdef int i
        for i in range(self.count):
            if self.out[i] or i == best:
                continue
            apart = &self.apart[max(i, best)][min(i, best)]
            behind = self.score(best, self.cut_weight) - self.score(i, self.cut_weight)
            if behind > self.bar * error_of(apart, self.deals):
                self.out[i] = True

    def choice(self):
        return self.legal[self.best(self.prior_weight)]

    cdef double error_of(self, const Total* total, int64_t count) noexcept nogil:
        return 0.0 if self.is_exact else error_of(total, count)

    def values(self):
        found = []
        for i in range(self.count):
            n = self.counts[i]
            found.append(
                ActionValue(
                    self.legal[i],
                    n,
                    self.margin[i].sum / max(1, n),
                    self.error_of(&self.margin[i], n),
                    self.chance[i].sum / max(1, n),
                    self.error_of(&self.chance[i], n),
                )
            )
        return found

    def leads(self, int code):
        cdef const Total* margin
        cdef const Total* chance
        cdef int i, sign
        cdef int of = 0
        cdef int64_t n
        while of < self.count and self.legal[of] != code:
            of += 1
        if of == self.count:
            raise ValueError(f"the action {code} is not legal there")
        found = []
        for i in range(self.count):
            if i == of:
                found.append(Lead(code, 0.0, 0.0, 0.0, 0.0))
                continue
            sign = 1 if i > of else -1
            margin = &self.margin_apart[max(i, of)][min(i, of)]
            chance = &self.chance_apart[max(i, of)][min(i, of)]
            n = max(<int64_t>1, min(self.counts[i], self.counts[of]))
            found.append(
                Lead(
                    self.legal[i],
                    sign * margin.sum / n,
                    self.error_of(margin, n),
                    sign * chance.sum / n,
                    self.error_of(chance, n),
                )
            )
        return found

    @property
    def counts_worlds(self):
        return self.world_count > 0

    @property
    def played(self):
        return self.playouts, self.decisions
