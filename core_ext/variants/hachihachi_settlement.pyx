# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What hachihachi pays: at a month's end, of which each but the void is a list of payments, and at a year's."""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from core_ext.cards import CHAFF, cards_mask, parse_cards
from core_ext.shuffle import parse_seed
from core_ext.variants.hachihachi_table import (
    BY_NUMBER, BY_POVERTY, INFO, KAN, MENUS, MONTHS, PAR as PAR_IN_TABLE, RETURN, SPECIAL, YAKU,
)

from core_ext.cards cimport ANIMALS_MASK, LIGHTS_MASK, RIBBONS_MASK, bit, popcount, whole_months
from core_ext.events cimport (
    EVENT_CANCEL, EVENT_PAY, EVENT_SCORE, EVENT_STOP, Log, log_by_seat, log_value,
)
from core_ext.matching cimport Matching, course
from core_ext.scoring cimport MAX_YAKU, YakuTable
from core_ext.shuffle cimport shuffle
from core_ext.table cimport ENDED_CANCEL, ENDED_DECLARE, ENDED_RUN_OUT, ENDED_STOP, OWN_WORDS, Deal
from core_ext.variant cimport FIRST_YAKU_NAME
from core_ext.variants.hachihachi_hands cimport PHOENIX, WILLOW_MASK, has_dives, has_escape, threes_in, whole_threes
from core_ext.variants.hachihachi_hatto cimport EVERYBODY, ROWS, Blame, Month, judge

assert sizeof(Own) <= 8 * OWN_WORDS
assert (KAN, PAR_IN_TABLE) == (POINTS_TO_KAN, PAR)
assert WILLOW_MASK == cards_mask(parse_cards("11L 11A 11R 11x")) and PHOENIX == cards_mask(parse_cards("12L"))
assert len(BY_NUMBER + BY_POVERTY) == LAST_HAND
assert INFO.terms == tuple("sohachi futahachi sujuroku tobikomi nuke sho dai zetsu card_points pot fukikeshi".split())
assert SOHACHI == FIRST_YAKU_NAME + len(YAKU) + len(INFO.dealt_hands)

cdef uint64_t ALL_CARDS = bit(48) - 1
cdef int64_t returned = RETURN
cdef int months_a_year = MONTHS
cdef uint64_t zetsu_lights = cards_mask(parse_cards("11L 12L"))
cdef uint64_t dai_lights = cards_mask(parse_cards("1L 3L 8L"))
cdef uint64_t dregs = cards_mask(CHAFF) | WILLOW_MASK      # 素十六 counts every willow card

hand_kan[0] = 0
for _number, _row in enumerate(BY_NUMBER + BY_POVERTY, 1):
    hand_kan[<int>_number] = _row.kan

cdef enum:
    SPECIALS = TOBIKOMI - SOHACHI

# By the name of a special yaku, from SOHACHI on.
cdef int special_kan[SPECIALS]
cdef int special_extra[SPECIALS]
for _number, _row in enumerate(SPECIAL):
    special_kan[<int>_number] = _row.kan
    special_extra[<int>_number] = _row.per_extra


cdef void stop(Matching rules, const Rate* rate, Deal* deal, Log* log) noexcept nogil:
    """All of the seat's yaku; another's 下げ pays them alone, and is paid half of its own."""
    cdef Blame blame
    cdef int seat = deal.asked
    cdef int sage = sage_of(deal)
    decide(rules, rate, deal, EVENT_STOP, seat, &blame, log)
    if sage < 0 or sage == seat:
        pay_captured(rules, rate, deal, seat, blame.payer[seat], 1, log)
    else:
        memset(blame.payer[seat], sage, ROWS)
        pay_captured(rules, rate, deal, seat, blame.payer[seat], 1, log)
        pay_captured(rules, rate, deal, sage, blame.payer[sage], 2, log)
    close_month(rules, deal, ENDED_STOP, seat, log)


cdef void cancel(Matching rules, const Rate* rate, Deal* deal, int seat, Log* log) noexcept nogil:
    """A 下げ is cancelled: half of its yaku."""
    cdef Blame blame
    decide(rules, rate, deal, EVENT_CANCEL, seat, &blame, log)
    pay_captured(rules, rate, deal, seat, blame.payer[seat], 2, log)
    close_month(rules, deal, ENDED_CANCEL, seat, log)


