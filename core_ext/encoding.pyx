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
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from core_ext.cards cimport CHAFF_MASK, LANES, NO_CARD, bit, lowest, month_counts, popcount
from core_ext.matching cimport Matching
from core_ext.scoring cimport MAX_YAKU, YakuRow, rows_touched
from core_ext.state cimport State
from core_ext.table cimport MAX_SEATS, PHASE_CLAIM, PHASE_DRAW, Deal
from core_ext.variants.sangohana_month cimport KIND_COUNT, cards_of, last_discard, pairs
from core_ext.zones cimport MAX_COUNTERS, CounterRow

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


# How many changes there are so far. It stays in registers, which a number behind a pointer does not.
cdef struct Counts:
    int came
    int gone


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
            self.take_rows(&(<Matching>state.rules).yaku, len([row for row in info.yaku if not row.late]))
            self.yaku = &self.encoded
        names = []
        self.list_features(names, info)
        self.names = tuple(names)
        self.size = len(names)
        if not self.discards:
            self.begin_standing()

    def begin_standing(self):
        """Count while no card has been taken: what is switched off is never made."""
        cdef int seat, i
        memset(&self.untouched, 0, sizeof(Standing))
        for seat in range(MAX_SEATS):
            for i in range(self.yaku.count):
                if popcount(self.yaku.rows[i].cards) < self.yaku.rows[i].need:
                    self.untouched.counts[seat][i] = <uint8_t>(self.row_cap[i] + 1)

    cdef void take_rows(self, const YakuTable* table, int count) noexcept:
        """Keep the first rows of a table: those that came later are no features."""
        cdef int month, some
        self.encoded = table[0]
        self.encoded.count = count
        for month in range(MONTHS):
            for some in range(16):
                self.encoded.with_cards[month][some] &= (<uint32_t>1 << count) - 1

    def list_features(self, list names, info):
        """Names the features in order, and keeps where each group begins."""
        seats = range(info.seats[1])
        cdef int seat, number
        self.cards_at[<int>GROUP_HAND] = group(names, [f"hand.{name}" for name in CARD_NAMES])
        self.cards_at[<int>GROUP_FIELD] = group(
            names, [f"{'discards' if self.discards else 'field'}.{name}" for name in CARD_NAMES]
        )
        self.cards_at[<int>GROUP_TURNED] = group(
            names, [f"{'discard' if self.discards else 'turned'}.{name}" for name in CARD_NAMES]
        )
        for seat in seats[1:]:
            self.cards_at[<int>GROUP_SHOWN + seat] = group(names, [f"shown+{seat}.{name}" for name in CARD_NAMES])
        self.months_at = group(
            names, [f"month.{month + 1}.hand{h}.field{f}.unseen{u}" for month in range(MONTHS) for h, f, u in _SPLITS]
        )
        if self.discards:
            self.list_hands(names, seats)
        else:
            for seat in seats:
                self.cards_at[<int>GROUP_PILE + seat] = group(names, [f"pile+{seat}.{name}" for name in CARD_NAMES])
            for seat in seats:
                for number, row in enumerate(info.yaku[: self.encoded.count]):
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
        cdef Standing standing = self.untouched
        cdef Changes changes
        cdef Seen seen
        cdef int rows = 0 if self.discards else self.yaku.count
        cdef int n = 0
        cdef int step
        memset(&seen, 0, sizeof(Seen))
        self.look(deal, seat, &standing, &seen, &changes)
        n = put_cards(active, n, self.cards_at[<int>GROUP_HAND], seen.cards[<int>GROUP_HAND])
        n = put_cards(active, n, self.cards_at[<int>GROUP_FIELD], seen.cards[<int>GROUP_FIELD])
        for step in range(1, deal.seats):
            n = put_cards(active, n, self.cards_at[GROUP_SHOWN + step], seen.cards[GROUP_SHOWN + step])
        n = put_cards(active, n, self.cards_at[<int>GROUP_TURNED], seen.cards[<int>GROUP_TURNED])
        for step in range(deal.seats if rows else 0):
            n = put_cards(active, n, self.cards_at[GROUP_PILE + step], seen.cards[GROUP_PILE + step])
            n = put_slots(active, n, &seen, rows * step, rows * (step + 1))
        return put_slots(active, n, &seen, rows * deal.seats, seen.slot_count)

    cdef void look(self, const Deal* deal, int seat, Standing* standing, Seen* seen, Changes* changes) noexcept nogil:
        cdef uint64_t known = deal.hand[seat] | deal.field
        cdef uint64_t in_hand = month_counts(deal.hand[seat])
        cdef uint64_t on_field = month_counts(deal.field)
        cdef uint64_t turned = 0
        cdef uint64_t hidden, changed
        cdef int step, base, slot
        cdef int other = seat
        cdef Counts counts
        counts.came = counts.gone = 0
        see_cards(seen, GROUP_HAND, self.cards_at[<int>GROUP_HAND], deal.hand[seat], changes, &counts)
        see_cards(seen, GROUP_FIELD, self.cards_at[<int>GROUP_FIELD], deal.field, changes, &counts)
        for step in range(1, deal.seats):
            other = other + 1 if other + 1 < deal.seats else 0
            hidden = deal.shown[other] & deal.hand[other]
            see_cards(seen, GROUP_SHOWN + step, self.cards_at[GROUP_SHOWN + step], hidden, changes, &counts)
            known |= hidden | deal.pile[other]
        known |= deal.pile[seat]
        if deal.turned != NO_CARD:
            turned = bit(deal.turned)
            known |= turned
        if self.discards and deal.field and (deal.phase == PHASE_DRAW or deal.phase == PHASE_CLAIM):
            turned |= bit(last_discard(deal))
        see_cards(seen, GROUP_TURNED, self.cards_at[<int>GROUP_TURNED], turned, changes, &counts)
        hidden = self.deck & ~known
        if self.discards:
            slot = see_hands(self, deal, seat, hidden, seen, changes, &counts)
        else:
            self.advance(deal, standing)
            slot = see_piles(self, deal, seat, standing, seen, changes, &counts)
        hidden = month_counts(hidden)
        changed = seen.in_hand ^ in_hand | seen.on_field ^ on_field | seen.unseen ^ hidden
        changed |= changed >> 1
        changed |= changed >> 2
        changed = changed & LANES if seen.slot_count else LANES
        seen.in_hand = in_hand
        seen.on_field = on_field
        seen.unseen = hidden
        while changed:
            base = lowest(changed)
            changed &= changed - 1
            put(
                seen,
                slot + (base >> 2),
                self.months_at + SPLITS * (base >> 2) + splits[in_hand >> base & 15][on_field >> base & 15][hidden >> base & 15],
                changes,
                &counts,
            )
        slot = see_counters(self, deal, seat, slot + MONTHS, seen, changes, &counts)
        seen.slot_count = see_rest(self, deal, seat, slot, seen, changes, &counts)
        changes.came_count = counts.came
        changes.gone_count = counts.gone

    cdef void advance(self, const Deal* deal, Standing* standing) noexcept nogil:
        """Count again where a card has come or gone."""
        cdef const YakuRow* row
        cdef uint64_t others
        cdef uint64_t moved = 0
        cdef uint64_t every = 0
        cdef uint32_t touched
        cdef int seat, i
        for seat in range(deal.seats):
            moved |= deal.pile[seat] ^ standing.pile[seat]
            every |= deal.pile[seat]
            standing.pile[seat] = deal.pile[seat]
        touched = rows_touched(self.yaku, moved)
        while touched:
            i = lowest(touched)
            touched &= touched - 1
            row = &self.yaku.rows[i]
            for seat in range(deal.seats):
                others = every & ~deal.pile[seat]
                if row.must & others or popcount(row.cards & ~others) < row.need:
                    standing.counts[seat][i] = <uint8_t>(self.row_cap[i] + 1)
                else:
                    standing.counts[seat][i] = <uint8_t>min(popcount(deal.pile[seat] & row.cards), self.row_cap[i])


