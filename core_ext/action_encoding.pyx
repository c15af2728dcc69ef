# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What an action does, as numbers, for the matching games: which cards it takes or lays, and how far whose yaku with them are.

A yaku in which somebody has three cards of five is told apart from one with two of five, by seat, and early, in the
middle and late in the deal. Only what the asked seat may know is read.
"""
from core_ext.cards import CARD_NAMES

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from core_ext.capture cimport caught
from core_ext.cards cimport (
    ANIMALS_MASK, LIGHTS_MASK, NO_CARD, RIBBONS_MASK, bit, lowest, month_base, month_counts, popcount,
)
from core_ext.encoding cimport Encoding
from core_ext.matching cimport Matching
from core_ext.notation cimport ACTION_PLAY, ACTION_STOP, ACTION_TURNED
from core_ext.scoring cimport YakuRow
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
                for number, row in enumerate(info.yaku):
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
        cdef const YakuRow* row
        cdef uint64_t others
        cdef uint64_t seen = deal.hand[seat] | deal.field
        cdef uint64_t every = 0
        cdef int held = popcount(deal.hand[seat])
        cdef int other = seat
        cdef int step, i
        setting.stage = self.stage_size * (0 if held >= 6 else 1 if held >= 3 else 2)
        for step in range(deal.seats):
            every |= deal.pile[step]
        for step in range(deal.seats):
            others = every & ~deal.pile[other]
            for i in range(self.yaku.count):
                row = &self.yaku.rows[i]
                if row.must & others or popcount(row.cards & ~others) < row.need:
                    setting.standing[step][i] = <uint8_t>(self.encoding.row_cap[i] + 1)
                else:
                    setting.standing[step][i] = <uint8_t>min(
                        popcount(deal.pile[other] & row.cards), self.encoding.row_cap[i]
                    )
            if step:
                seen |= deal.shown[other] & deal.hand[other]
            other = other + 1 if other + 1 < deal.seats else 0
        seen |= every
        if deal.turned != NO_CARD:
            seen |= bit(deal.turned)
        setting.in_hand = month_counts(deal.hand[seat])
        setting.on_field = month_counts(deal.field)
        setting.unseen = month_counts(self.encoding.deck & ~seen)

    cdef int encode(self, const Deal* deal, const Setting* setting, int action, uint16_t* active) noexcept nogil:
        cdef uint64_t cards, taken
        cdef uint32_t rows
        cdef int card, base, row, seat, n
        cdef int way = TAKES
        if action < ACTION_TURNED:
            card = (action - ACTION_PLAY) // 5
            taken = caught(card, (action - ACTION_PLAY) % 5)
            cards = taken | bit(card)
            if not taken:
                way = LAYS
        elif action < ACTION_STOP and deal.turned != NO_CARD:
            cards = bit(action - ACTION_TURNED) | bit(deal.turned)
        else:
            return 0
        card = lowest(cards)
        base = setting.stage + self.month_at[way]
        active[0] = <uint16_t>(
            base + SPLITS * kind_of(card)
            + splits[setting.in_hand >> month_base(card) & 15][setting.on_field >> month_base(card) & 15][
                setting.unseen >> month_base(card) & 15
            ]
        )
        n = 1
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            active[n] = <uint16_t>(setting.stage + self.card_at[way] + card)
            n += 1
            rows = self.yaku.with_card[card]
            while rows:
                row = lowest(rows)
                rows &= rows - 1
                for seat in range(deal.seats):
                    active[n] = <uint16_t>(setting.stage + self.row_at[way][seat][row] + setting.standing[seat][row])
                    n += 1
        return n
