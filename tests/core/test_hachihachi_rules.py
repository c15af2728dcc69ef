"""Hachihachi in the engine: dealt hands, fields, binds, the year. Months move by move are in the reference's tests."""

import random
from dataclasses import replace
from itertools import count

import pytest
from hachihachi_scene import POEMS, POEMS_STOCK, dealt, engine_agrees, month_end, month_ends
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_cards import CARDS, CHAFF, RIBBONS
from reference_hachihachi_hands import dearest, declarations
from reference_hachihachi_money import KAN, START, card_points, difference_scores, field_kind, year_result
from reference_hachihachi_money import Rate as ReferenceRate

from core_ext import ALL, Observation, State, variant_info
from core_ext.cards import card_text, cards_text, parse_cards
from core_ext.shuffle import deck
from core_ext.variants.hachihachi_settlement import kind_of_field

SHISO = "1L 1R 1x 1y 2A 2R 2x"
OTHER_SHISO = "3L 3R 3x 3y 4A 4R 4x"


def begin(hands, field="", stock="", month=1, dealer=0, **options) -> State:
    return State.from_deck("hachihachi", options, " ".join(dealt(hands, field, stock)), dealer, month)


def do(state: State, actions: str) -> State:
    for text in actions.split():
        state.apply(state.parse_action(text))
    return state


def counter(state: State, name: str, seat: int = -1) -> int:
    return next(item.value for item in state.spectate().counters if (item.name, item.seat) == (name, seat))


def random_play(state: State, number: int) -> State:
    rng = random.Random(number)
    while not state.is_over:
        state.apply(rng.choice(state.legal_actions()))
    return state


# Dealt hands

RICH_IN_HANDS = [*CARDS, *3 * sorted(CHAFF, key=CARDS.index), *4 * sorted(RIBBONS, key=CARDS.index), *4 * CARDS[40:44]]


@settings(deadline=None, max_examples=600)
@given(st.permutations(RICH_IN_HANDS).map(lambda cards: list(dict.fromkeys(cards))[:7]), st.randoms())
def test_every_hand_can_be_declared_as_what_it_is_or_not_at_all_and_shows_what_it_must_r3_r9_r10(hand, rng):
    state = begin((" ".join(hand), "", ""))
    ways = declarations(hand)
    if state.current_player != 0 or state.legal_texts()[0] != "pass":
        assert not ways
        return
    assert state.legal_texts() == ["pass", *ways]
    chosen = rng.choice(list(ways))
    state.apply(state.parse_action(chosen))
    declared = ways[chosen]
    told = {event.name: event for event in state.events(ALL) if event.kind == "declare"}
    parts = [part for part in declared.reading if part]
    assert {name: event.values[0] for name, event in told.items() if event.seat == 0} == dict(declared.reading.rows)
    assert {card for part in parts for card in told[part].cards} == set(parse_cards(" ".join(declared.shown)))
    if not state.is_over:
        shown = [zone.cards for zone in state.spectate().zones if (zone.kind, zone.seat) == ("shown", 0)]
        assert [set(cards) for cards in shown] == [set(parse_cards(" ".join(declared.shown)))] * bool(declared.shown)
        assert counter(state, "declared", 0) == declared.reading.kan