cdef void decide(
    Matching rules, const Rate* rate, Deal* deal, int kind, int seat, Blame* blame, Log* log
) noexcept nogil:
    """A seat's yaku decide the month: what they are, who pays for them, and what dealt hands pay."""
    cdef int32_t values[MAX_YAKU]
    log_value(log, kind, seat, 0, 0, rules.worth(deal, deal.pile[seat], values))
    rules.log_rows(deal, seat, ~<uint32_t>0, EVENT_SCORE, log)
    judge_month(&rules.yaku, deal, blame)
    pay_hands(rate, deal, blame, log)


cdef void end_by_shiso(Matching rules, const Rate* rate, Deal* deal, int seat, Log* log) noexcept nogil:
    """A single 四三: the month's dealt hands are paid, and the year is over."""
    cdef Own* own = own_of(deal)
    cdef Blame nobody
    cdef int part, number
    nobody.dives = 0
    for part in range(2):
        number = own.poverty[seat] if part else own.number[seat]
        if number:
            rules.log_hand(EVENT_SCORE, seat, 0, number, hand_kan[number], log)
    pay_hands(rate, deal, &nobody, log)
    rules.end_deal(deal, ENDED_DECLARE, seat, log)


cdef void run_out(Matching rules, const Rate* rate, Deal* deal, Log* log) noexcept nogil:
    """Special yaku, and nothing beside them; else dealt hands, 抜け and card points."""
    cdef Own* own = own_of(deal)
    cdef Blame blame
    cdef int points[3]
    cdef int64_t differences[3]
    cdef uint64_t dives = 0
    cdef int winner, seat, step
    for seat in range(3):
        points[seat] = card_points(deal.pile[seat])
        differences[seat] = 0
    winner = pay_special(rate, deal, points, log)
    if winner >= 0:
        if course(deal).declared:
            add_payment(deal, -1, FUKIKESHI, differences, log)
        close_month(rules, deal, ENDED_RUN_OUT, winner, log)
        return
    blame.dives = 0
    for seat in range(3):
        dives |= dives_in(deal, seat, deal.pile[seat])
    if dives:
        judge_month(&rules.yaku, deal, &blame)
    pay_hands(rate, deal, &blame, log)
    winner = deal.dealer
    for step in range(3):
        seat = (deal.dealer + step) % 3
        if points[seat] > points[winner]:
            winner = seat
        if points[seat] > PAR and has_escape(own.poverty[seat]):
            transfer(deal, seat, NUKE, rated(rate, 1, 0), EVERYBODY, log)
    difference_scores(rate, points, differences)
    add_payment(deal, -1, CARD_POINTS, differences, log)
    close_month(rules, deal, ENDED_RUN_OUT, winner, log)


cdef int pay_special(const Rate* rate, Deal* deal, const int* points, Log* log) noexcept nogil:
    """Pay 総八, 二八 and 素十六; the seat that deals next by them, or -1."""
    cdef int winner = -1
    cdef int seat, step, chaff
    if points[0] == PAR and points[1] == PAR and points[2] == PAR:
        winner = deal.dealer
        special(rate, deal, winner, SOHACHI, 0, True, log)
    for step in range(3):
        seat = (deal.dealer + step) % 3
        chaff = popcount(deal.pile[seat] & dregs)
        if winner < 0 and (points[seat] >= 168 or chaff >= 16):
            winner = seat
        if points[seat] >= 168:
            special(rate, deal, seat, FUTAHACHI, points[seat] - 168, seat == winner, log)
        if chaff >= 16:
            special(rate, deal, seat, SUJUROKU, chaff - 16, seat == winner, log)
    return winner


cdef void special(const Rate* rate, Deal* deal, int seat, int name, int more, bint decides, Log* log) noexcept nogil:
    """Pay a special yaku with so many points or chaff more than it needs."""
    cdef int kan = special_kan[name - SOHACHI] + more * special_extra[name - SOHACHI]
    if decides:
        log_value(log, EVENT_SCORE, seat, 0, name, kan)
    transfer(deal, seat, name, rated(rate, kan, 1), EVERYBODY, log)


