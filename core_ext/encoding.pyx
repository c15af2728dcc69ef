# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a seat sees, as numbers: a fixed list of named features for each variant, some of which are active.

Learned players and learning environments read a position through this, and through nothing else: a feature depends on
what the seat may know alone. Seats are counted from the viewer in turn order: ``+0`` is the viewer itself.
"""
from core_ext.cards import CARD_NAMES
from core_ext.observation import COUNTER_NAMES
from core_ext.table import PHASES
from core_ext.variants.registry import variant_info
from core_ext.variants.sangohana_table import KINDS

cimport cython
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t

from core_ext.cards cimport CHAFF_MASK, NO_CARD, bit, lowest, month_counts, popcount
from core_ext.matching cimport Matching
from core_ext.scoring cimport MAX_YAKU, YakuRow
from core_ext.state cimport State
from core_ext.table cimport MAX_SEATS, PHASE_CLAIM, PHASE_DRAW, Deal
from core_ext.variants.sangohana_month cimport KIND_COUNT, cards_of, last_discard, pairs
from core_ext.zones cimport CounterRow, View

ENCODING_VERSION = 1
"""Raised whenever the number or the meaning of a feature changes."""

cdef enum:
    MONTHS = 12
    SPLITS = 35             # of the four cards of a month: hand, field, unseen and the rest
    MOST_COUNTED = 14       # cards of a row of the yaku table
    MOST_HELD = 8
    MOST_UNSEEN = 15
    MOST_SHOWN = 5
    MOST_PAIRS = 4
    MISSING = 10            # cards that a hand still lacks: 0 to 8, or more than there are
    LEADS = 19

_ONES = tuple(range(1, 16))
_POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 50)
# What is told apart of a counter: the feature `name.k` is active where k of these numbers are reached; none: nothing is.
_THRESHOLDS = {
    "points": _POINTS,
    "koi": (1, 2, 3),
    "stake": _POINTS,
    "multiplier": (2, 4, 8, 16, 32, 64),
    "exchanges": (1, 2, 3),
    "cup_void": (1,),
    "months_won": (1, 3, 5, 7),
    "season_won": (1, 2, 3),
    "card_points": (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 125, 140, 168),
    "by_number": _ONES,
    "by_poverty": _ONES,
    "declared": (1, 3, 5, 8),
    "field": (1, 2),
    "bind": (1, 2),
    "pot": (1, 3, 6, 10),
    "turns": (1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25, 30, 40, 60),
    "run_outs": (1, 2, 3),
}
_LEADS = (1, 3, 6, 12, 25, 50, 100, 200, 400)
_TABLE_COUNTERS = ("multiplier", "cup_void", "field", "bind", "pot", "turns", "run_outs")

cdef int64_t leads[9]
cdef uint8_t splits[5][5][5]    # by the cards of a month in the hand, on the field and unseen

for _number, _lead in enumerate(_LEADS):
    leads[<int>_number] = _lead
_SPLITS = [
    (hand, field, unseen)
    for hand in range(5) for field in range(5) for unseen in range(5) if hand + field + unseen <= 4
]
assert len(_SPLITS) == SPLITS and len(KINDS) == KIND_COUNT
for _number, (_hand, _field, _unseen) in enumerate(_SPLITS):
    splits[<int>_hand][<int>_field][<int>_unseen] = _number


@cython.final
cdef class Encoding:
    """The encoding of a variant, for matches under one choice of options and seats."""

    def __init__(self, State state not None):
        info = state.rules.info
        self.rules = state.rules
        self.months = state.options.get("months", MONTHS)
        self.deck = (<uint64_t>1 << state.rules.cards) - 1
        self.discards = not isinstance(state.rules, Matching)
        if not self.discards:
            self.yaku = &(<Matching>state.rules).yaku
        names = []
        self.list_features(names, info)
        self.names = tuple(names)
        self.size = len(names)

    def list_features(self, list names, info):
        """Names the features in order, and keeps where each group begins."""
        seats = range(info.seats[1])
        cdef int seat, number
        self.hand_at = group(names, [f"hand.{name}" for name in CARD_NAMES])
        self.field_at = group(names, [f"{'discards' if self.discards else 'field'}.{name}" for name in CARD_NAMES])
        self.turned_at = group(names, [f"{'discard' if self.discards else 'turned'}.{name}" for name in CARD_NAMES])
        for seat in seats[1:]:
            self.shown_at[seat] = group(names, [f"shown+{seat}.{name}" for name in CARD_NAMES])
        self.months_at = group(
            names, [f"month.{month + 1}.hand{h}.field{f}.unseen{u}" for month in range(MONTHS) for h, f, u in _SPLITS]
        )
        if self.discards:
            self.list_hands(names, seats)
        else:
            for seat in seats:
                self.pile_at[seat] = group(names, [f"pile+{seat}.{name}" for name in CARD_NAMES])
            for seat in seats:
                for number, row in enumerate(info.yaku):
                    self.row_cap[number] = min(len(row.cards), MOST_COUNTED)
                    counts = [*range(1, self.row_cap[number] + 1), "lost"]
                    self.rows_at[seat][number] = group(names, [f"yaku+{seat}.{row.id}.{count}" for count in counts])
        for number, name in enumerate(COUNTER_NAMES):
            thresholds = _THRESHOLDS.get(name, ())
            self.threshold_count[number] = len(thresholds)
            for place, threshold in enumerate(thresholds):
                self.thresholds[number][<int>place] = threshold
            for seat in range(MAX_SEATS + 1):
                self.counter_at[number][seat] = -1
                if thresholds and (seat == MAX_SEATS if name in _TABLE_COUNTERS else seat in seats):
                    whose = "" if seat == MAX_SEATS else f"+{seat}"
                    self.counter_at[number][seat] = group(
                        names, [f"{name}{whose}.{threshold}" for threshold in thresholds]
                    )
        self.phase_at = group(names, [f"phase.{phase}" for phase in PHASES])
        self.held_at = group(names, [f"held.{count}" for count in range(MOST_HELD + 1)])
        self.dealer_at = group(names, [f"dealer+{seat}" for seat in seats])
        self.seats_at = group(names, [f"seats.{count}" for count in range(MAX_SEATS + 1)])
        self.left_at = group(names, [f"left.{months}" for months in range(MONTHS)])
        self.lead_at = group(names, [f"lead.{sign}{lead}" for sign in "+-" for lead in (0, *_LEADS)])

    def list_hands(self, list names, seats):
        """Names what counts where hands are three of one kind and five of another."""
        kinds = ("light", "animal", "ribbon", "chaff")
        self.kinds_at = group(names, [f"kind.{kind}.{n}" for kind in kinds for n in range(MOST_HELD + 1)])
        self.unseen_at = group(names, [f"unseen.{kind}.{n}" for kind in kinds for n in range(MOST_UNSEEN + 1)])
        for seat in seats[1:]:
            self.shown_kinds_at[<int>seat] = group(
                names, [f"shown+{seat}.{kind}.{n}" for kind in kinds for n in range(MOST_SHOWN + 1)]
            )
        self.hands_at = group(
            names, [f"lacks.three_{three}.five_{five}.{n}" for three in kinds for five in kinds for n in range(MISSING)]
        )
        self.pairs_at = group(names, [f"pairs.{n}" for n in range(MOST_PAIRS + 1)])

    def active(self, State state not None, int seat):
        cdef uint16_t active[MAX_ACTIVE]
        cdef int count
        if state.rules is not self.rules:
            raise ValueError("the state's variant, options and seats are not those of the encoding")
        if not 0 <= seat < state.rules.seats:
            raise ValueError(f"there is no seat {seat} to look from")
        count = self.encode(&state.deal, seat, active)
        return [active[i] for i in range(count)]

    cdef int encode(self, const Deal* deal, int seat, uint16_t* active) noexcept nogil:
        cdef uint64_t seen = deal.hand[seat] | deal.field
        cdef uint64_t in_hand = month_counts(deal.hand[seat])
        cdef uint64_t on_field = month_counts(deal.field)
        cdef uint64_t hidden
        cdef int64_t lead
        cdef int n = put_cards(active, 0, self.hand_at, deal.hand[seat])
        cdef int step, other, month, best
        cdef uint8_t phase = deal.phase
        cdef int8_t asked
        if deal.asked != seat:
            self.rules._public_phase(deal, &phase, &asked)
        n = put_cards(active, n, self.field_at, deal.field)
        other = seat
        for step in range(1, deal.seats):
            other = other + 1 if other + 1 < deal.seats else 0
            hidden = deal.shown[other] & deal.hand[other]
            seen |= hidden | deal.pile[other]
            if hidden:
                n = put_cards(active, n, self.shown_at[step], hidden)
        seen |= deal.pile[seat]
        if deal.turned != NO_CARD:
            seen |= bit(deal.turned)
            active[n] = <uint16_t>(self.turned_at + deal.turned)
            n += 1
        hidden = self.deck & ~seen
        n = self.encode_hands(deal, seat, hidden, active, n) if self.discards else self.encode_piles(deal, seat, active, n)
        hidden = month_counts(hidden)
        for month in range(MONTHS):
            active[n] = <uint16_t>(
                self.months_at + SPLITS * month
                + splits[in_hand >> 4 * month & 15][on_field >> 4 * month & 15][hidden >> 4 * month & 15]
            )
            n += 1
        n = self.encode_counters(deal, seat, active, n)
        lead = deal.balance[seat] - best_other(deal, seat)
        best = LEADS // 2 + 1 if lead < 0 else 0
        if lead < 0:
            lead = -lead
        step = 0
        while step < 9 and lead >= leads[step]:
            step += 1
        active[n] = <uint16_t>(self.lead_at + best + step)
        active[n + 1] = <uint16_t>(self.phase_at + phase)
        active[n + 2] = <uint16_t>(self.held_at + popcount(deal.hand[seat]))
        step = deal.dealer - seat
        active[n + 3] = <uint16_t>(self.dealer_at + (step if step >= 0 else step + deal.seats))
        active[n + 4] = <uint16_t>(self.seats_at + deal.seats)
        active[n + 5] = <uint16_t>(self.left_at + max(0, min(<int>MONTHS - 1, self.months - deal.month)))
        return n + 6

    cdef int encode_piles(self, const Deal* deal, int seat, uint16_t* active, int n) noexcept nogil:
        """Piles, and how far each has come with each yaku."""
        cdef const YakuRow* row
        cdef uint64_t pile, others
        cdef int step, i, count
        cdef int other = seat
        for step in range(deal.seats):
            pile = deal.pile[other]
            others = (deal.pile[0] | deal.pile[1] | deal.pile[2]) & ~pile
            n = put_cards(active, n, self.pile_at[step], pile)
            for i in range(self.yaku.count):
                row = &self.yaku.rows[i]
                if row.must & others or popcount(row.cards & ~others) < row.need:
                    active[n] = <uint16_t>(self.rows_at[step][i] + self.row_cap[i])
                    n += 1
                    continue
                count = popcount(pile & row.cards)
                if count:
                    active[n] = <uint16_t>(self.rows_at[step][i] + min(count, self.row_cap[i]) - 1)
                    n += 1
            other = other + 1 if other + 1 < deal.seats else 0
        return n

    cdef int encode_hands(self, const Deal* deal, int seat, uint64_t unseen, uint16_t* active, int n) noexcept nogil:
        """Kinds in the hand, shown by others and unseen, and what each hand of the table still lacks."""
        cdef int held[4]
        cdef int left[4]
        cdef int kind, three, five, other, step, count, lacks_three, lacks_five
        if deal.field and (deal.phase == PHASE_DRAW or deal.phase == PHASE_CLAIM):
            active[n] = <uint16_t>(self.turned_at + last_discard(deal))
            n += 1
        for kind in range(4):
            held[kind] = popcount(deal.hand[seat] & cards_of(kind))
            left[kind] = popcount(unseen & cards_of(kind))
            active[n] = <uint16_t>(self.kinds_at + (MOST_HELD + 1) * kind + min(held[kind], <int>MOST_HELD))
            active[n + 1] = <uint16_t>(self.unseen_at + (MOST_UNSEEN + 1) * kind + min(left[kind], <int>MOST_UNSEEN))
            n += 2
        other = seat
        for step in range(1, deal.seats):
            other = other + 1 if other + 1 < deal.seats else 0
            for kind in range(4):
                count = popcount(deal.shown[other] & deal.hand[other] & cards_of(kind))
                if count:
                    active[n] = <uint16_t>(
                        self.shown_kinds_at[step] + (MOST_SHOWN + 1) * kind + min(count, <int>MOST_SHOWN)
                    )
                    n += 1
        for three in range(4):
            for five in range(4):
                if three == five:
                    continue
                lacks_three = max(0, 3 - held[three])
                lacks_five = max(0, 5 - held[five])
                count = lacks_three + lacks_five
                if lacks_three > left[three] or lacks_five > left[five]:
                    count = MISSING - 1
                active[n] = <uint16_t>(self.hands_at + MISSING * (4 * three + five) + count)
                n += 1
        active[n] = <uint16_t>(self.pairs_at + min(<int>MOST_PAIRS, pairs(deal.hand[seat] & CHAFF_MASK)))
        return n + 1

    cdef int encode_counters(self, const Deal* deal, int seat, uint16_t* active, int n) noexcept nogil:
        cdef View view
        cdef const CounterRow* row
        cdef int i, place, reached, at
        view.counter_count = 0
        self.rules._counters(deal, &view)
        for i in range(view.counter_count):
            row = &view.counters[i]
            place = MAX_SEATS if row.seat < 0 else row.seat - seat if row.seat >= seat else row.seat - seat + deal.seats
            at = self.counter_at[row.name][place]
            if at < 0 or row.value < self.thresholds[row.name][0]:
                continue
            reached = 1
            while reached < self.threshold_count[row.name] and row.value >= self.thresholds[row.name][reached]:
                reached += 1
            active[n] = <uint16_t>(at + reached - 1)
            n += 1
        return n


cdef int group(list names, added):
    """Adds a group of features; returns the number of its first."""
    cdef int start = len(names)
    names.extend(added)
    return start


cdef inline int put_cards(uint16_t* active, int n, int at, uint64_t cards) noexcept nogil:
    while cards:
        active[n] = <uint16_t>(at + lowest(cards))
        n += 1
        cards &= cards - 1
    return n


cdef inline int64_t best_other(const Deal* deal, int seat) noexcept nogil:
    cdef int64_t best = deal.balance[0 if seat else 1]
    cdef int other
    for other in range(deal.seats):
        if other != seat:
            best = max(best, deal.balance[other])
    return best