@pytest.mark.parametrize(
    ("hand", "rows"),
    [
        pytest.param("1R 1x 1y 2A 3L 8L 9A", {"sanbon": 2}, id="sanbon"),
        pytest.param("4A 4R 4x 1L 2A 3L 9A", {"tatesanbon": 3}, id="tatesanbon"),
        pytest.param("12x 12y 12z 1L 2A 3L 9A", {"tatesanbon": 3}, id="three chaff of paulownia stand"),
        pytest.param("12L 12y 12z 1L 2A 3L 9A", {"sanbon": 2}, id="with the phoenix they do not"),
        pytest.param("1L 1R 2A 2R 3L 3R 9A", {"kuttsuki": 4}, id="kuttsuki"),
        pytest.param("1L 1R 1x 1y 2A 3L 9A", {"teshi": 6}, id="teshi"),
        pytest.param("1L 1R 1x 2A 2R 3L 3R", {"haneken": 7}, id="haneken"),
        pytest.param("1L 1R 1x 1y 2A 2R 9A", {"ichinishi": 9}, id="ichinishi"),
        pytest.param("1L 1R 1x 2A 2R 2x 9A", {"futasanbon": 8}, id="futasanbon"),
        pytest.param("1L 1R 1x 4A 4R 4x 9A", {"sanbon_tatesanbon": 9}, id="sanbon_tatesanbon"),
        pytest.param("5A 5R 5x 4A 4R 4x 9A", {"futatatesanbon": 10}, id="futatatesanbon"),
        pytest.param("1R 2R 3x 4x 5x 6x 7x", {"aka": 2}, id="aka"),
        pytest.param("1R 2R 3R 4R 5x 6x 7x", {"aka": 2}, id="aka of four ribbons"),
        pytest.param("1R 2x 3x 4x 5x 6x 7x", {"tanichi": 3}, id="tanichi"),
        pytest.param("2A 1x 3x 4x 5x 6x 7x", {"toichi": 3}, id="toichi"),
        pytest.param("1L 2x 3x 4x 5x 6x 7x", {"hikaichi": 4}, id="hikaichi"),
        pytest.param("1x 2x 3x 4x 5x 6x 7x", {"karasu": 4}, id="karasu"),
        pytest.param("5A 5R 5x 1x 2R 3x 6x", {"tatesanbon": 3}, id="a ribbon and an animal are no poverty"),
        pytest.param("5R 5x 5y 2R 10R 3x 6x", {"aka": 2, "tatesanbon": 3}, id="赤立三本, the text's"),
        pytest.param("12L 12x 12y 12z 11A 2x 1x", {"hikaichi": 4, "teshi": 6}, id="光一手四"),
    ],
)
def test_each_row_of_both_series_is_declared_and_paid_in_the_end(hand, rows):
    assert rows == dict(dearest(hand.split()).rows)
    state = begin((hand, "2y 4y 6A 7A 8A 10A 11R", ""), menu="E")
    state.apply(state.legal_actions()[-1])
    told = {event.name: event.values[0] for event in state.events(ALL) if event.kind == "declare" and event.seat == 0}
    assert told == rows
    while state.month == 1:
        state.apply(state.legal_actions()[0])
    paid = {event.name: event.values for event in state.events(ALL) if event.kind == "pay" and event.seat == 0}
    assert not any(event.name == "fukikeshi" for event in state.events(ALL))
    for name, kan in rows.items():
        assert paid[name] == (2 * KAN * kan, -KAN * kan, -KAN * kan)


def test_five_ribbons_leave_the_choice_which_four_stay_hidden():
    state = begin(("1R 2R 3R 4R 11R 5x 6x", "4A 5A 6A 7A 8A 11A 12L", "2A 5R 6R 7R 9R 9A 10A"))
    assert state.legal_texts() == ["pass", *(f"declare:aka:{ribbon}" for ribbon in ("1R", "2R", "3R", "4R", "11R"))]
    codes = [state.parse_action(text) for text in state.legal_texts()[1:]]
    assert codes == sorted(codes)
    do(state, "declare:aka:11R")
    assert [zone.cards for zone in state.spectate().zones if zone.kind == "shown"] == [tuple(parse_cards("5x 6x 11R"))]


@pytest.mark.parametrize(
    ("hand", "ways"),
    [
        pytest.param("11L 11A 11x 1x 2x 3x 4x", "number toichi hikaichi karasu", id="several readings"),
        pytest.param("11A 11R 11x 1R 2R 3x 4x", "number aka", id="one reading"),
        pytest.param("11A 11R 11x 1R 2R 3R 4R", "number aka:1R aka:2R aka:3R aka:4R aka:11R", id="five ribbons"),
        pytest.param("11L 1x 1y 2x 2y 3x 3y", "hikaichi karasu", id="one light is poor as it is"),
        pytest.param("11R 11x 1R 1x 2R 2x 4x", "", id="ribbons alone are poor as they are"),
        pytest.param("11L 11A 1x 2x 3x 4x 5x", "toichi hikaichi karasu", id="no hand by number"),
        pytest.param("11L 11A 11x 1L 2A 3x 4x", "", id="not poor at all"),
    ],
)
def test_a_hand_that_is_poor_by_willow_cards_taken_for_chaff_may_be_declared_by_number_alone_r11(hand, ways):
    state = begin((hand, "4A 5A 6A 7A 8A 10A 12L", "6R 7R 9R 9A 10R 8L 3L"))
    assert state.legal_texts() == ["pass", *([f"declare:{way}" for way in ways.split()] or ["declare"])]


