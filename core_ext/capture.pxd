# Landing a card on the field: what can be taken with it, and how an action says so.
#
# A way to play ("how") is 0 when the card meets nothing, 1 + k when it takes card k of its month, and 1 + its own k
# when it takes all three others.
from libc.stdint cimport uint16_t, uint64_t

from core_ext.cards cimport LANES, bit, lowest, month_base, month_counts, month_nibble, popcount
from core_ext.notation cimport ACTION_PLAY, ACTION_TURNED
from core_ext.rng cimport choose

cdef extern from *:
    """
    /* By the nibble of the month on the field: the first and the second way (0: there is none). */
    static const unsigned char hanafuda_first_how[16] = {0, 1, 2, 1, 3, 1, 2, 4, 4, 1, 2, 3, 3, 2, 1, 0};
    static const unsigned char hanafuda_second_how[16] = {0, 0, 0, 2, 0, 3, 3, 0, 0, 4, 4, 0, 4, 0, 0, 0};
    /* What is taken in these ways, as cards of the month. */
    static const unsigned char hanafuda_taken[2][16] = {
        {0, 1, 2, 1, 4, 1, 2, 7, 8, 1, 2, 11, 4, 13, 14, 0}, {0, 0, 0, 2, 0, 4, 4, 0, 0, 8, 8, 0, 8, 0, 0, 0}};
    /* By the nibble of a month: its first, second, third and fourth card. */
    static const unsigned char hanafuda_card_of_month[16][4] = {
        {0}, {0}, {1}, {0, 1}, {2}, {0, 2}, {1, 2}, {0, 1, 2}, {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3},
        {0, 1, 2, 3}};
    #define HANAFUDA_EVERY_BYTE 0x010101010101ULL
    """
    const unsigned char first_how "hanafuda_first_how"[16]
    const unsigned char second_how "hanafuda_second_how"[16]
    const unsigned char taken_by_way "hanafuda_taken"[2][16]
    const unsigned char card_of_month "hanafuda_card_of_month"[16][4]
    const uint64_t EVERY_BYTE "HANAFUDA_EVERY_BYTE"     # one, in each of the six bytes of a deck


cdef inline int play_actions(uint64_t hand, uint64_t field, uint16_t* out) noexcept nogil:
    """Writes every hand card with every way to play it, as ascending codes; returns how many."""
    cdef int n = 0
    cdef int card
    cdef int on_field
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        on_field = month_nibble(field, card)
        out[n] = <uint16_t>(ACTION_PLAY + 5 * card + first_how[on_field])
        # Which cards have two ways is hard to foretell: the second is written in any case, and counted if there is one.
        out[n + 1] = <uint16_t>(ACTION_PLAY + 5 * card + second_how[on_field])
        n += 1 + (second_how[on_field] != 0)
    return n


cdef inline int play_drawn(uint64_t hand, uint64_t field, uint64_t* rng, uint64_t* taken) noexcept nogil:
    """One of the `play_actions`, drawn by one number as from their list, but without it: a card, and what it takes.

    Without a branch, as none could be foreseen: the number is looked for among the bytes of the hand, two months each,
    then among the months, and then among the cards of one.
    """
    cdef uint64_t counts = month_counts(hand)
    cdef uint64_t pairs = month_counts(field)
    cdef uint64_t doubled = (pairs >> 1) & ~pairs & LANES               # months whose cards have two ways
    cdef uint64_t ways = counts + (counts & doubled * 15)
    cdef uint64_t lower = ways & EVERY_BYTE * 15
    cdef uint64_t until = (lower + (ways >> 4 & EVERY_BYTE * 15)) * EVERY_BYTE  # ways of each byte and those before it
    cdef int left = choose(rng, popcount(hand) + popcount(hand & doubled * 15))
    # A byte's highest bit is set where it ends beyond what is looked for.
    cdef uint64_t beyond = (until + EVERY_BYTE * (127 - <uint64_t>left)) & EVERY_BYTE * 128
    cdef int base = lowest(beyond) & ~7
    cdef int upper, both
    left -= <int>((until << 8) >> base & 255)
    upper = left >= <int>(lower >> base & 15)
    left -= <int>(lower >> base & 15) & -upper
    base += 4 * upper
    both = <int>(doubled >> base & 1)
    field = field >> base & 15
    taken[0] = <uint64_t>taken_by_way[left & both][field] << base
    return base + card_of_month[hand >> base & 15][left >> both]


cdef inline uint64_t caught(int card, int how) noexcept nogil:
    """The field cards that a card played this way takes."""
    if how == 0:
        return 0
    if how - 1 == (card & 3):
        return (<uint64_t>15 << month_base(card)) ^ bit(card)
    return bit(month_base(card) + how - 1)


cdef inline int how_to_take(int card, uint64_t taken) noexcept nogil:
    """The way in which a card takes these field cards of its month: the other way round."""
    if not taken:
        return 0
    return 1 + (card & 3) if popcount(taken) == 3 else 1 + (lowest(taken) & 3)


cdef inline bint is_choice(int on_field) noexcept nogil:
    """Whether a card that meets these cards of its month leaves a choice: there are two of them."""
    return second_how[on_field] != 0


cdef inline int turned_actions(int card, uint64_t field, uint16_t* out) noexcept nogil:
    """Writes the two field cards that a turned card can take, as ascending codes; returns how many."""
    cdef int base = ACTION_TURNED + month_base(card) - 1
    cdef int on_field = month_nibble(field, card)
    out[0] = <uint16_t>(base + first_how[on_field])
    out[1] = <uint16_t>(base + second_how[on_field])
    return 2


cdef inline uint64_t turned_drawn(int card, uint64_t field, uint64_t* rng) noexcept nogil:
    """The card that one of the `turned_actions` takes, drawn by one number."""
    return <uint64_t>taken_by_way[choose(rng, 2)][month_nibble(field, card)] << month_base(card)
