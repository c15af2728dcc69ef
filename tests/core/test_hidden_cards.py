"""A view does not depend on cards that its seat cannot know, at any decision of any variant."""

import random

import pytest

from core_ext import ALL, VARIANTS, State, variant_info
from core_ext.errors import IllegalActionError, MatchOverError

DEALS = 60


def known_to(state: State, seat: int) -> set[int]:
    """Every card that the seat's view names, in a zone or in an event of the deal."""
    view = state.observation(seat)
    zones = {card for zone in view.zones for card in zone.cards}
    return zones.union(*(event.cards for event in view.events if event.kind != "draw"))


def exchanged(state: State, deck: list[int], seat: int, rng: random.Random) -> list[int]:
    """The deck with the cards that the seat does not know in other places."""
    known = known_to(state, seat)
    places = [place for place, card in enumerate(deck) if card not in known]
    cards = [deck[place] for place in places]
    rng.shuffle(cards)
    other = list(deck)
    for place, card in zip(places, cards, strict=True):
        other[place] = card
    return other


def replayed(variant: str, deck: list[int], seats: int, actions: list[tuple[int, int]]) -> State | None:
    """The same actions from another deck; None where a seat with other cards is asked something else."""
    state = State.from_deck(variant, None, deck, seats=seats)
    for asked, code in actions:
        if state.current_player != asked:
            return None
        try:
            state.apply(code)
        except (IllegalActionError, MatchOverError):
            return None
    return state


def is_comparable(state: State, twin: State, seat: int) -> bool:
    """Whether both are in the first deal, the seat is asked in both or in neither, and the same hands were declared.

    An exchange makes two deals: what is picked blindly follows from the deck.
    """
    if (twin.month, twin.attempt) != (1, 0) or (state.current_player == seat) != (twin.current_player == seat):
        return False
    declared, others = ([event for event in one.events(ALL) if event.kind == "declare"] for one in (state, twin))
    return declared == others and not any(event.kind == "exchange" for event in twin.events(ALL))


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_observation_does_not_change_when_the_cards_hidden_from_it_are_exchanged(variant):
    rng = random.Random(5)
    info = variant_info(variant)
    compared = late = 0
    for _ in range(DEALS):
        seats = rng.randint(*info.seats[:2])
        deck = rng.sample(range(info.cards), info.cards)
        state = State.from_deck(variant, None, deck, seats=seats)
        actions: list[tuple[int, int]] = []
        while not state.is_over and state.month == 1 and state.attempt == 0:
            seat = rng.randrange(seats)
            twin = replayed(variant, exchanged(state, deck, seat, rng), seats, actions)
            if twin is not None and is_comparable(state, twin, seat):
                assert twin.observation(seat) == state.observation(seat)
                compared += 1
                late += len(actions) > 8
            code = rng.choice(state.legal_actions())
            actions.append((state.current_player, code))
            state.apply(code)
    assert compared > 5 * DEALS
    assert late > DEALS
