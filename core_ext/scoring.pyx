# cython: language_level=3, boundscheck=False, wraparound=False
"""Yaku: rows of data, compiled to masks; what a pile is worth and what a turn made."""
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from core_ext.cards cimport ANIMALS_MASK, CHAFF_MASK, LIGHTS_MASK, RIBBONS_MASK, lowest, popcount

from core_ext.cards import cards_mask


cdef int pile_values(const YakuTable* table, uint64_t pile, int32_t* values) noexcept nogil:
    """Write what each row pays (0 when it does not count) and return the sum."""
    memset(values, 0, table.count * sizeof(int32_t))
    return values_within(table, pile, values)


cdef int pile_worth(const YakuTable* table, uint64_t pile) noexcept nogil:
    """The sum alone."""
    cdef int32_t values[MAX_YAKU]
    return values_within(table, pile, values)


cdef inline int values_within(const YakuTable* table, uint64_t pile, int32_t* values) noexcept nogil:
    """Write what each row pays that the pile may hold, and return the sum."""
    cdef int dearest[MAX_GROUPS + 1]
    cdef uint32_t left = rows_within(table, pile)
    cdef uint32_t held = 0
    cdef uint32_t beaten = 0
    cdef int total = 0
    cdef int i, group, rival
    while left:
        i = lowest(left)
        left &= left - 1
        values[i] = row_value(&table.rows[i], pile)
        held |= <uint32_t>(values[i] != 0) << i
        beaten |= table.rows[i].beats & -<uint32_t>(values[i] != 0)
    if not held:
        return 0
    if not held & (held - 1):
        return values[lowest(held)]
    for group in range(MAX_GROUPS + 1):
        dearest[group] = -1
    while held:
        i = lowest(held)
        held &= held - 1
        group = table.rows[i].group
        rival = dearest[group]
        if beaten >> i & 1 or (group and rival >= 0 and values[rival] >= values[i]):
            values[i] = 0
            continue
        if group and rival >= 0:
            total -= values[rival]
            values[rival] = 0
        dearest[group] = i
        total += values[i]
    return total


cdef uint32_t rows_grown(const YakuTable* table, uint64_t before, uint64_t gained) noexcept nogil:
    """The rows, as bits, that count now and did not before the pile gained these cards, or whose value grew."""
    cdef int32_t old[MAX_YAKU]
    cdef int32_t new[MAX_YAKU]
    cdef uint32_t made = 0
    cdef int i
    pile_values(table, before, old)
    pile_values(table, before | gained, new)
    for i in range(table.count):
        if new[i] > old[i]:
            made |= <uint32_t>1 << i
    return made


cdef int compile_yaku(YakuTable* table, rows) except -1:
    """Fill the table from ``Yaku`` rows; a row of 0 points is off."""
    groups = [""]
    ids = [row.id for row in rows]
    on = [row for row in rows if row.points]
    if len(ids) > MAX_YAKU:
        raise ValueError(f"{len(ids)} yaku are more than {MAX_YAKU}")
    memset(table, 0, sizeof(YakuTable))
    table.count = len(ids)
    for i, row in enumerate(rows):
        if row.group not in groups:
            groups.append(row.group)
        if len(groups) > MAX_GROUPS + 1:
            raise ValueError("too many groups of yaku")
        table.rows[i].cards = cards_mask(row.cards)
        table.rows[i].must = cards_mask(row.must)
        table.rows[i].beats = cards_mask(ids.index(other) for other in row.beats)
        table.rows[i].need = row.need if row.points else NEVER
        table.rows[i].points = row.points
        table.rows[i].per_extra = row.per_extra
        table.rows[i].group = groups.index(row.group)
        if not (row.group or {other.id for other in on if row.id in other.beats or other.id in row.beats}):
            table.alone |= <uint32_t>1 << <int>i
        if row.points:
            for month in range(12):
                for some in range(16):
                    if table.rows[i].cards >> 4 * <int>month & <uint64_t>some:
                        table.with_cards[<int>month][<int>some] |= <uint32_t>1 << <int>i
            for kind, mask in enumerate((LIGHTS_MASK, ANIMALS_MASK, RIBBONS_MASK, CHAFF_MASK)):
                others = popcount(table.rows[i].cards & ~<uint64_t>mask)
                for count in range(max(0, row.need - others), MOST_OF_A_KIND + 1):
                    table.within[<int>kind][<int>count] |= <uint32_t>1 << <int>i
    return 0