cdef int see_piles(
    Encoding self, const Deal* deal, int seat, const Standing* standing, Seen* seen, Changes* changes, Counts* counts
) noexcept nogil:
    """Piles, and how far each has come with each yaku."""
    cdef uint64_t moved = 0
    cdef uint32_t touched
    cdef int rows = self.yaku.count
    cdef int other = seat
    cdef int step, i
    for step in range(deal.seats):
        moved |= seen.cards[GROUP_PILE + step] ^ deal.pile[other]
        see_cards(seen, GROUP_PILE + step, self.cards_at[GROUP_PILE + step], deal.pile[other], changes, counts)
        other = other + 1 if other + 1 < deal.seats else 0
    touched = rows_touched(self.yaku, moved) if seen.slot_count else ~<uint32_t>0 >> (32 - rows)
    while touched:
        i = lowest(touched)
        touched &= touched - 1
        for step in range(deal.seats):
            put(
                seen,
                rows * step + i,
                self.rows_at[step][i] + standing.counts[other][i] - 1 if standing.counts[other][i] else 0,
                changes,
                counts,
            )
            other = other + 1 if other + 1 < deal.seats else 0
    return rows * deal.seats


cdef int see_hands(
    Encoding self, const Deal* deal, int seat, uint64_t unseen, Seen* seen, Changes* changes, Counts* counts
) noexcept nogil:
    """Kinds in the hand, shown by others and unseen, and what each hand of the table still lacks."""
    cdef int held[4]
    cdef int left[4]
    cdef int kind, three, five, other, step, count, lacks_three, lacks_five
    cdef int slot = 0
    for kind in range(4):
        held[kind] = popcount(deal.hand[seat] & cards_of(kind))
        left[kind] = popcount(unseen & cards_of(kind))
        put(seen, slot, self.kinds_at + (MOST_HELD + 1) * kind + min(held[kind], <int>MOST_HELD), changes, counts)
        put(seen, slot + 1, self.unseen_at + (MOST_UNSEEN + 1) * kind + min(left[kind], <int>MOST_UNSEEN), changes, counts)
        slot += 2
    other = seat
    for step in range(1, deal.seats):
        other = other + 1 if other + 1 < deal.seats else 0
        for kind in range(4):
            count = popcount(deal.shown[other] & deal.hand[other] & cards_of(kind))
            if count:
                count = self.shown_kinds_at[step] + (MOST_SHOWN + 1) * kind + min(count, <int>MOST_SHOWN)
            put(seen, slot, count, changes, counts)
            slot += 1
    for three in range(4):
        for five in range(4):
            if three == five:
                continue
            lacks_three = max(0, 3 - held[three])
            lacks_five = max(0, 5 - held[five])
            count = lacks_three + lacks_five
            if lacks_three > left[three] or lacks_five > left[five]:
                count = MISSING - 1
            put(seen, slot, self.hands_at + MISSING * (4 * three + five) + count, changes, counts)
            slot += 1
    put(seen, slot, self.pairs_at + min(<int>MOST_PAIRS, pairs(deal.hand[seat] & CHAFF_MASK)), changes, counts)
    return slot + 1