def test_by_number_alone_a_hand_is_paid_shown_and_counted_without_its_reading_by_poverty_r11():
    state = begin(("11A 11R 11x 1R 2R 3x 4x", "4A 5A 6A 7A 8A 10A 12L", "3R 4R 5R 6R 7R 9R 9A"), menu="E")
    do(state, "declare:number")
    assert [zone.cards for zone in state.spectate().zones if zone.kind == "shown"] == [
        tuple(parse_cards("11A 11R 11x"))
    ]
    assert (counter(state, "by_number", 0), counter(state, "by_poverty", 0), counter(state, "declared", 0)) == (1, 0, 2)
    for seat in (1, 2):
        sample = state.determinize(seat, 1)
        assert sample.observation(seat) == state.observation(seat)
    while state.month == 1:
        state.apply(state.legal_actions()[0])
    paid = {event.name: event.values for event in state.events(ALL) if event.kind == "pay" and event.seat == 0}
    assert paid["sanbon"] == (4 * KAN, -2 * KAN, -2 * KAN)
    assert not {"aka", "nuke"} & set(paid)


def test_codes_of_readings_stand_after_the_shared_ones_by_number_of_ribbons_shown_then_by_cards():
    texts = variant_info("hachihachi").actions
    first = texts.index("declare:number")
    readings = ("number", "aka", "tanichi", "toichi", "hikaichi", "karasu")
    assert texts[first : first + 6] == tuple(f"declare:{row}" for row in readings)
    shown = [parse_cards(text.removeprefix("declare:aka:").replace(",", " ")) for text in texts[first + 6 :]]
    assert shown == sorted(shown, key=lambda cards: (len(cards), cards))
    assert [len([1 for cards in shown if len(cards) == size]) for size in (1, 2, 3)] == [10, 45, 120]


# 四三


def test_a_declared_shiso_ends_the_year_as_top_seat_and_taker_of_the_pot():
    state = begin((SHISO, "3L 3R 3x 4A 5A 8L 9A", "4R 5R 6R 7R 9R 10A 11A"))
    do(state, "declare declare")
    assert month_end(state) == ("declare", 0, [["shiso", 40]], [960 - 24, -480 + 48, -480 - 24])
    assert (state.is_over, state.returns(), state.placing()) == (True, (98, -46, -52), (1, 2, 3))


def test_two_declared_shiso_make_the_year_void_for_all():
    state = do(begin((SHISO, OTHER_SHISO, "5A 6A 7A 8A 9A 10A 11R")), "declare declare")
    assert month_end(state) == ("void", None, [], [0, 0, 0])
    assert (state.is_over, state.returns(), state.placing()) == (True, (0, 0, 0), (1, 1, 1))


def test_a_shiso_beside_one_that_is_not_declared_holds():
    state = do(begin((SHISO, OTHER_SHISO, "5A 6A 7A 8A 9A 10A 11R")), "pass declare")
    assert month_end(state)[:2] == ("declare", 1)
    assert state.is_over


# Fields and binds

NONE, DAI, ZETSU = range(3)
LIGHT_SETS = ("", "1L", "11L", "1L 3L", "1L 8L", "1L 3L 8L", "11L 12L", "12L 3L 8L", "1L 3L 8L 11L 12L")


@pytest.mark.parametrize("bind", [NONE, DAI, ZETSU])
@pytest.mark.parametrize("lights", LIGHT_SETS)
def test_lights_and_bind_decide_the_field_and_what_is_carried_on(bind, lights):
    assert kind_of_field(parse_cards(lights), bind) == field_kind(bind, lights.split())


def kinds(seed: str, months: int = 12) -> list[tuple[int, int]]:
    """By month, the kind of field and the bind carried out, by the reference."""
    found, bind = [], NONE
    for month in range(1, months + 1):
        kind, bind = field_kind(bind, [card_text(card) for card in deck(seed, month, 0)[21:27]])
        found.append((kind, bind))
    return found


def seed_of_a_year(wanted) -> str:
    return next(f"bind/{number}" for number in count() if wanted(kinds(f"bind/{number}")))


def told_fields(state: State) -> list[str]:
    return [event.name for event in state.events(ALL) if event.kind == "field"]


