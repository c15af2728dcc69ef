"""What a seat knows: nothing hidden in it, sampled states that fit it, secret questions that show nowhere."""

import random
from dataclasses import replace

import pytest
from koikoi_scene import play, scene, zone

from core_ext import ALL, EVENT_KINDS, PHASES, SPECTATOR, VARIANTS, Observation, State, Zone, errors, playout
from core_ext.cards import parse_cards
from core_ext.observation import COUNTER_NAMES, ZONE_KINDS
from core_ext.table import ENDINGS

FOURS = {"first": "1L 1R 1x 1y 2A 3L 4A 5A", "second": "6A 6R 6x 6y 7A 8L 9A 10A", "field": "2R 3R 4R 5R 7R 8A 9R 10R"}
ONE_FOUR = FOURS | {"second": "6A 6R 6x 7x 7A 8L 9A 10A"}
NO_FOUR = ONE_FOUR | {"first": "1L 1R 1x 2x 2A 3L 4A 5A"}


def random_states(matches: int, **options):
    """Every decision of some random matches."""
    rng = random.Random(7)
    for number in range(matches):
        state = State.new("koikoi", options, f"views/{number}")
        while not state.is_over:
            yield state, rng
            state.apply(rng.choice(state.legal_actions()))
        yield state, rng


def test_a_sampled_state_cannot_be_told_from_the_true_one_by_any_seat_at_any_decision():
    for state, rng in random_states(20):
        for seat in (0, 1):
            view = state.observation(seat)
            assert state.determinize(seat, rng.getrandbits(64)).observation(seat) == view


def test_an_observation_does_not_change_when_the_cards_hidden_from_it_are_exchanged():
    rng = random.Random(1)
    hand, field, hidden = FOURS["first"], FOURS["field"], None
    views = set()
    for _ in range(20):
        known = parse_cards(f"{hand} {field}")
        hidden = [card for card in range(48) if card not in known]
        rng.shuffle(hidden)
        deck = [*parse_cards(hand), *hidden[:8], *parse_cards(field), *hidden[8:]]
        views.add(play(State.from_deck("koikoi", None, deck), "pass").observation(0))
    asked = [view for view in views if view.legal]
    assert len(asked) == 1
    assert all(replace(view, legal=asked[0].legal) == asked[0] for view in views)


def test_samples_differ_and_their_hidden_cards_are_evenly_spread():
    state = State.new("koikoi", None, "spread")
    known = set(parse_cards(zone(state, "hand", 0, viewer=0) + " " + zone(state, "field")))
    counts = dict.fromkeys(set(range(48)) - known, 0)
    for number in range(2000):
        sample = state.determinize(0, number)
        for item in sample.observation(1).zones:
            if item.kind == "hand" and item.seat == 1:
                for card in item.cards:
                    counts[card] += 1
    # Each of 32 unseen cards is in the other's hand a quarter of the time: 500 of 2000, by five standard errors.
    assert all(400 < count < 600 for count in counts.values())


def test_a_sampled_state_meets_decks_of_its_own_in_later_months():
    state = State.new("koikoi", {"teshi": False}, "later")
    fields = set()
    for number in range(10):
        sample = state.determinize(0, number)
        while sample.month == 1:
            sample.apply(sample.legal_actions()[0])
        fields.add(zone(sample, "field"))
    assert len(fields) == 10


def test_a_sample_is_the_same_from_the_state_and_from_the_observation_alone():
    for state, rng in random_states(3):
        number = rng.getrandbits(70)
        for seat in (0, 1):
            sample = state.determinize(seat, number)
            again = State.from_observation(state.observation(seat), number)
            assert (sample.state_hash(), sample.events(ALL)) == (again.state_hash(), again.events(ALL))


def test_a_sampled_match_can_be_played_to_its_end():
    state = State.new("koikoi", None, "end")
    sample = state.determinize(1, 5)
    assert playout.run(sample, 3, 1, whole_match=True).playouts == 3
    while not sample.is_over:
        sample.apply(sample.legal_actions()[-1])
    assert len(sample.returns()) == 2


def test_a_spectators_view_can_be_sampled_too():
    state = State.new("koikoi", None, "stands")
    sample = State.from_observation(state.spectate(), 3)
    assert sample.spectate() == state.spectate()


# Questions asked in secret


@pytest.mark.parametrize("dealer", [0, 1])
def test_that_a_seat_is_asked_for_teshi_shows_to_no_other_seat(dealer):
    asked, unasked = scene(**ONE_FOUR, dealer=dealer), scene(**NO_FOUR, dealer=dealer)
    assert (asked.current_player, unasked.current_player) == (0, dealer)
    for viewer in (1, SPECTATOR):
        seen = asked.spectate() if viewer == SPECTATOR else asked.observation(viewer)
        plain = unasked.spectate() if viewer == SPECTATOR else unasked.observation(viewer)
        assert replace(seen, legal=()) == replace(plain, legal=())
        assert (seen.phase, seen.turn) == ("play", dealer)
    own = asked.observation(0)
    assert (own.phase, own.turn, len(own.legal)) == ("dealt_hand", dealer, 2)


