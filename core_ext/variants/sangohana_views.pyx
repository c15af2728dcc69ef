# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a seat of sangohana may know: secret claims, hands that are sampled, observations that are restored."""
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from core_ext.errors import ObservationError

from core_ext.cards cimport NO_CARD, bit, lowest, popcount
from core_ext.events cimport EVENT_PASS, Log, log_event
from core_ext.rng cimport choose, next64
from core_ext.table cimport MAX_SEATS, PHASE_CLAIM, PHASE_DISCARD, PHASE_DRAW, PHASE_OVER, Deal, after
from core_ext.views cimport within
from core_ext.variants.sangohana_month cimport (
    HAND_CARDS, KIND_COUNT, LAST_TURN, MONTHS, HandRules, Own, before, cards_of, in_turn, is_first_round, is_hand,
    is_over_unclaimed, last_discard, own,
)


cdef void mask(const HandRules* rules, Deal* deal, const Deal* full, int seat) noexcept nogil:
    cdef Own* mine = own(deal)
    cdef int next_seat = in_turn(full)
    cdef int other = full.dealer
    cdef int turn
    if full.phase == PHASE_OVER:
        return
    for turn in range(full.seats):
        if turn >= mine.turns or other == seat or full.shown[other]:
            mine.known |= <uint8_t>(1 << other)
        other = after(full, other)
    mine.as_dealt &= mine.known
    if not mine.took and next_seat != seat:
        mine.fresh = NO_CARD
    if full.phase == PHASE_CLAIM and deal.phase == PHASE_DRAW:
        # a seat that could claim has been asked unless its turn comes after that of the seat that is
        mine.suspects = suspects(rules, deal, seat, seat >= 0 and comes_first(full, seat, full.asked))


cdef uint8_t suspects(const HandRules* rules, const Deal* deal, int seat, bint has_passed) noexcept nogil:
    """Of a masked deal in which the seat is not asked and the next is to draw, if nobody is asked for a claim: the
    seats of which the viewer knows that one is, none if it cannot tell.

    It can tell when its own claim has not been asked for yet, when its own turn does not come, and when the
    month is not over.
    """
    cdef int next_seat = in_turn(deal)
    cdef int discarder = before(deal, next_seat)
    cdef int first = next_seat
    cdef int end = discarder
    cdef uint8_t found = 0
    if not own(deal).turns:
        return 0
    if seat >= 0 and seat != discarder and is_hand(rules, deal.hand[seat] | bit(last_discard(deal))):
        if has_passed:
            first = after(deal, seat)
        else:
            end = seat
    if end == discarder and not is_over_unclaimed(deal) and next_seat != seat:
        return 0
    while first != end:
        if first != seat:
            found |= <uint8_t>(1 << first)
        first = after(deal, first)
    return found


