# cython: language_level=3, boundscheck=False, wraparound=False
"""Yaku: rows of data, compiled to masks; what a pile is worth and what a turn made."""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from core_ext.cards import cards_mask


cdef int pile_values(const YakuTable* table, uint64_t pile, int32_t* values) noexcept nogil:
    """Writes what each row pays (0 when it does not count) and returns the sum."""
    cdef int dearest[MAX_GROUPS]
    cdef uint32_t beaten = 0
    cdef int total = 0
    cdef int i, group, rival
    for group in range(MAX_GROUPS):
        dearest[group] = -1
    for i in range(table.count):
        values[i] = row_value(&table.rows[i], pile)
        if values[i]:
            beaten |= table.rows[i].beats
    for i in range(table.count):
        if beaten >> i & 1:
            values[i] = 0
        group = table.rows[i].group
        if group and values[i]:
            rival = dearest[group]
            if rival < 0:
                dearest[group] = i
            elif values[i] > values[rival]:
                values[rival] = 0
                dearest[group] = i
            else:
                values[i] = 0
    for i in range(table.count):
        total += values[i]
    return total


cdef uint32_t yaku_made(const YakuTable* table, uint64_t before, uint64_t gained) noexcept nogil:
    """The rows, as bits, that count now and did not before the pile gained these cards, or whose value grew.

    A pile only grows, so a row that is made has gained a card of its own; most turns are told by that alone.
    """
    cdef int32_t old[MAX_YAKU]
    cdef int32_t new[MAX_YAKU]
    cdef uint32_t made = 0
    cdef const YakuRow* row
    cdef int i
    for i in range(table.count):
        row = &table.rows[i]
        if row.cards & gained and row_value(row, before | gained):
            break
    else:
        return 0
    pile_values(table, before, old)
    pile_values(table, before | gained, new)
    for i in range(table.count):
        if new[i] > old[i]:
            made |= <uint32_t>1 << i
    return made


cdef int compile_yaku(YakuTable* table, rows) except -1:
    """Fills the table from ``Yaku`` rows; a row of 0 points is off."""
    groups = [""]
    ids = [row.id for row in rows]
    if len(ids) > MAX_YAKU:
        raise ValueError(f"{len(ids)} yaku are more than {MAX_YAKU}")
    table.count = len(ids)
    for i, row in enumerate(rows):
        if row.group not in groups:
            groups.append(row.group)
        if len(groups) > MAX_GROUPS:
            raise ValueError("too many groups of yaku")
        table.rows[i].cards = cards_mask(row.cards)
        table.rows[i].must = cards_mask(row.must)
        table.rows[i].beats = cards_mask(ids.index(other) for other in row.beats)
        table.rows[i].need = row.need if row.points else NEVER
        table.rows[i].points = row.points
        table.rows[i].per_extra = row.per_extra
        table.rows[i].group = groups.index(row.group)
    return 0