cdef int see_counters(
    Encoding self, const Deal* deal, int seat, int slot, Seen* seen, Changes* changes, Counts* counts
) noexcept nogil:
    cdef CounterRow counters[MAX_COUNTERS]
    cdef const CounterRow* row
    cdef int i, place, reached, at
    cdef int count = <int>(self.rules._counters(deal, counters) - counters)
    for i in range(count):
        row = &counters[i]
        if row.value == seen.counters[i]:       # both 0 at first, which reaches no threshold
            continue
        seen.counters[i] = row.value
        place = MAX_SEATS if row.seat < 0 else row.seat - seat if row.seat >= seat else row.seat - seat + deal.seats
        at = self.counter_at[row.name][place]
        if at < 0:
            continue
        reached = 0
        while reached < self.threshold_count[row.name] and row.value >= self.thresholds[row.name][reached]:
            reached += 1
        put(seen, slot + i, at + reached - 1 if reached else 0, changes, counts)
    return slot + count


cdef int see_rest(
    Encoding self, const Deal* deal, int seat, int slot, Seen* seen, Changes* changes, Counts* counts
) noexcept nogil:
    """The lead, the phase, the cards in the hand, dealer, seats and the months that are left."""
    cdef int64_t lead = deal.balance[seat] - best_other(deal, seat)
    cdef int sign = LEADS // 2 + 1 if lead < 0 else 0
    cdef int step = 0
    cdef uint8_t phase = deal.phase
    cdef int8_t asked
    if deal.asked != seat:
        self.rules._public_phase(deal, &phase, &asked)
    if lead < 0:
        lead = -lead
    while step < 9 and lead >= leads[step]:
        step += 1
    put(seen, slot, self.lead_at + sign + step, changes, counts)
    put(seen, slot + 1, self.phase_at + phase, changes, counts)
    put(seen, slot + 2, self.held_at + popcount(deal.hand[seat]), changes, counts)
    step = deal.dealer - seat
    put(seen, slot + 3, self.dealer_at + (step if step >= 0 else step + deal.seats), changes, counts)
    put(seen, slot + 4, self.seats_at + deal.seats, changes, counts)
    put(seen, slot + 5, self.left_at + max(0, min(<int>MONTHS - 1, self.months - deal.month)), changes, counts)
    return slot + 6


cdef int group(list names, added):
    """Adds a group of features; returns the number of its first."""
    cdef int start = len(names)
    names.extend(added)
    return start


cdef inline void put(Seen* seen, int slot, int feature, Changes* changes, Counts* counts) noexcept nogil:
    """What a slot holds now. Which slots have changed is hard to foretell: without a branch."""
    cdef int before = seen.slots[slot]
    seen.slots[slot] = <uint16_t>feature
    changes.came[counts.came] = <uint16_t>feature
    changes.gone[counts.gone] = <uint16_t>before
    counts.came += (feature != before) & (feature != 0)
    counts.gone += (feature != before) & (before != 0)


cdef inline void see_cards(
    Seen* seen, int group, int at, uint64_t cards, Changes* changes, Counts* counts
) noexcept nogil:
    counts.came = put_cards(changes.came, counts.came, at, cards & ~seen.cards[group])
    counts.gone = put_cards(changes.gone, counts.gone, at, seen.cards[group] & ~cards)
    seen.cards[group] = cards


cdef inline int put_cards(uint16_t* active, int n, int at, uint64_t cards) noexcept nogil:
    while cards:
        active[n] = <uint16_t>(at + lowest(cards))
        n += 1
        cards &= cards - 1
    return n


cdef inline int put_slots(uint16_t* active, int n, const Seen* seen, int start, int end) noexcept nogil:
    cdef int slot
    for slot in range(start, end):
        if seen.slots[slot]:
            active[n] = seen.slots[slot]
            n += 1
    return n


cdef inline int64_t best_other(const Deal* deal, int seat) noexcept nogil:
    cdef int64_t best = deal.balance[0 if seat else 1]
    cdef int other
    for other in range(deal.seats):
        if other != seat:
            best = max(best, deal.balance[other])
    return best