cdef void close_month(Matching rules, Deal* deal, int ended, int next_dealer, Log* log) noexcept nogil:
    """The next dealer's point for the pot, and the end."""
    cdef int64_t stone[3]
    cdef int seat
    for seat in range(3):
        stone[seat] = -(seat == next_dealer)
    add_payment(deal, next_dealer, POT, stone, log)
    own_of(deal).pot += 1
    rules.end_deal(deal, ended, next_dealer, log)


# Payments

cdef void judge_month(const YakuTable* yaku, const Deal* deal, Blame* blame) noexcept nogil:
    """Who pays alone, by 法度 or for a 下げ. It needs the hands as they were dealt: those left and what was played."""
    cdef Own* own = own_of(deal)
    cdef Month played
    cdef uint64_t stock = 0
    cdef int seat, t
    played.turns = own.turns
    played.count = deal.top - DEALT_CARDS
    played.dealer = deal.dealer
    for seat in range(3):
        played.hand[seat] = deal.hand[seat] | played_by(deal, seat)
        played.pile[seat] = 0
        played.threes[seat] = threes_in(played.hand[seat]) if has_dives(own.number[seat]) else 0
    for t in range(played.count):
        stock |= bit(own.turns[t].turned)
    for t in range(deal.top, deal.end):
        stock |= bit(deal.deck[t])
    played.field = ALL_CARDS & ~(stock | played.hand[0] | played.hand[1] | played.hand[2])
    played.pile[deal.dealer] = whole_months(played.field)
    played.field ^= played.pile[deal.dealer]
    judge(yaku, &played, blame)


cdef uint64_t dives_in(const Deal* deal, int seat, uint64_t pile) noexcept nogil:
    """Those of the seat's declared threes that the pile holds whole (飛込み)."""
    if not has_dives(own_of(deal).number[seat]):
        return 0
    return whole_threes(threes_in(deal.hand[seat] | played_by(deal, seat)), pile)


