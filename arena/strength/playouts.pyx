# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Play by the policy in C: to the end of a deal or of the match, every seat from what it may see alone."""
from core_ext.errors import MatchOverError
from core_ext.playout import PlayoutResult

from arena.strength.policy import policy_of

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from core_ext.rng cimport next64
from core_ext.state cimport State
from core_ext.table cimport MAX_LEGAL, MAX_SEATS, PHASE_ENDED, PHASE_OVER, Deal
from core_ext.variant cimport Variant

from arena.strength.network cimport FULL_HEAT, Network
from arena.strength.policy cimport Memory, Policy


cdef int64_t play_deal(
    Policy policy, Deal* deal, const uint8_t* key, uint32_t heat, uint64_t* rng, Memory* memory
) noexcept nogil:
    cdef uint16_t legal[MAX_LEGAL]
    cdef int64_t decisions = 0
    cdef int count
    while deal.phase != PHASE_ENDED:
        count = policy.rules._legal(deal, legal)
        policy.rules._apply(deal, key, legal[policy.choose(deal, legal, count, heat, rng, memory)], NULL)
        decisions += 1
    return decisions


cdef void expect(
    Policy policy,
    const Deal* deal,
    const Deal* start,
    int seat,
    const uint8_t* key,
    uint32_t heat,
    double weight,
    Memory* memory,
    Expected* expected,
) noexcept nogil:
    cdef uint16_t legal[MAX_LEGAL]
    cdef double chances[MAX_LEGAL]
    cdef Deal after
    cdef int count, i
    if deal.phase == PHASE_ENDED:
        expected.margin += weight * margin_of(deal, start, seat) / 65536
        expected.chance += weight * chance_of(policy, deal, seat) / 65536
        return
    count = policy.rules._legal(deal, legal)
    policy.chances(deal, legal, count, heat, memory, chances)
    for i in range(count):
        if chances[i]:
            after = deal[0]
            policy.rules._apply(&after, key, legal[i], NULL)
            expected.decisions += 1
            expect(policy, &after, start, seat, key, heat, weight * chances[i], memory, expected)


cdef int64_t margin_of(const Deal* deal, const Deal* start, int seat) noexcept nogil:
    cdef int64_t own = deal.balance[seat] - start.balance[seat]
    cdef int64_t others = 0
    cdef int other
    for other in range(deal.seats):
        if other != seat:
            others += deal.balance[other] - start.balance[other]
    return (own * (deal.seats - 1) - others) * 65536 // (deal.seats - 1)


cdef int64_t chance_of(Policy policy, const Deal* deal, int seat) noexcept nogil:
    cdef int64_t results[MAX_SEATS]
    cdef Deal after
    cdef int64_t best
    cdef int other, ties
    if policy.rules._is_last(deal):
        policy.rules._results(deal, results)
    elif policy.rules.seats == 2:
        after = deal[0]
        policy.rules._next(&after)
        return policy.network.equity(
            max(1, policy.encoding.months - after.month + 1), deal.balance[seat] - deal.balance[1 - seat]
        )
    else:
        for other in range(policy.rules.seats):
            results[other] = deal.balance[other]
    best = results[0]
    for other in range(policy.rules.seats):
        best = max(best, results[other])
    ties = 0
    for other in range(policy.rules.seats):
        ties += results[other] == best
    return 65536 // ties if results[seat] == best else 0


