# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What an action does, as numbers, for the matching games: which cards it takes or lays, and how far whose yaku with them are.

A yaku in which somebody has three cards of five is told apart from one with two of five, by seat, and early, in the
middle and late in the deal. Only what the asked seat may know is read.
"""
from core_ext.cards import CARD_NAMES

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from core_ext.capture cimport caught
from core_ext.cards cimport (
    ANIMALS_MASK, LIGHTS_MASK, NO_CARD, RIBBONS_MASK, bit, lowest, month_base, popcount,
)
from core_ext.encoding cimport Changes, Encoding, Seen, Standing
from core_ext.matching cimport Matching
from core_ext.notation cimport ACTION_PLAY, ACTION_STOP, ACTION_TURNED
from core_ext.scoring cimport MAX_YAKU, rows_with
from core_ext.state cimport State
from core_ext.table cimport Deal

cdef enum:
    TAKES
    LAYS

cdef enum:
    SPLITS = 35             # of the four cards of a month: hand, field, unseen and the rest

_STAGES = ("early", "middle", "late")
_KINDS = ("light", "animal", "ribbon", "chaff")
_SPLITS = [
    (hand, field, unseen)
    for hand in range(5) for field in range(5) for unseen in range(5) if hand + field + unseen <= 4
]

cdef uint8_t splits[5][5][5]
for _number, (_hand, _field, _unseen) in enumerate(_SPLITS):
    splits[<int>_hand][<int>_field][<int>_unseen] = _number


cdef inline int kind_of(int card) noexcept nogil:
    cdef uint64_t mask = bit(card)
    return 0 if mask & LIGHTS_MASK else 1 if mask & ANIMALS_MASK else 2 if mask & RIBBONS_MASK else 3


@cython.final
cdef class ActionEncoding:
    """The encoding of the actions of a variant, for matches under one choice of options and seats."""

    def __init__(self, Encoding encoding not None):
        names = []
        self.encoding = encoding
        if not encoding.discards:
            self.yaku = encoding.yaku
            self.list_features(names, encoding.rules.info)
        self.stage_size = len(names)
        self.names = tuple([f"{stage}.{name}" for stage in _STAGES for name in names])
        self.size = len(self.names)

    def list_features(self, list names, info):
        """Names the features of one stage in order, and keeps where each group begins."""
        cdef int seat, number, way
        for way, verb in enumerate(("takes", "lays")):
            self.card_at[way] = len(names)
            names.extend(f"{verb}.{name}" for name in CARD_NAMES)
            self.month_at[way] = len(names)
            names.extend(
                f"{verb}.{kind}.hand{hand}.field{field}.unseen{unseen}" for kind in _KINDS for hand, field, unseen in _SPLITS
            )
            for seat in range(info.seats[1]):
                for number, row in enumerate(info.yaku[: self.encoding.encoded.count]):
                    self.row_at[way][seat][number] = len(names)
                    counts = (*range(self.encoding.row_cap[number] + 1), "lost")
                    names.extend(f"{verb}.yaku+{seat}.{row.id}.{count}" for count in counts)

    def active(self, State state not None, int action):
        cdef uint16_t active[MAX_ACTION_ACTIVE]
        cdef Setting setting
        cdef int count, i
        if state.rules is not self.encoding.rules:
            raise ValueError("the state's variant, options and seats are not those of the encoding")
        if not self.size or state.deal.asked < 0:
            return []
        self.set_up(&state.deal, state.deal.asked, &setting)
        count = self.encode(&state.deal, &setting, action, active)
        return [active[i] for i in range(count)]

    cdef void set_up(self, const Deal* deal, int seat, Setting* setting) noexcept nogil:
        cdef Standing standing = self.encoding.untouched
        cdef Changes changes
        cdef Seen seen
        memset(&seen, 0, sizeof(Seen))
        self.encoding.look(deal, seat, &standing, &seen, &changes)
        self.set_up_seen(deal, seat, &seen, &standing, setting)

    cdef void set_up_seen(
        self, const Deal* deal, int seat, const Seen* seen, const Standing* standing, Setting* setting
    ) noexcept nogil:
        cdef int held = popcount(deal.hand[seat])
        cdef int other = seat
        cdef int step
        setting.stage = self.stage_size * (0 if held >= 6 else 1 if held >= 3 else 2)
        for step in range(deal.seats):
            memcpy(setting.standing[step], standing.counts[other], MAX_YAKU)
            other = other + 1 if other + 1 < deal.seats else 0
        setting.in_hand = seen.in_hand
        setting.on_field = seen.on_field
        setting.unseen = seen.unseen

    cdef int encode(self, const Deal* deal, const Setting* setting, int action, uint16_t* active) noexcept nogil:
        cdef uint64_t cards
        cdef uint32_t rows
        cdef int card, row, seat
        cdef int n = 1
        cdef int way = what_moves(deal, action, &cards)
        if way < 0:
            return 0
        active[0] = <uint16_t>(self.month_feature(setting, way, lowest(cards)))
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            active[n] = <uint16_t>(setting.stage + self.card_at[way] + card)
            n += 1
            rows = rows_with(self.yaku, card)
            while rows:
                row = lowest(rows)
                rows &= rows - 1
                for seat in range(deal.seats):
                    active[n] = <uint16_t>(setting.stage + self.row_at[way][seat][row] + setting.standing[seat][row])
                    n += 1
        return n

    cdef inline int month_feature(self, const Setting* setting, int way, int card) noexcept nogil:
        cdef int base = month_base(card)
        return (
            setting.stage + self.month_at[way] + SPLITS * kind_of(card)
            + splits[setting.in_hand >> base & 15][setting.on_field >> base & 15][setting.unseen >> base & 15]
        )

    cdef int32_t total(
        self, const Deal* deal, const Setting* setting, int action, const int32_t* weights, Sums* sums
    ) noexcept nogil:
        cdef uint64_t cards
        cdef uint32_t rows
        cdef int32_t sum, total
        cdef int card, row, seat
        cdef int way = what_moves(deal, action, &cards)
        if way < 0:
            return 0
        total = weights[self.month_feature(setting, way, lowest(cards))]
        weights += setting.stage
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            if not sums.has_card[way] >> card & 1:
                sums.has_card[way] |= bit(card)
                sum = weights[self.card_at[way] + card]
                rows = rows_with(self.yaku, card)
                while rows:
                    row = lowest(rows)
                    rows &= rows - 1
                    if not sums.has_row[way] >> row & 1:
                        sums.has_row[way] |= <uint32_t>1 << row
                        sums.row[way][row] = 0
                        for seat in range(deal.seats):
                            sums.row[way][row] += weights[self.row_at[way][seat][row] + setting.standing[seat][row]]
                    sum += sums.row[way][row]
                sums.card[way][card] = sum
            total += sums.card[way][card]
        return total


cdef inline int what_moves(const Deal* deal, int action, uint64_t* cards) noexcept nogil:
    """Writes the cards that an action takes or lays, and returns which; -1 when it does neither."""
    cdef uint64_t taken
    cdef int card
    if action < ACTION_TURNED:
        card = (action - ACTION_PLAY) // 5
        taken = caught(card, (action - ACTION_PLAY) % 5)
        cards[0] = taken | bit(card)
        return TAKES if taken else LAYS
    if action < ACTION_STOP and deal.turned != NO_CARD:
        cards[0] = bit(action - ACTION_TURNED) | bit(deal.turned)
        return TAKES
    return -1