def test_a_pass_is_seen_by_the_seat_that_passed_alone():
    asked, unasked = play(scene(**ONE_FOUR), "pass"), scene(**NO_FOUR)
    assert asked.observation(1) == unasked.observation(1)
    assert asked.spectate() == unasked.spectate()
    assert [event.kind for event in asked.observation(0).events] == ["deal", "pass"]
    assert [event.kind for event in asked.events(ALL)] == ["deal", "pass"]


@pytest.mark.parametrize("dealer", [0, 1])
def test_views_and_samples_agree_while_teshi_is_asked_and_passed(dealer):
    for first, second in ((FOURS["first"], FOURS["second"]), (ONE_FOUR["first"], ONE_FOUR["second"])):
        state = scene(first, second, FOURS["field"], dealer=dealer)
        for _ in range(4):
            for seat in (0, 1):
                for number in range(30):
                    sample = state.determinize(seat, number)
                    assert sample.observation(seat) == state.observation(seat)
                    assert sample.legal_actions()
            state.apply(state.legal_actions()[0])


def test_a_dealer_that_waits_knows_that_the_other_has_teshi():
    state = scene(**{**FOURS, "first": NO_FOUR["first"]})
    assert (state.current_player, state.observation(0).legal) == (1, ())
    for number in range(20):
        sample = state.determinize(0, number)
        assert sample.current_player == 1
        assert sample.legal_texts() == ["pass", "declare"]


def test_a_seat_whose_own_teshi_is_still_to_be_asked_knows_that_the_dealer_has_one():
    state = scene(**FOURS, dealer=0)
    for number in range(20):
        sample = state.determinize(1, number)
        assert sample.current_player == 0
        assert sample.legal_texts() == ["pass", "declare"]
        assert play(sample, "pass").current_player == 1


def test_a_declared_hand_is_known_in_samples_of_the_finished_match():
    state = play(scene(**FOURS, months=1), "declare")
    for number in range(5):
        sample = state.determinize(1, number)
        assert set(parse_cards("1L 1R 1x 1y")) <= set(parse_cards(zone(sample, "hand", 0, viewer=0)))


# Observations that fit no deal


VIEW = State.new("koikoi", {"teshi": False}, "bad").observation(0)


def changed(kind: str, seat: int, **fields: object):
    zones = tuple(
        item._replace(**fields) if (item.kind, item.seat) == (kind, seat) else item  # type: ignore[arg-type]
        for item in VIEW.zones
    )
    return replace(VIEW, zones=zones)


def counted(name: str, seat: int, /, **fields: object):
    counters = tuple(
        item._replace(**fields) if (item.name, item.seat) == (name, seat) else item  # type: ignore[arg-type]
        for item in VIEW.counters
    )
    return replace(VIEW, counters=counters)


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(replace(VIEW, phase="thinking"), id="an unknown phase"),
        pytest.param(replace(VIEW, phase="ended"), id="a phase that nobody sees"),
        pytest.param(replace(VIEW, phase="over"), id="over with a turn"),
        pytest.param(replace(VIEW, phase="turned"), id="a choice without a turned card"),
        pytest.param(replace(VIEW, turn=2), id="a turn of nobody"),
        pytest.param(replace(VIEW, seat=5), id="a seat that is not there"),
        pytest.param(replace(VIEW, seat=-1, legal=(1,)), id="a spectator that may act"),
        pytest.param(replace(VIEW, seat=0, legal=(289,)), id="actions of another position"),
        pytest.param(replace(VIEW, phase="draw"), id="a phase of another game"),
        pytest.param(
            replace(VIEW, seat=-1, phase="dealt_hand", legal=()), id="a secret question that a spectator sees"
        ),
        pytest.param(replace(VIEW, dealer=-1), id="no dealer"),
        pytest.param(replace(VIEW, month=0), id="no month"),
        pytest.param(replace(VIEW, attempt=256), id="too many attempts"),
        pytest.param(replace(VIEW, rules_version=99), id="other rules"),
        pytest.param(replace(VIEW, zones=VIEW.zones[1:]), id="a hand is missing"),
        pytest.param(replace(VIEW, zones=(*VIEW.zones, Zone("attic", -1, (), 0))), id="an unknown zone"),
        pytest.param(replace(VIEW, zones=(*VIEW.zones, Zone("pile", 9, (), 0))), id="a pile of nobody"),
        pytest.param(counted("koi", 1, seat=4), id="a counter of nobody"),
        pytest.param(counted("stake", 1, seat=-1), id="a seat's counter of all"),
        pytest.param(replace(VIEW, counters=()), id="no counters"),
        pytest.param(counted("koi", 1, value=256), id="a number of another size"),
        pytest.param(counted("balance", 1, value=2**63), id="a number that is too large"),
        pytest.param(changed("stock", -1, count=49), id="too large a stock"),
        pytest.param(changed("stock", -1, count=23), id="too small a stock"),
        pytest.param(changed("hand", 1, count=7), id="too small a hand"),
        pytest.param(changed("field", -1, cards=(48,), count=1), id="a card that is none"),
        pytest.param(changed("field", -1, cards=(1, 1), count=2), id="a card twice"),
        pytest.param(
            changed("pile", 1, cards=next(z.cards for z in VIEW.zones if z.kind == "field")[:1], count=1),
            id="a card in two places",
        ),
        pytest.param(replace(VIEW, events=(VIEW.events[0]._replace(kind="sneeze"),)), id="an unknown event"),
        pytest.param(replace(VIEW, events=(VIEW.events[0]._replace(seat=2),)), id="an event of nobody"),
        pytest.param(replace(VIEW, events=(VIEW.events[0]._replace(kind="pass", seat=-1),)), id="a pass of nobody"),
        pytest.param(replace(VIEW, events=(VIEW.events[0]._replace(cards=(48,)),)), id="an event of no card"),
    ],
)
def test_an_observation_that_fits_no_deal_is_refused(view):
    with pytest.raises(errors.ObservationError):
        State.from_observation(view, 1)


