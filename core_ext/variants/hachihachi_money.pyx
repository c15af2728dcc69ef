# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Hachihachi's money: payments, card points, fields, the year's end."""
from libc.stdint cimport int64_t, uint8_t, uint64_t

from core_ext.cards import cards_mask, parse_cards
from core_ext.shuffle import parse_seed
from core_ext.variants.hachihachi_table import KAN, MENUS, MONTHS, PAR as PAR_IN_TABLE, RETURN

from core_ext.cards cimport ANIMALS_MASK, LIGHTS_MASK, RIBBONS_MASK, bit, popcount
from core_ext.shuffle cimport shuffle

assert (KAN, PAR_IN_TABLE) == (POINTS_TO_KAN, PAR)

cdef int64_t returned = RETURN
cdef int months_a_year = MONTHS
cdef uint64_t zetsu_lights = cards_mask(parse_cards("11L 12L"))
cdef uint64_t dai_lights = cards_mask(parse_cards("1L 3L 8L"))


cdef int compile_rates(Rate* rates, menu) except -1:
    """What a menu makes of each field."""
    for field, (twice, added) in enumerate(zip(*MENUS[menu])):
        rates[<int>field].twice = twice
        rates[<int>field].added = added
    return 0


cdef void pay(int64_t* scores, int to, int64_t points, int alone) noexcept nogil:
    """Every other seat pays ``points`` to a seat; or one of them for both (hachihachi R1)."""
    cdef int seat
    for seat in range(3):
        if seat != to:
            scores[seat if alone == EVERYBODY else alone] -= points
            scores[to] += points


cdef int field_of(uint64_t field, int bind, int* carried) noexcept nogil:
    """The kind of a dealt field under the bind carried into the month, and the bind carried out of it."""
    cdef int zetsu = popcount(field & zetsu_lights)
    cdef int dai = popcount(field & dai_lights)
    carried[0] = FIELD_SHO
    if zetsu or bind == FIELD_ZETSU:
        if zetsu == 2:
            carried[0] = FIELD_ZETSU
        return FIELD_ZETSU
    if dai >= 2:
        carried[0] = FIELD_DAI
    return FIELD_DAI if dai or bind == FIELD_DAI else FIELD_SHO


cdef int card_points(uint64_t pile) noexcept nogil:
    """Light 20, animal 10, ribbon 5, chaff 1."""
    return (
        popcount(pile)
        + 19 * popcount(pile & LIGHTS_MASK)
        + 9 * popcount(pile & ANIMALS_MASK)
        + 4 * popcount(pile & RIBBONS_MASK)
    )


cdef void difference_scores(const Rate* rate, const int* points, int64_t* scores) noexcept nogil:
    """Adds what card points pay: the differences from 88 times the multiplier, made even first where that is 1.5."""
    cdef int differences[3]
    cdef int moved = 0
    cdef int even = 0
    cdef int seat
    for seat in range(3):
        differences[seat] = points[seat] - PAR
        if not differences[seat] & 1:
            even = seat
    if rate.twice & 1:
        for seat in range(3):
            if differences[seat] & 1:
                differences[seat] += -1 if differences[seat] > 0 else 1
            moved += differences[seat]
        differences[even] -= moved
    for seat in range(3):
        scores[seat] += differences[seat] * rate.twice // 2


cdef void year_results(const int64_t* balances, int pot, int dealer, int shiso, int64_t* results) noexcept nogil:
    """The year in kan; ``dealer`` is the last month's, ``shiso`` the seat whose 四三 ended the year, or -1."""
    cdef int top = shiso
    cdef int lowest = shiso
    cdef int takers = 1
    cdef int seat, step
    cdef int64_t balance
    if shiso < 0:
        top = lowest = dealer
        for step in range(1, 3):
            seat = (dealer + step) % 3
            if balances[seat] > balances[top]:
                top = seat
            if balances[seat] < balances[lowest]:
                lowest = seat
                takers = 1
            elif balances[seat] == balances[lowest]:
                takers += 1
        if takers == 3:
            results[0] = results[1] = results[2] = 0
            return
    results[top] = 0
    for seat in range(3):
        if seat == top:
            continue
        balance = balances[seat]
        if balance == balances[lowest] and shiso < 0:
            balance += pot // takers
        results[seat] = (balance - returned) // POINTS_TO_KAN     # C cuts toward zero
        results[top] -= results[seat]


def kind_of_field(cards, int bind=FIELD_SHO):
    cdef int carried
    cdef int kind = field_of(cards_mask(cards), bind, &carried)
    return kind, carried


def deal_years(seed, int years):
    cdef int64_t months[3]
    cdef int64_t squares[3]
    cdef int64_t bound = 0
    cdef int of_year[3]
    cdef uint8_t deck[48]
    cdef uint64_t field
    cdef int year, month, bind, kind, i
    for kind in range(3):
        months[kind] = squares[kind] = 0
    for year in range(years):
        key = parse_seed(f"{seed}/{year}")
        bind = FIELD_SHO
        of_year[0] = of_year[1] = of_year[2] = 0
        for month in range(1, months_a_year + 1):
            shuffle(<const uint8_t*><char*>key, month, 0, 48, deck)
            field = 0
            for i in range(21, 27):
                field |= bit(deck[i])
            of_year[field_of(field, bind, &bind)] += 1
        for kind in range(3):
            months[kind] += of_year[kind]
            squares[kind] += of_year[kind] * of_year[kind]
        bound += bind != FIELD_SHO
    return tuple([months[kind] for kind in range(3)]), tuple([squares[kind] for kind in range(3)]), bound