cdef void constrain_sample(Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
    cdef Own* mine = own(deal)
    cdef int other
    for other in range(deal.seats):
        # Of the eight cards that a seat had in its turn, each is as likely to be the one drawn.
        if deal.phase != PHASE_OVER and is_first_round(deal) and not mine.known >> other & 1:
            mine.as_dealt |= <uint8_t>((choose(rng, HAND_CARDS + 1) == 0) << other)
    mine.known = 0
    if mine.suspects:
        deal_claim(deal, unseen, count, rng)
    if deal.phase == PHASE_DISCARD and mine.fresh == NO_CARD:
        mine.fresh = any_unshown(deal, unseen, rng)


cdef uint8_t any_unshown(const Deal* deal, const uint8_t* unseen, uint64_t* rng) noexcept nogil:
    """A card of the asked seat's hand, to be laid out of the unseen ones, that it may have drawn."""
    cdef uint64_t known = deal.hand[deal.asked] & ~deal.shown[deal.asked]
    cdef int hidden = deal.held[deal.asked] - popcount(deal.hand[deal.asked])
    cdef int pick = choose(rng, hidden + popcount(known))
    if pick < hidden:
        return unseen[hidden_before(deal, deal.asked) + pick]
    return <uint8_t>lowest(some_of(known, 1, rng))


cdef void deal_claim(Deal* deal, uint8_t* unseen, int count, uint64_t* rng) noexcept nogil:
    """Give a suspect, who is then asked, three and five with the discard: each way to do so for any of them is equally
    likely. Whether they have the pairs, and whether an earlier suspect has a claim too, is for `_validate_sample`.
    """
    cdef int64_t ways[<int>MAX_SEATS * <int>KIND_COUNT * <int>KIND_COUNT]
    cdef uint8_t rest[48]
    cdef uint64_t chosen, hidden = 0
    cdef int64_t total = 0
    cdef int64_t pick
    cdef int i, suspect, three, five, offset
    cdef int kept = 0
    for i in range(count):
        hidden |= bit(unseen[i])
    for i in range(<int>MAX_SEATS * <int>KIND_COUNT * <int>KIND_COUNT):
        ways[i] = 0
        if own(deal).suspects >> (i >> 4) & 1:
            ways[i] = ways_to_complete(known_of_claim(deal, i >> 4), hidden, i >> 2 & 3, i & 3)
        total += ways[i]
    if not total:
        return
    pick = <int64_t>(next64(rng) % <uint64_t>total)
    i = 0
    while pick >= ways[i]:
        pick -= ways[i]
        i += 1
    suspect, three, five = i >> 4, i >> 2 & 3, i & 3
    chosen = known_of_claim(deal, suspect)
    chosen = some_of(hidden & cards_of(three), 3 - popcount(chosen & cards_of(three)), rng) | some_of(
        hidden & cards_of(five), 5 - popcount(chosen & cards_of(five)), rng
    )
    deal.asked = <int8_t>suspect
    for i in range(count):
        if not chosen >> unseen[i] & 1:
            rest[kept] = unseen[i]
            kept += 1
    offset = hidden_before(deal, suspect)
    for i in range(kept):
        unseen[i if i < offset else i + count - kept] = rest[i]
    while chosen:
        unseen[offset] = <uint8_t>lowest(chosen)
        offset += 1
        chosen &= chosen - 1


cdef bint validate_sample(const HandRules* rules, Deal* deal, int seat, Log* log) noexcept nogil:
    cdef Own* mine = own(deal)
    cdef int claimant = in_turn(deal)
    cdef int discarder = before(deal, claimant)
    cdef uint64_t discard
    if mine.turns == 0 or (deal.phase != PHASE_DRAW and deal.phase != PHASE_CLAIM):
        return True
    discard = bit(last_discard(deal))
    if mine.suspects:
        if not is_hand(rules, deal.hand[deal.asked] | discard):
            return False
        while claimant != deal.asked:
            if mine.suspects >> claimant & 1 and is_hand(rules, deal.hand[claimant] | discard):
                return False
            claimant = after(deal, claimant)
        deal.phase = PHASE_CLAIM
        mine.suspects = 0
        claimant = in_turn(deal)
    while claimant != discarder and not (deal.phase == PHASE_CLAIM and claimant == deal.asked):
        if claimant != seat and log != NULL and is_hand(rules, deal.hand[claimant] | discard):
            log_event(log, EVENT_PASS, claimant, 0, 0)
        claimant = after(deal, claimant)
    return True


cdef int restore(const HandRules* rules, Deal* deal, observation, dict counters) except -1:
    cdef Own* mine = own(deal)
    cdef int other
    cdef int seat = observation.seat
    cdef bint has_passed = False
    memset(mine, 0, sizeof(Own))
    mine.fresh = NO_CARD
    mine.turns = within(counters, "turns", -1, LAST_TURN)
    mine.run_outs = within(counters, "run_outs", -1, MONTHS - 1)
    for other in range(deal.seats):
        if ("as_dealt", other) in counters:
            mine.known |= <uint8_t>(1 << other)
            mine.as_dealt |= <uint8_t>(within(counters, "as_dealt", other, 1) << other)
    for zone in observation.zones:
        if zone.kind == "field":
            raise ObservationError("discards lie on the table, and no field")
        if zone.kind == "discard":
            for place, card in enumerate(reversed(zone.cards)):
                mine.discards[<int>place] = card
    for event in observation.events:
        if event.kind == "take" or event.kind == "stock":
            mine.took = event.kind == "take"
            mine.fresh = event.cards[0] if event.cards else NO_CARD
        elif event.kind == "discard":
            mine.took = has_passed = False
            mine.fresh = NO_CARD
        elif event.kind == "pass" and event.seat == seat:
            has_passed = True
    if deal.phase == PHASE_OVER:
        return 0
    if deal.phase == PHASE_DRAW and not observation.legal:
        mine.suspects = suspects(rules, deal, seat, has_passed)
    check_restored(rules, deal, observation)
    return 0


cdef int check_restored(const HandRules* rules, Deal* deal, observation) except -1:
    """ObservationError unless rules that are applied to the deal find what they rely on."""
    cdef Own* mine = own(deal)
    cdef int other
    cdef int discarded = popcount(deal.field)
    cdef bint fits = in_turn(deal) == observation.turn and mine.run_outs < deal.month
    for other in range(deal.seats):
        fits = fits and deal.held[other] == HAND_CARDS + (deal.phase == PHASE_DISCARD and other == deal.asked)
    if deal.phase == PHASE_DISCARD:
        fits = fits and mine.turns < LAST_TURN and deal.asked == observation.turn
        fits = fits and deal.waiting == 0 and is_fresh_of(deal)
    elif deal.phase == PHASE_CLAIM:
        fits = fits and mine.turns > 0 and discarded > 0 and deal.asked != before(deal, observation.turn)
        fits = fits and is_hand(rules, deal.hand[deal.asked] | bit(last_discard(deal)))
    elif deal.phase == PHASE_DRAW:
        fits = fits and (mine.turns == 0) == (discarded == 0)
        fits = fits and (mine.suspects != 0 or (deal.waiting == 0 and not is_over_unclaimed(deal)))
    else:
        fits = False
    if not fits:
        raise ObservationError(
            f"in phase {observation.phase!r} after {mine.turns} turns, seat {observation.turn} in turn, there cannot "
            f"be {discarded} discards, a stock of {deal.end - deal.top} and hands of "
            f"{', '.join(str(deal.held[other]) for other in range(deal.seats))}"
        )
    return 0


cdef bint is_fresh_of(const Deal* deal) noexcept nogil:
    """Whether the card just drawn or taken lies where it must, or may."""
    cdef const Own* mine = own(deal)
    cdef int seat = deal.asked
    if mine.took:
        return mine.fresh != NO_CARD and deal.shown[seat] >> mine.fresh & 1
    if mine.fresh != NO_CARD:
        return deal.hand[seat] >> mine.fresh & 1
    return deal.held[seat] > popcount(deal.shown[seat])


cdef bint comes_first(const Deal* deal, int seat, int other) noexcept nogil:
    """Whether the seat is asked for a claim before the other."""
    cdef int next_seat = in_turn(deal)
    return (seat + deal.seats - next_seat) % deal.seats < (other + deal.seats - next_seat) % deal.seats


cdef inline int hidden_before(const Deal* deal, int seat) noexcept nogil:
    """How many hidden cards the hands of the seats before this one have."""
    cdef int hidden = 0
    cdef int other
    for other in range(seat):
        hidden += deal.held[other] - popcount(deal.hand[other])
    return hidden


cdef inline uint64_t known_of_claim(const Deal* deal, int seat) noexcept nogil:
    """What a viewer knows of the eight cards with which a seat would claim."""
    return deal.shown[seat] | bit(last_discard(deal))


cdef int64_t ways_to_complete(uint64_t known, uint64_t hidden, int three, int five) noexcept nogil:
    """How many choices of hidden cards make known ones three and five of these kinds."""
    cdef int needs_three = 3 - popcount(known & cards_of(three))
    cdef int needs_five = 5 - popcount(known & cards_of(five))
    if three == five or known & ~(cards_of(three) | cards_of(five)) or needs_three < 0 or needs_five < 0:
        return 0
    return choices(popcount(hidden & cards_of(three)), needs_three) * (
        choices(popcount(hidden & cards_of(five)), needs_five)
    )


cdef inline int64_t choices(int n, int k) noexcept nogil:
    """How many ways there are to choose k of n."""
    cdef int64_t ways = 1
    cdef int i
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


cdef uint64_t some_of(uint64_t cards, int count, uint64_t* rng) noexcept nogil:
    """So many of the cards, each choice equally likely."""
    cdef uint64_t chosen = 0
    cdef uint64_t left
    cdef int skip
    while count:
        left = cards & ~chosen
        skip = choose(rng, popcount(left))
        while skip:
            left &= left - 1
            skip -= 1
        chosen |= left & (~left + 1)
        count -= 1
    return chosen