def run(
    State state not None, Network network not None, int64_t n, seed, bint whole_match=False, uint32_t heat=FULL_HEAT
):
    cdef Variant rules = state.rules
    cdef Policy policy = policy_of(state, network)
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef Deal start = state.deal
    cdef Deal deal
    cdef Memory known
    cdef Memory memory
    cdef bytes given = state.given or b""
    cdef const unsigned char* decks = given
    cdef int deck_count = <int>(len(given) // rules.cards)
    cdef int64_t sums[MAX_SEATS]
    cdef double wins[MAX_SEATS]
    cdef int64_t decisions = 0
    cdef int64_t i
    cdef int seat, seats = rules.seats
    if start.phase == PHASE_OVER:
        raise MatchOverError("the match is over")
    if n < 0:
        raise ValueError(f"{n} playouts cannot be run")
    for seat in range(seats):
        sums[seat] = 0
        wins[seat] = 0
    policy.learn(&start, &known)
    with nogil:
        for i in range(n):
            deal = start
            memory = known
            decisions += play_deal(policy, &deal, state.key, heat, &rng, &memory)
            if whole_match:
                decisions += play_match(policy, &deal, state.key, decks, deck_count, heat, &rng, &memory)
            for seat in range(seats):
                sums[seat] += deal.balance[seat] - start.balance[seat]
                wins[seat] += <double>chance_of(policy, &deal, seat) / 65536
    return PlayoutResult(
        n, decisions, tuple([sums[seat] for seat in range(seats)]), tuple([wins[seat] for seat in range(seats)])
    )


cdef int64_t play_match(
    Policy policy,
    Deal* deal,
    const uint8_t* key,
    const uint8_t* given,
    int decks,
    uint32_t heat,
    uint64_t* rng,
    Memory* memory,
) noexcept nogil:
    """Plays on from an ended deal to the last; returns how many decisions it took."""
    cdef int64_t decisions = 0
    while not policy.rules._is_last(deal):
        policy.rules.next_deal(deal, key, given if decks else NULL, NULL)
        if decks:
            given += policy.rules.cards
            decks -= 1
        decisions += play_deal(policy, deal, key, heat, rng, memory)
    return decisions


def choose(State state not None, Network network not None, seed, uint32_t heat=FULL_HEAT):
    cdef uint16_t legal[MAX_LEGAL]
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef int count = state.rules._legal(&state.deal, legal)
    cdef Policy policy
    cdef Memory memory
    if state.deal.phase == PHASE_OVER:
        raise MatchOverError("the match is over")
    policy = policy_of(state, network)
    policy.forget(&memory)
    return legal[policy.choose(&state.deal, legal, count, heat, &rng, &memory)]


def duel(
    State state not None,
    Network network not None,
    int64_t boards,
    seed,
    int64_t heat,
    int64_t other_heat,
    Network other_network=None,
):
    """Plays boards between two heats (a negative one plays at random), each heat once in every seat against the other.

    Returns, a board each, the first's mean margin in points and its share of the match points.
    """
    cdef Variant rules = state.rules
    cdef Policy policy = policy_of(state, network)
    cdef Policy other_policy = policy if other_network is None else policy_of(state, other_network)
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef uint64_t board_rng
    cdef uint8_t key[32]
    cdef uint64_t word
    cdef Deal deal
    cdef int64_t results[MAX_SEATS]
    cdef int64_t board
    cdef int place, seat, i
    cdef double margin, share
    margins = []
    shares = []
    for board in range(boards):
        for i in range(4):
            word = next64(&rng)
            memcpy(key + 8 * i, &word, 8)
        margin = share = 0
        for place in range(rules.seats):
            board_rng = next64(&rng)
            with nogil:
                rules.begin(&deal, key, NULL)
                play_duel(policy, other_policy, &deal, key, place, heat, other_heat, &board_rng)
                rules._results(&deal, results)
            for seat in range(rules.seats):
                if seat != place:
                    margin += <double>(results[place] - results[seat]) / (rules.seats - 1)
                    share += (
                        1.0 if results[place] > results[seat] else 0.5 if results[place] == results[seat] else 0.0
                    ) / (rules.seats - 1)
        margins.append(margin / rules.seats)
        shares.append(share / rules.seats)
    return margins, shares


cdef void play_duel(
    Policy policy,
    Policy other_policy,
    Deal* deal,
    const uint8_t* key,
    int place,
    int64_t heat,
    int64_t other_heat,
    uint64_t* rng,
) noexcept nogil:
    cdef uint16_t legal[MAX_LEGAL]
    cdef Memory memory, other_memory
    cdef int64_t used
    cdef int count, chosen
    policy.forget(&memory)
    other_policy.forget(&other_memory)
    while True:
        while deal.phase != PHASE_ENDED:
            count = policy.rules._legal(deal, legal)
            used = heat if deal.asked == place else other_heat
            if used < 0:
                chosen = <int>((next64(rng) >> 32) * <uint64_t>count >> 32)
            elif deal.asked == place:
                chosen = policy.choose(deal, legal, count, <uint32_t>used, rng, &memory)
            else:
                chosen = other_policy.choose(deal, legal, count, <uint32_t>used, rng, &other_memory)
            policy.rules._apply(deal, key, legal[chosen], NULL)
        if policy.rules._is_last(deal):
            return
        policy.rules.next_deal(deal, key, NULL, NULL)