@pytest.mark.parametrize("bind", [DAI, ZETSU])
def test_a_bind_makes_the_next_month_what_its_own_field_would_not(bind):
    bound = seed_of_a_year(lambda year: year[0][1] == bind and year[1] == (bind, NONE))
    state = random_play(State.new("hachihachi", None, bound), 1)
    names = ("sho", "dai", "zetsu")
    assert told_fields(state) == [names[kind] for kind, _ in kinds(bound)]


def test_a_bind_is_seen_and_lasts_for_a_month():
    bound = seed_of_a_year(lambda year: year[0][1] == ZETSU and year[1] == (ZETSU, NONE))
    state = State.new("hachihachi", None, bound)
    assert (counter(state, "field"), counter(state, "bind")) == (ZETSU, ZETSU)
    while state.month == 1:
        state.apply(state.legal_actions()[0])
    assert (counter(state, "field"), counter(state, "bind"), counter(state, "pot")) == (ZETSU, NONE, 1)


def test_a_year_that_ends_bound_goes_on_with_etsunen_only_until_the_bind_is_gone():
    bound = seed_of_a_year(lambda year: year[11][1] != NONE)
    year = next(kinds(bound, length) for length in count(13) if kinds(bound, length)[-1][1] == NONE)
    assert random_play(State.new("hachihachi", None, bound), 2).month == 12
    state = random_play(State.new("hachihachi", {"etsunen": True}, bound), 2)
    assert state.month == len(year) > 12
    assert counter(state, "pot") == len(year)


def test_a_year_that_ends_free_does_not_go_on():
    free = seed_of_a_year(lambda year: year[11][1] == NONE)
    assert random_play(State.new("hachihachi", {"etsunen": True}, free), 3).month == 12


@pytest.mark.parametrize(("etsunen", "months"), [(True, 48), (False, 12)])
def test_a_year_that_is_bound_in_every_month_stops_after_month_48_r8(etsunen, months):
    """From January on, with decks laid out: by chance one month in twenty is bound."""
    rng = random.Random(8)
    first, *following = (binding_deck(rng) for _ in range(60))
    state = State.from_deck("hachihachi", {"etsunen": etsunen}, first, following=following)
    random_play(state, 8)
    deals = [event.values for event in state.events(ALL) if event.kind == "deal"]
    assert deals == [(month, 0) for month in range(1, months + 1)]
    assert told_fields(state) == ["zetsu"] * months
    assert (counter(state, "bind"), counter(state, "pot")) == (ZETSU, months)


def binding_deck(rng: random.Random) -> str:
    """A deck by chance, but for both zetsu lights on the field."""
    cards = [card for card in CARDS if card not in ("11L", "12L")]
    rng.shuffle(cards)
    return " ".join([*cards[:21], "11L", "12L", *cards[21:]])


