# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""法度: a month gone through again, turn by turn, to see who helped whom."""
from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.string cimport memset

from core_ext.variants.hachihachi_table import UNDER_HATTO, YAKU

from core_ext.capture cimport caught, is_choice
from core_ext.cards cimport bit, lowest, month_base, month_nibble, popcount
from core_ext.scoring cimport YakuTable, rows_touched, yaku_made

cdef enum:
    DIVE = 1 << 7       # beside the rows of captured yaku, as bits

cdef uint32_t watched = sum(1 << i for i, row in enumerate(YAKU) if row.id in UNDER_HATTO)
assert len(YAKU) == ROWS


# The month as far as it has been gone through.
cdef struct Sight:
    const YakuTable* yaku
    Month* now               # hands, piles, field and the threes that are no 飛込み yet
    int8_t sage                 # the seat whose 下げ stands
    int8_t fault[12]            # by month: who is at fault for a 飛込み of its three
    int8_t offender[12]         # by month: who has played the card on the field by 法度
    uint32_t helps[12][3]       # and whom to what
    int8_t latest[3]            # by maker: the latest offender of its earlier turns


cdef uint32_t helped_by(const Sight* sight, int player, int card, int maker) noexcept nogil:
    """What the card would help a maker to, were it played now: rows as bits, and DIVE (hachihachi R5)."""
    cdef uint64_t pile = sight.now.pile[maker]
    cdef uint64_t piles = sight.now.pile[0] | sight.now.pile[1] | sight.now.pile[2]
    cdef uint64_t month = <uint64_t>15 << month_base(card)
    cdef uint32_t rows = watched & rows_touched(sight.yaku, month)
    cdef uint32_t found = 0
    cdef uint64_t lacking
    cdef int row
    if maker == player or sight.now.field & month:
        return 0
    while rows:
        row = lowest(rows)
        rows &= rows - 1
        lacking = sight.yaku.rows[row].cards & ~pile
        if lacking & (lacking - 1) or not lacking & month:
            continue
        if lacking == bit(card) or popcount(piles & month & ~bit(card) & ~lacking) == 2:
            found |= <uint32_t>1 << row
    if sight.now.threes[maker] & month:
        found |= DIVE
    return found


cdef int kan_of(const Sight* sight, uint32_t helps) noexcept nogil:
    """The kan, on a small field, of rows as bits.

    五光 counts with the 四光 in it: it costs more than all that cards of other months can help to, with it or without.
    """
    cdef int kan = 0
    cdef int row
    if helps & DIVE:
        kan = 1
    helps &= DIVE - 1
    while helps:
        row = lowest(helps)
        helps &= helps - 1
        kan += sight.yaku.rows[row].points
    return kan


cdef bint is_exempt(const Sight* sight, int player, int played) noexcept nogil:
    """Whether it was the last card, or nothing but 法度 was in the hand and this was the right one of it."""
    cdef uint64_t hand = sight.now.hand[player]
    cdef int before = (player + 2) % 3
    cdef int after = (player + 1) % 3
    cdef int least = 0      # of two times the kan that a card helps to, and 1 where that is not for the seat before
    cdef int own = 0
    cdef uint32_t for_before, for_after
    cdef int card, cost
    if hand == bit(played):
        return True
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        for_before = helped_by(sight, player, card, before)
        for_after = helped_by(sight, player, card, after)
        if not for_before | for_after:
            return False
        cost = 2 * (kan_of(sight, for_before) + kan_of(sight, for_after)) + (for_before == 0)
        if least == 0 or cost < least:
            least = cost
        if card == played:
            own = cost
    return own == least


cdef void note(Sight* sight, int player, int card) noexcept nogil:
    """Note what the player is at fault for with the card that it is about to play.

    Whoever takes one of three with the fourth is noted too: then nobody can dive with them.
    """
    cdef int month = card >> 2
    cdef int maker
    cdef uint64_t threes, all_of
    cdef uint32_t helps = 0
    cdef uint32_t found[3]
    for maker in range(3):
        found[maker] = helped_by(sight, player, card, maker)
        helps |= found[maker]
        threes = sight.now.threes[maker] if maker != player else 0
        while threes:
            all_of = <uint64_t>15 << month_base(lowest(threes))
            threes &= ~all_of
            if sight.now.hand[player] & all_of and sight.now.field & all_of:
                sight.fault[lowest(all_of) >> 2] = <int8_t>player
    if not helps or is_exempt(sight, player, card):
        return
    sight.offender[month] = <int8_t>player
    for maker in range(3):
        sight.helps[month][maker] = found[maker]
        if found[maker] & DIVE:
            sight.fault[month] = <int8_t>player


