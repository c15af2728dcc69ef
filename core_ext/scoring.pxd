from libc.stdint cimport int32_t, uint32_t, uint64_t

from core_ext.cards cimport ANIMALS_MASK, CHAFF_MASK, LIGHTS_MASK, RIBBONS_MASK, leading_zeros, lowest, month_base, popcount

cdef enum:
    MAX_YAKU = 32
    MAX_GROUPS = 4
    MOST_OF_A_KIND = 24
    NEVER = 64          # a need that no pile meets: the row is switched off

cdef struct YakuRow:
    uint64_t cards
    uint64_t must
    uint32_t beats      # rows that do not count beside this one
    int32_t need
    int32_t points
    int32_t per_extra
    int32_t group       # 0: none

cdef struct YakuTable:
    YakuRow rows[MAX_YAKU]
    uint32_t with_cards[12][16]     # by month and by its cards, as bits: the rows, as bits, that one of them is in
    # The rows, as bits, that a pile can hold by how many lights, animals, ribbons and chaff it has.
    uint32_t within[4][<int>MOST_OF_A_KIND + 1]
    uint32_t alone      # the rows, as bits, that count whatever other rows do, and leave those as they are
    int count


cdef inline int row_value(const YakuRow* row, uint64_t pile) noexcept nogil:
    """What the row would pay if it counted; 0 when the pile does not hold it. Without a branch: none could be foreseen."""
    cdef int extra = popcount(pile & row.cards) - row.need
    cdef int holds = <int>(extra >= 0) & <int>((pile & row.must) == row.must)
    return -holds & (row.points + extra * row.per_extra)


cdef inline uint32_t rows_with(const YakuTable* table, int card) noexcept nogil:
    """The rows, as bits, that the card is in."""
    return table.with_cards[card >> 2][1 << (card & 3)]


cdef inline uint32_t rows_touched(const YakuTable* table, uint64_t cards) noexcept nogil:
    """The rows, as bits, that one of the cards is in. Of two months, as most often, without a branch."""
    cdef uint32_t touched = 0
    cdef int first, last
    while cards:
        first = month_base(lowest(cards))
        last = month_base(63 - leading_zeros(cards))
        touched |= table.with_cards[first >> 2][cards >> first & 15] | table.with_cards[last >> 2][cards >> last & 15]
        cards &= ~(<uint64_t>15 << first | <uint64_t>15 << last)
    return touched


cdef inline uint32_t rows_within(const YakuTable* table, uint64_t pile) noexcept nogil:
    """Rows, as bits, that the pile may hold: all that it holds are among them, and mostly no others."""
    return (
        table.within[0][popcount(pile & LIGHTS_MASK)] & table.within[1][popcount(pile & ANIMALS_MASK)]
        & table.within[2][popcount(pile & RIBBONS_MASK)] & table.within[3][popcount(pile & CHAFF_MASK)]
    )


cdef int pile_values(const YakuTable* table, uint64_t pile, int32_t* values) noexcept nogil
cdef int pile_worth(const YakuTable* table, uint64_t pile) noexcept nogil
cdef uint32_t rows_grown(const YakuTable* table, uint64_t before, uint64_t gained) noexcept nogil
cdef int compile_yaku(YakuTable* table, rows) except -1


cdef inline uint32_t yaku_made(const YakuTable* table, uint64_t before, uint64_t gained) noexcept nogil:
    """The rows, as bits, that count now and did not before the pile gained these cards, or whose value grew.

    A pile only grows, so a row that is made has gained a card of its own; for most turns that decides it.
    """
    cdef uint64_t pile = before | gained
    cdef uint32_t touched = rows_touched(table, gained) & rows_within(table, pile)
    cdef uint32_t held = 0
    cdef uint32_t made = 0
    cdef int i, value
    while touched:
        i = lowest(touched)
        touched &= touched - 1
        value = row_value(&table.rows[i], pile)
        held |= <uint32_t>(value != 0) << i
        made |= <uint32_t>(value > row_value(&table.rows[i], before)) << i
    return rows_grown(table, before, gained) if held & ~table.alone else made