def test_a_turned_card_that_leaves_no_choice_is_refused():
    """What it can take lies in a pile instead: the code of what it takes would be that of no card."""
    turned = next(state for state, _ in random_states(20) if state.spectate().phase == "turned")
    view = turned.observation(1 - turned.current_player)
    zones = {(item.kind, item.seat): item for item in view.zones}
    [card], field, pile = zones["turned", -1].cards, zones["field", -1], zones["pile", 0]
    two = tuple(other for other in field.cards if other // 4 == card // 4)
    moved = {
        field: field._replace(cards=tuple(set(field.cards) - set(two)), count=field.count - 2),
        pile: pile._replace(cards=(*pile.cards, *two), count=pile.count + 2),
    }
    view = replace(view, zones=tuple(moved.get(item, item) for item in view.zones))
    with pytest.raises(errors.ObservationError, match="does not meet two"):
        State.from_observation(view, 1)


NUMBERS = (-1, 0, 1, 2, 3, 7, 12, 13, 47, 48, 63, 255, 256, 2**31, 2**63 - 1, 2**70, -(2**63))
FIELDS = ("seat", "month", "attempt", "dealer", "turn", "phase", "legal", "card", *3 * ("zones", "counters", "events"))


def altered(view: Observation, rng: random.Random) -> Observation:
    """The observation with something changed: a number, a name, where a card lies."""
    field = rng.choice(FIELDS)
    zones = list(view.zones)
    if field == "card":
        one, other = rng.sample(range(len(zones)), 2)
        card = rng.choice(zones[one].cards or (48,))
        rest = tuple(own for own in zones[one].cards if own != card)
        zones[one] = zones[one]._replace(cards=rest, count=zones[one].count - 1)
        zones[other] = zones[other]._replace(cards=(*zones[other].cards, card), count=zones[other].count + 1)
        return replace(view, zones=tuple(zones))
    values = {
        "phase": rng.choice(PHASES),
        "kind": rng.choice((*ZONE_KINDS, *EVENT_KINDS)),
        "name": rng.choice((*COUNTER_NAMES, *ENDINGS, "kasu", "exchange", "")),
        **dict.fromkeys(("legal", "cards", "taken", "values"), tuple(rng.choices(NUMBERS, k=rng.randrange(6)))),
    }
    if field not in ("zones", "counters", "events"):
        return replace(view, **{field: values.get(field, rng.choice(NUMBERS[:6]))})
    rows = list(getattr(view, field))
    if rows:
        at = rng.randrange(len(rows))
        name = rng.choice(rows[at]._fields)
        rows[at] = rows[at]._replace(**{name: values.get(name, rng.choice(NUMBERS))})
    return replace(view, **{field: tuple(rows)})


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_altered_observation_is_refused_or_gives_a_state_that_can_be_played(variant):
    rng = random.Random(variant)
    taken = refused = 0
    for number in range(15):
        state = State.new(variant, None, f"altered/{number}")
        for _ in range(rng.randrange(60)):
            state.apply(rng.choice(state.legal_actions()))
        for view in [*(state.observation(seat) for seat in range(state.seats)), state.spectate()]:
            for _ in range(25):
                try:
                    sample = State.from_observation(altered(altered(view, rng), rng), rng.getrandbits(64))
                except errors.CoreError:
                    refused += 1
                    continue
                taken += 1
                if not sample.is_over:
                    playout.run(sample, 1, 1, whole_match=True)
                assert len(sample.returns()) == state.seats
    assert min(taken, refused) > 100