cdef uint64_t land(Sight* sight, int seat, int card, uint64_t taken) noexcept nogil:
    """Land a card; what the seat's pile gains."""
    if not taken:
        sight.now.field |= bit(card)
        return 0
    sight.now.field &= ~taken
    sight.now.pile[seat] |= taken | bit(card)
    return taken | bit(card)


cdef uint64_t turned_takes(const Sight* sight, const Turn* turn) noexcept nogil:
    """The field cards that the turned card takes."""
    cdef int on_field = month_nibble(sight.now.field, turn.turned)
    return bit(turn.chosen) if is_choice(on_field) else <uint64_t>on_field << month_base(turn.turned)


cdef void dive(Sight* sight, int seat, Blame* blame) noexcept nogil:
    """A 飛込み for each declared three that is whole in the seat's pile; a standing 下げ goes before 法度."""
    cdef uint64_t threes = sight.now.threes[seat]
    cdef uint64_t three
    cdef int month, alone
    while threes:
        month = lowest(threes) >> 2
        three = threes & <uint64_t>15 << 4 * month
        threes ^= three
        if three & ~sight.now.pile[seat] or blame.dives == MAX_DIVES:
            continue
        alone = sight.fault[month] if sight.sage == EVERYBODY or sight.sage == seat else sight.sage
        blame.diver[blame.dives] = <int8_t>seat
        blame.dive_payer[blame.dives] = <int8_t>alone
        blame.dives += 1
        sight.now.threes[seat] ^= three


cdef void lay_blame(Sight* sight, int seat, uint32_t made, const int* months, Blame* blame) noexcept nogil:
    """Who pays for rows made: its offender, else the latest of the maker's earlier turns (hachihachi R6)."""
    cdef int8_t earlier = sight.latest[seat]
    cdef int row, i, month
    if earlier != EVERYBODY:
        for row in range(ROWS):
            if made >> row & 1:
                blame.payer[seat][row] = earlier
    for i in range(2):
        month = months[i]
        if month < 0 or sight.offender[month] == EVERYBODY:
            continue
        for row in range(ROWS):
            if made & sight.helps[month][seat] & <uint32_t>1 << row:
                blame.payer[seat][row] = sight.offender[month]
                sight.latest[seat] = sight.offender[month]
        sight.offender[month] = EVERYBODY


cdef void judge(const YakuTable* yaku, Month* month, Blame* blame) noexcept nogil:
    """Go through the month from its first turn; what it is given becomes what it came to."""
    cdef Sight sight
    cdef const Turn* turn
    cdef int months[2]
    cdef uint64_t gained, taken
    cdef uint32_t made
    cdef int t, seat, card
    memset(&sight, EVERYBODY, sizeof(Sight))
    memset(blame, EVERYBODY, sizeof(Blame))
    sight.yaku = yaku
    sight.now = month
    blame.dives = 0
    for t in range(month.count):
        seat = (month.dealer + t) % 3
        turn = &month.turns[t]
        card = turn.play // 5
        note(&sight, seat, card)
        month.hand[seat] &= ~bit(card)
        taken = caught(card, turn.play % 5)
        months[0] = card >> 2 if taken else -1
        gained = land(&sight, seat, card, taken)
        taken = turned_takes(&sight, turn)
        months[1] = turn.turned >> 2 if taken else -1
        gained |= land(&sight, seat, turn.turned, taken)
        if month.threes[seat]:
            dive(&sight, seat, blame)
        if not gained:
            continue
        made = yaku_made(yaku, month.pile[seat] ^ gained, gained)
        lay_blame(&sight, seat, made, months, blame)
        if made and sight.sage == EVERYBODY:
            sight.sage = <int8_t>seat
