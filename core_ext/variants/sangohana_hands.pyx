# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What hands of sangohana are worth."""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from core_ext.cards import cards_mask, parse_cards
from core_ext.variants.sangohana_table import KINDS, YAKU

assert [LIGHTS_MASK, ANIMALS_MASK, RIBBONS_MASK, CHAFF_MASK] == [cards_mask(kind) for kind in KINDS]

cdef uint64_t POEMS = cards_mask(parse_cards("1R 2R 3R"))
cdef uint64_t BLUES = cards_mask(parse_cards("6R 9R 10R"))
cdef uint64_t KIRI = cards_mask(parse_cards("12x 12y 12z"))
cdef uint64_t WILLOW = cards_mask(parse_cards("11x"))


cdef int compile_hands(HandRules* rules, options) except -1:
    """The rules for hands under these options."""
    memset(rules, 0, sizeof(HandRules))
    for number, row in enumerate(YAKU):
        rules.points[<int>number] = row.points
        for three in row.threes:
            rules.rows[<int>KINDS.index(three)][<int>KINDS.index(row.cards)] = number
    rules.strict_pairs = options["strict_pairs"]
    rules.strict_kiri_times = options["strict_kiri_times"]
    rules.strict_three = options["strict_three"]
    return 0


cdef Hand read_hand(const HandRules* rules, uint64_t cards) noexcept nogil:
    """Row, points and times of eight cards that are a hand."""
    cdef Hand hand
    cdef int three = LIGHT
    cdef int five = LIGHT
    cdef int kind, count
    for kind in range(<int>KIND_COUNT):
        count = popcount(cards & cards_of(kind))
        if count == 3:
            three = kind
        elif count == 5:
            five = kind
    hand.row = rules.rows[three][five]
    hand.points = rules.points[hand.row]
    hand.times_five = times_of_five(rules, cards & CHAFF_MASK) if five == CHAFF else 1
    hand.times_three = times_of_three(cards & cards_of(three))
    return hand


cdef int times_of_five(const HandRules* rules, uint64_t chaff) noexcept nogil:
    cdef bint two_pairs = pairs(chaff) == 2
    cdef bint has_kiri = chaff & KIRI == KIRI
    if rules.strict_pairs:
        return rules.strict_kiri_times if has_kiri else 2 if chaff & WILLOW else 1
    if two_pairs and has_kiri:
        return 4
    if has_kiri or (two_pairs and chaff & WILLOW):
        return 3
    return 2 if two_pairs else 1


cdef int times_of_three(uint64_t three) noexcept nogil:
    return 3 if three == KIRI else 2 if three == POEMS or three == BLUES else 1


cdef int title_of(const Hand* hand, uint64_t cards) noexcept nogil:
    """The number in TITLES of a hand of five lights that has a name of its own with the times of its three, else -1."""
    if hand.times_three == 1 or cards & LIGHTS_MASK != LIGHTS_MASK:
        return -1
    return 0 if cards & POEMS else 1 if cards & BLUES else 2
