# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""How a month of hachihachi ends: every end but the void is a list of payments."""
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from core_ext.cards import CHAFF, cards_mask, parse_cards
from core_ext.variants.hachihachi_table import BY_NUMBER, BY_POVERTY, INFO, SPECIAL, YAKU

from core_ext.cards cimport bit, popcount, whole_months
from core_ext.events cimport (
    EVENT_CANCEL, EVENT_PAY, EVENT_SCORE, EVENT_STOP, Log, log_by_seat, log_value,
)
from core_ext.matching cimport Matching, course
from core_ext.scoring cimport MAX_YAKU, YakuTable
from core_ext.table cimport ENDED_CANCEL, ENDED_DECLARE, ENDED_RUN_OUT, ENDED_STOP, OWN_WORDS, Deal
from core_ext.variant cimport FIRST_YAKU_NAME
from core_ext.variants.hachihachi_hands cimport PHOENIX, WILLOW_MASK, has_dives, has_escape, threes_in
from core_ext.variants.hachihachi_hatto cimport ROWS, Blame, Month, judge, turn_card, turn_turned
from core_ext.variants.hachihachi_money cimport EVERYBODY, PAR, Rate, card_points, difference_scores, pay, rated

assert sizeof(Own) <= 8 * OWN_WORDS
assert WILLOW_MASK == cards_mask(parse_cards("11L 11A 11R 11x")) and PHOENIX == cards_mask(parse_cards("12L"))
assert len(BY_NUMBER) == LAST_NUMBER and len(BY_POVERTY) == LAST_POVERTY
assert INFO.terms == tuple("sohachi futahachi sujuroku tobikomi nuke sho dai zetsu card_points pot fukikeshi".split())
assert SOHACHI == FIRST_YAKU_NAME + len(YAKU) + len(INFO.dealt_hands)

cdef uint64_t ALL_CARDS = bit(48) - 1
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
    log_value(log, kind, seat, 0, 0, rules._values(deal, seat, values))
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
        number = hand_of_poverty(own.poverty[seat]) if part else own.number[seat]
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
    if own.dives:
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
    """Pays 総八, 二八 and 素十六; the seat that deals next by them, or -1."""
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
    """Pays a special yaku with so many points or chaff more than it needs."""
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
        stock |= bit(turn_turned(own.turns[t]))
    for t in range(deal.top, deal.end):
        stock |= bit(deal.deck[t])
    played.field = ALL_CARDS & ~(stock | played.hand[0] | played.hand[1] | played.hand[2])
    played.pile[deal.dealer] = whole_months(played.field)
    played.field ^= played.pile[deal.dealer]
    judge(yaku, &played, blame)


cdef uint64_t played_by(const Deal* deal, int seat) noexcept nogil:
    """What the seat has played from its hand."""
    cdef uint64_t cards = 0
    cdef int t = (seat - deal.dealer + 3) % 3
    while t < deal.top - DEALT_CARDS:
        cards |= bit(turn_card(own_of(deal).turns[t]))
        t += 3
    return cards


cdef void pay_hands(const Rate* rate, Deal* deal, const Blame* blame, Log* log) noexcept nogil:
    """Pays dealt hands and 飛込み."""
    cdef Own* own = own_of(deal)
    cdef int seat, part, number, i
    for seat in range(3):
        for part in range(2):
            number = own.number[seat] if part else hand_of_poverty(own.poverty[seat])
            if number:
                transfer(deal, seat, FIRST_HAND + number, rated(rate, hand_kan[number], 1), EVERYBODY, log)
    for i in range(blame.dives):
        transfer(deal, blame.diver[i], TOBIKOMI, rated(rate, 1, 0), blame.dive_payer[i], log)


cdef void pay_captured(
    Matching rules, const Rate* rate, Deal* deal, int seat, const int8_t* payers, int divisor, Log* log
) noexcept nogil:
    """Pays the seat its captured yaku, in full or, divided by 2, by half."""
    cdef int32_t values[MAX_YAKU]
    cdef int row
    rules._values(deal, seat, values)
    for row in range(ROWS):
        if values[row]:
            transfer(deal, seat, FIRST_YAKU_NAME + row, rated(rate, values[row], 1) // divisor, payers[row], log)


cdef void transfer(Deal* deal, int to, int name, int64_t points, int alone, Log* log) noexcept nogil:
    """Every other seat pays the points to a seat, or one alone pays for both."""
    cdef int64_t scores[3]
    scores[0] = scores[1] = scores[2] = 0
    pay(scores, to, points, alone)
    add_payment(deal, to, name, scores, log)


cdef void add_payment(Deal* deal, int to, int name, const int64_t* scores, Log* log) noexcept nogil:
    """Adds a payment to the month's scores."""
    cdef int seat
    for seat in range(3):
        deal.score[seat] += scores[seat]
    log_by_seat(log, EVENT_PAY, to, name, scores, 3)