cdef uint64_t played_by(const Deal* deal, int seat) noexcept nogil:
    """What the seat has played from its hand."""
    cdef uint64_t cards = 0
    cdef int t = (seat - deal.dealer + 3) % 3
    while t < deal.top - DEALT_CARDS:
        cards |= bit(own_of(deal).turns[t].play // 5)
        t += 3
    return cards


cdef void pay_hands(const Rate* rate, Deal* deal, const Blame* blame, Log* log) noexcept nogil:
    """Pay dealt hands and 飛込み."""
    cdef Own* own = own_of(deal)
    cdef int seat, part, number, i
    for seat in range(3):
        for part in range(2):
            number = own.number[seat] if part else own.poverty[seat]
            if number:
                transfer(deal, seat, FIRST_HAND + number, rated(rate, hand_kan[number], 1), EVERYBODY, log)
    for i in range(blame.dives):
        transfer(deal, blame.diver[i], TOBIKOMI, rated(rate, 1, 0), blame.dive_payer[i], log)


cdef void pay_captured(
    Matching rules, const Rate* rate, Deal* deal, int seat, const int8_t* payers, int divisor, Log* log
) noexcept nogil:
    """Pay the seat its captured yaku, in full or, divided by 2, by half."""
    cdef int32_t values[MAX_YAKU]
    cdef int row
    rules.worth(deal, deal.pile[seat], values)
    for row in range(ROWS):
        if values[row]:
            transfer(deal, seat, FIRST_YAKU_NAME + row, rated(rate, values[row], 1) // divisor, payers[row], log)


cdef void transfer(Deal* deal, int to, int name, int64_t points, int alone, Log* log) noexcept nogil:
    """Every other seat pays the points to a seat, or one alone pays for both (hachihachi R1)."""
    cdef int64_t scores[3]
    cdef int seat
    for seat in range(3):
        scores[seat] = -points if alone == EVERYBODY else 0
    if alone != EVERYBODY:
        scores[alone] = -2 * points
    scores[to] = 2 * points
    add_payment(deal, to, name, scores, log)


cdef void add_payment(Deal* deal, int to, int name, const int64_t* scores, Log* log) noexcept nogil:
    """Add a payment to the month's scores."""
    cdef int seat
    for seat in range(3):
        deal.score[seat] += scores[seat]
    log_by_seat(log, EVENT_PAY, to, name, scores, 3)


# What money follows from

cdef int compile_rates(Rate* rates, menu) except -1:
    """What a menu makes of each field."""
    for field, (twice, added) in enumerate(zip(*MENUS[menu])):
        rates[<int>field].twice = twice
        rates[<int>field].added = added
    return 0


cdef int field_of(uint64_t field, int bind, int* carried) noexcept nogil:
    """The kind of a dealt field under the bind carried into the month, and the bind carried out of it."""
    cdef int zetsu = popcount(field & zetsu_lights)
    cdef int dai = popcount(field & dai_lights)
    carried[0] = FIELD_SHO
    if zetsu or bind == FIELD_ZETSU:
        if zetsu == 2:
            carried[0] = FIELD_ZETSU
        return FIELD_ZETSU
    if dai >= 2:
        carried[0] = FIELD_DAI
    return FIELD_DAI if dai or bind == FIELD_DAI else FIELD_SHO


cdef int card_points(uint64_t pile) noexcept nogil:
    """Light 20, animal 10, ribbon 5, chaff 1."""
    return (
        popcount(pile)
        + 19 * popcount(pile & LIGHTS_MASK)
        + 9 * popcount(pile & ANIMALS_MASK)
        + 4 * popcount(pile & RIBBONS_MASK)
    )


cdef void difference_scores(const Rate* rate, const int* points, int64_t* scores) noexcept nogil:
    """Add what card points pay: the differences from 88 times the multiplier, made even first where that is 1.5."""
    cdef int differences[3]
    cdef int moved = 0
    cdef int even = 0
    cdef int seat
    for seat in range(3):
        differences[seat] = points[seat] - PAR
        if not differences[seat] & 1:
            even = seat
    if rate.twice & 1:
        for seat in range(3):
            if differences[seat] & 1:
                differences[seat] += -1 if differences[seat] > 0 else 1
            moved += differences[seat]
        differences[even] -= moved
    for seat in range(3):
        scores[seat] += differences[seat] * rate.twice // 2


cdef void year_results(const int64_t* balances, int pot, int dealer, int shiso, int64_t* results) noexcept nogil:
    """The year in kan; ``dealer`` is the last month's, ``shiso`` the seat whose 四三 ended the year, or -1."""
    cdef int top = shiso
    cdef int lowest = shiso
    cdef int takers = 1
    cdef int seat, step
    cdef int64_t balance
    if shiso < 0:
        top = lowest = dealer
        for step in range(1, 3):
            seat = (dealer + step) % 3
            if balances[seat] > balances[top]:
                top = seat
            if balances[seat] < balances[lowest]:
                lowest = seat
                takers = 1
            elif balances[seat] == balances[lowest]:
                takers += 1
        if takers == 3:
            results[0] = results[1] = results[2] = 0
            return
    results[top] = 0
    for seat in range(3):
        if seat == top:
            continue
        balance = balances[seat]
        if balance == balances[lowest] and shiso < 0:
            balance += pot // takers
        results[seat] = (balance - returned) // POINTS_TO_KAN     # C cuts toward zero
        results[top] -= results[seat]


def kind_of_field(cards, int bind=FIELD_SHO):
    cdef int carried
    cdef int kind = field_of(cards_mask(cards), bind, &carried)
    return kind, carried


def fields_of_year(seed):
    cdef bytes key = parse_seed(seed)
    cdef uint8_t deck[48]
    cdef int months[3]
    cdef int bind = FIELD_SHO
    cdef uint64_t field
    cdef int month, i
    months[0] = months[1] = months[2] = 0
    for month in range(1, months_a_year + 1):
        shuffle(<const uint8_t*><char*>key, month, 0, 48, deck)
        field = 0
        for i in range(DEALT_CARDS - FIELD_CARDS, DEALT_CARDS):
            field |= bit(deck[i])
        months[field_of(field, bind, &bind)] += 1
    return (months[0], months[1], months[2]), bind