# Money


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from("ABCDEF"))
def test_money_and_cards_are_conserved(number, menu):
    state = State.new("hachihachi", {"menu": menu}, f"conserved/{number}")
    rng = random.Random(number)
    while not state.is_over:
        assert sum(state.balances()) + counter(state, "pot") == 3 * START
        assert sum(zone.count for zone in state.spectate().zones if zone.kind != "shown") == 48
        state.apply(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 0


def test_payments_add_up_to_each_months_score():
    state = random_play(State.new("hachihachi", {"menu": "C"}, "payments"), 4)
    paid = [0, 0, 0]
    for event in state.events(ALL):
        if event.kind == "pay" and event.values:
            paid = [total + value for total, value in zip(paid, event.values, strict=True)]
        elif event.kind == "month_end":
            assert paid == list(event.values)
            paid = [0, 0, 0]


def test_odd_differences_of_one_sign_and_of_two_are_made_even_in_menu_c():
    """The points of the cards are counted from the events."""
    signs = set()
    for number in range(40):
        state = random_play(State.new("hachihachi", {"menu": "C"}, f"odd/{number}"), number)
        field, points = "", [0, 0, 0]
        for event in state.events(ALL):
            if event.kind == "deal":
                points = [0, 0, 0]
            elif event.kind == "field":
                field = event.name
            elif event.name == "card_points" and field == "dai":
                assert list(event.values) == difference_scores(points, ReferenceRate("C", DAI))
                signs.add(len({own > 88 for own in points if own % 2}))
            points[event.seat] += card_points(cards_text(event.taken).split())
    assert signs >= {1, 2}


def finished_year() -> Observation:
    """A year whose last month was played out."""
    years = (random_play(State.new("hachihachi", None, f"finished/{number}"), number) for number in count())
    return next(year.observation(0) for year in years if month_ends(year)[-1][0] == "run_out")


FINISHED = finished_year()


def result_of_year(balances, pot, dealer, shiso=-1):
    """How a year ends with these balances; ``shiso`` is the seat whose 四三 ended it, -1 for none."""
    values = {("balance", seat): balance for seat, balance in enumerate(balances)} | {("pot", -1): pot}
    counters = tuple(
        counter._replace(value=values.get((counter.name, counter.seat), counter.value)) for counter in FINISHED.counters
    )
    events = tuple(
        event._replace(name="declare", seat=shiso) if event.kind == "month_end" and shiso >= 0 else event
        for event in FINISHED.events
    )
    view = replace(FINISHED, dealer=dealer, counters=counters, events=events)
    return State.from_observation(view, 0).returns()


def test_the_sources_year_ends_13_71_and_minus_84_r7():
    balances = [START + 8 * KAN + 189 - 5, START + 72 * KAN - 250 - 3, START - 80 * KAN + 61 - 4]
    assert result_of_year(balances, 12, dealer=2) == (13, 71, -84)


@settings(deadline=None, max_examples=500)
@given(
    st.tuples(st.integers(-30, 30), st.integers(-30, 30)),
    st.integers(0, 48),
    st.integers(0, 2),
    st.integers(-1, 2),
)
def test_a_year_ends_as_the_reference_says(gains, pot, dealer, shiso):
    balances = [START + gains[0], START + gains[1], START - sum(gains) - pot]
    order = [dealer, (dealer + 1) % 3, (dealer + 2) % 3]
    expected = year_result(balances, pot, order, shiso if shiso >= 0 else None)
    assert list(result_of_year(balances, pot, dealer, shiso)) == expected


LOW = START - 4 * KAN
TIED = [START + 100, START + 100, START - 212]


@pytest.mark.parametrize(
    ("balances", "pot", "dealer", "shiso", "result"),
    [
        pytest.param([LOW - 12, START, START + 84], 12, 0, -1, (-14, -10, 24), id="the pot to the lowest"),
        pytest.param([LOW - 6, LOW - 6, START + 95], 12, 0, -1, (-14, -14, 28), id="two lowest halve it"),
        pytest.param([LOW - 5, LOW - 5, START + 97], 13, 0, -1, (-13, -13, 26), id="an odd point is the top seat's"),
        pytest.param([START - 4] * 3, 12, 1, -1, (0, 0, 0), id="three equal seats are a draw"),
        pytest.param([START] * 3, 0, 0, 1, (-10, 20, -10), id="shiso before a draw"),
        pytest.param([START + 3000, START - 1000, START - 2002], 2, 0, 2, (240, -93, -147), id="shiso goes last"),
        pytest.param(TIED, 12, 0, -1, (27, -1, -26), id="a tie for the top to the last dealer"),
        pytest.param(TIED, 12, 1, -1, (-1, 27, -26), id="to the last dealer, another one"),
        pytest.param(TIED, 12, 2, -1, (27, -1, -26), id="to the first after the last dealer"),
    ],
)
def test_a_year_ends_by_ranks_pot_and_whole_kan_toward_zero(balances, pot, dealer, shiso, result):
    assert result_of_year(balances, pot, dealer, shiso) == result


def test_a_year_that_is_played_ends_as_the_reference_says():
    state = random_play(State.new("hachihachi", None, "a whole year"), 5)
    order = [(state.dealer + step) % 3 for step in range(3)]
    assert list(state.returns()) == year_result(state.balances(), counter(state, "pot"), order)


def test_a_month_by_the_texts_of_its_actions():
    state = begin(POEMS, "1x 2x 3x 5x 6x 7x", POEMS_STOCK)
    do(state, "1R*1x 4A 4R*4A 2R*2x 11L 9R*9x 3R*3x stop")
    assert month_end(state) == ("stop", 0, [["akatan", 7]], [167, -84, -84])
    assert (state.month, state.dealer) == (2, 0)


def test_the_engine_and_a_scene_that_differ_are_told_apart():
    from hachihachi_scene import poems

    entry = poems()
    entry["scores"] = [score + 1 for score in entry["scores"]]
    with pytest.raises(AssertionError):
        engine_agrees(entry, {})
