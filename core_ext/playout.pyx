# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Uniformly random play in C."""
from typing import NamedTuple

from core_ext.errors import MatchOverError

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from core_ext.rng cimport next64
from core_ext.shuffle cimport shuffle
from core_ext.state cimport State
from core_ext.table cimport MAX_SEATS, PHASE_ENDED, PHASE_OVER, Deal
from core_ext.variant cimport Variant
from core_ext.worlds cimport Worlds


cdef enum:
    KEPT_MONTHS = 256


# The decks of later months, which are the same in every playout of a call: shuffled when one first comes there.
cdef struct LaterDecks:
    bint is_known[KEPT_MONTHS]
    uint8_t decks[KEPT_MONTHS][48]


class PlayoutResult(NamedTuple):
    playouts: int
    decisions: int
    sums: tuple
    wins: tuple


cdef void deal_later(Variant rules, Deal* deal, const unsigned char* key, LaterDecks* later) noexcept nogil:
    """What `Variant.next_deal` does, with a deck that is shuffled once."""
    rules._next(deal)
    if deal.attempt or deal.month >= KEPT_MONTHS:
        shuffle(key, deal.month, deal.attempt, rules.cards, deal.deck)
    else:
        if not later.is_known[deal.month]:
            shuffle(key, deal.month, 0, rules.cards, later.decks[deal.month])
            later.is_known[deal.month] = True
        memcpy(deal.deck, later.decks[deal.month], rules.cards)
    rules.set_table(deal)
    rules._deal(deal, NULL)


cdef int64_t play_on(
    Variant rules,
    Deal* deal,
    const unsigned char* key,
    const unsigned char* given,
    int decks,
    bint whole_match,
    LaterDecks* later,
    uint64_t* rng,
) noexcept nogil:
    """Play to the end of the deal or match, so many decks being given; return how many decisions it took."""
    cdef int64_t decisions = 0
    while True:
        decisions += rules._play_at_random(deal, key, rng)
        if not whole_match:
            return decisions
        while deal.phase == PHASE_ENDED:
            if rules._is_last(deal):
                rules.end_match(deal, NULL)
                return decisions
            if decks:
                rules.next_deal(deal, key, given, NULL)
                given += rules.cards
                decks -= 1
            else:
                deal_later(rules, deal, key, later)


def standing_deals(State state not None, int64_t n):
    cdef Variant rules = state.rules
    cdef Deal deal
    cdef uint8_t deck[48]
    cdef int64_t standing = 0
    cdef int64_t month
    with nogil:
        for month in range(1, n + 1):
            shuffle(state.key, <uint32_t>month, 0, rules.cards, deck)
            rules.begin_at(&deal, deck, 1, 0, 0, NULL)
            standing += deal.phase != PHASE_ENDED
    return standing


# What the playouts of a call have come to.
cdef struct Tally:
    int64_t sums[MAX_SEATS]
    double wins[MAX_SEATS]
    int64_t decisions


cdef inline void add(Tally* tally, const Deal* deal, const Deal* start, const int64_t* results) noexcept nogil:
    """Add what each seat has gained since the start, and a win for the best result, by default gain, which several share."""
    cdef int64_t gained[MAX_SEATS]
    cdef int64_t best = 0
    cdef int seat
    cdef int ties = 0
    for seat in range(deal.seats):
        gained[seat] = deal.balance[seat] - start.balance[seat]
        tally.sums[seat] += gained[seat]
    if results == NULL:
        results = gained
    for seat in range(deal.seats):
        if seat == 0 or results[seat] > best:
            best = results[seat]
            ties = 0
        ties += results[seat] == best
    for seat in range(deal.seats):
        if results[seat] == best:
            tally.wins[seat] += 1.0 / ties


cdef result_of(const Tally* tally, int64_t n, int seats):
    return PlayoutResult(
        n, tally.decisions, tuple([tally.sums[seat] for seat in range(seats)]), tuple([tally.wins[seat] for seat in range(seats)])
    )


def run(State state not None, int64_t n, seed, bint whole_match=False):
    cdef Variant rules = state.rules
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef Deal start = state.deal
    cdef Deal deal
    cdef bytes given = state.given or b""
    cdef const unsigned char* decks = given
    cdef int deck_count = <int>(len(given) // rules.cards)
    cdef int64_t results[MAX_SEATS]
    cdef int64_t i
    cdef Tally tally
    cdef LaterDecks* later
    if start.phase == PHASE_OVER:
        raise MatchOverError("the match is over")
    if n < 0:
        raise ValueError(f"{n} playouts cannot be run")
    memset(&tally, 0, sizeof(Tally))
    later = <LaterDecks*>calloc(1, sizeof(LaterDecks))
    if later == NULL:
        raise MemoryError
    with nogil:
        for i in range(n):
            deal = start
            tally.decisions += play_on(rules, &deal, state.key, decks, deck_count, whole_match, later, &rng)
            if whole_match:
                rules._results(&deal, results)
            add(&tally, &deal, &start, results if whole_match else NULL)
        free(later)
    return result_of(&tally, n, rules.seats)


def dealt_anew(observation, int64_t n, seed):
    cdef Worlds worlds = Worlds(observation)
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef uint8_t unseen[48]
    cdef uint64_t key[4]        # what is picked blindly in a playout follows from it
    cdef int64_t i
    cdef int64_t played = 0
    cdef int word
    cdef Tally tally
    cdef Deal deal
    if n < 0:
        raise ValueError(f"{n} playouts cannot be run")
    memset(&tally, 0, sizeof(Tally))
    memcpy(unseen, worlds.unseen, sizeof(unseen))
    with nogil:
        for i in range(n):
            for word in range(4):
                key[word] = next64(&rng)
            if worlds.deal_anew(unseen, &rng, &deal):
                tally.decisions += worlds.rules._play_at_random(&deal, <const unsigned char*>key, &rng)
                add(&tally, &deal, &worlds.masked, NULL)
                played += 1
    return result_of(&tally, played, worlds.rules.seats)
