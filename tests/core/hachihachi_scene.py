"""Scenes of hachihachi: months from stacked decks and a plan for each seat, by the reference and by the engine."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from reference_cards import month_of, of_month
from reference_hachihachi import play
from reference_hachihachi_money import SHO
from reference_rigged import Decks, Plans
from reference_table import Transcript, arranged_deck

from core_ext import ALL, State

Entry = dict[str, Any]
"""The entry of a month in a transcript."""
MonthEnd = tuple[str, int | None, list[list[Any]], list[int]]
"""How a month ended: ended, winner, yaku, scores."""

DEALS_FIRST = ("1x 2x 3x", "2x 1x 3x", "2x 3x 1x")


def first_draws(dealer: int) -> list[str]:
    return arranged_deck((48, DEALS_FIRST[dealer]))


def dealt(hands: Sequence[str], field: str = "", stock: str = "", below: str = "") -> list[str]:
    """A deck of which only the cards that matter are named; `below` are the last of the stock."""
    bottom = len(below.split())
    return arranged_deck(*[(7, hand) for hand in hands], (6, field), (21 - bottom, stock), (bottom, below))


def first_month(decks: Decks, plans: Sequence[str], options: Mapping[str, Any]) -> Entry:
    """The entry of the first month, played by the plans; the engine plays it again and must agree."""
    entry: Entry = play(options, random.Random(1), decks=decks, policy=Plans({1: plans}))["months"][0]
    engine_agrees(entry, options)
    return entry


def engine_agrees(entry: Entry, options: Mapping[str, Any]) -> State:
    """Plays a month's deck and actions in the engine; who is asked, for what, and the end must be the entry's."""
    state = State.from_deck("hachihachi", options, entry["deck"], entry["dealer"], entry["month"])
    follow(state, entry)
    assert month_end(state) == end_of(entry)
    return state


def follow(state: State, entry: Entry) -> None:
    """Plays a month's actions; who is asked, and for what, must be the entry's."""
    for action in entry["actions"]:
        assert (state.month, state.dealer) == (entry["month"], entry["dealer"])
        assert state.current_player == action["seat"], f"the engine asks {state.current_player}, not {action}"
        assert state.legal_texts() == action["legal"]
        state.apply(state.parse_action(action["action"]))


def engine_agrees_on_all(match: Transcript) -> State:
    """Plays a match of the reference's in the engine, its decks given; every month and the year's end must be its."""
    first, *later = (entry["deck"] for entry in match["months"])
    state = State.from_deck("hachihachi", match["options"], first, match["first"]["dealer"], following=later)
    for entry in match["months"]:
        follow(state, entry)
    assert month_ends(state) == [end_of(entry) for entry in match["months"]]
    assert state.is_over
    ends = [list(state.balances()), list(state.returns()), list(state.placing())]
    assert ends == [match["totals"], match["result"], match["placing"]]
    return state


def end_of(entry: Entry) -> MonthEnd:
    return entry["ended"], entry["winner"], sorted(entry["yaku"]), entry["scores"]


def month_end(state: State) -> MonthEnd:
    """How the first month that a state has played ended."""
    return month_ends(state)[0]


def month_ends(state: State) -> list[MonthEnd]:
    """How each month that a state has played ended."""
    ends: list[MonthEnd] = []
    yaku: list[list[Any]] = []
    for event in state.events(ALL):
        if event.kind == "score":
            yaku.append([event.name, event.values[0]])
        elif event.kind == "month_end":
            ends.append((event.name, event.seat if event.seat >= 0 else None, sorted(yaku), list(event.values)))
            yaku = []
    return ends


def january(
    hands: Sequence[str], field: str, stock: str, plans: Sequence[str], below: str = "", **options: Any
) -> Entry:
    """The first month of a match, dealt by seat 0 and played by the plans."""
    decks = {0: first_draws(0), 1: dealt(hands, field, stock, below)}
    return first_month(decks, plans, options)


def recorded(deck: str, actions: str, dealer: int = 0, **options: Any) -> Entry:
    """A month as it was played once: its deck and its actions in order."""
    plans = ["", "", ""]
    for word in actions.split():
        plans[int(word[0])] += f"{word[2:]} "
    decks = {0: first_draws(dealer), 1: deck.split()}
    return first_month(decks, plans, options)


def texts(entry: Entry) -> str:
    return " ".join(f"{action['seat']}:{action['action']}" for action in entry["actions"])


def legal_at(entry: Entry, number: int) -> list[str]:
    legal: list[str] = entry["actions"][number]["legal"]
    return legal


def piles_of(entry: Entry) -> list[set[str]]:
    """What each seat had captured when the month ended, read from its deck and actions alone."""
    deck = entry["deck"].split()
    field, stock = set(deck[21:27]), deck[27:]
    piles: list[set[str]] = [set(), set(), set()]
    actions = [action for action in entry["actions"] if action["action"][0] in "*0123456789"]
    while actions:
        action = actions.pop(0)
        seat, (card, _, taken) = action["seat"], action["action"].partition("*")
        turned = stock.pop(0)
        for landing, chosen in ((card, taken.split(",") if taken else []), (turned, None)):
            if chosen is None:
                chosen = of_month(month_of(landing), field)
                if len(chosen) == 2:
                    chosen = [actions.pop(0)["action"][1:]]
            field -= set(chosen)
            (piles[seat] if chosen else field).update({landing, *chosen})
    return piles


POEMS = ("1R 2R 3R 8L 9A 10A 12L", "4A 5A 6A 7A 8A 11A 11L", "2A 4R 5R 6R 7R 9R 10R")
POEMS_STOCK = "8x 9x 10x 12x 11x 12y 1y"
POEMS_PLANS = ("1R 2R 3R stop", "4A 11L", "4R 9R")


LIGHT_ON_FIELD = ("7x", "8L", "12L")  # for 小場, 大場, 絶場


def poems(field: int = SHO, plans: Sequence[str] = POEMS_PLANS, **options: Any) -> Entry:
    """Seat 0 makes 赤短 in its third turn, on a field of this kind."""
    light = LIGHT_ON_FIELD[field]
    hands = (POEMS[0].replace(light, "7x"), *POEMS[1:])
    return january(hands, f"1x 2x 3x 5x 6x {light}", POEMS_STOCK, plans, **options)


LAST_CARD = (
    ("4A 5A 6A 7R 8A 9A 10A", "3R 4R 5R 6R 7A 9R 11A", "1R 2R 3x 8L 10R 11L 12L"),
    "1x 2x 4x 5x 6x 7x",
    "3L 3y",
    ("4A 5A 6A 7R 8A 9A 10A", "4R 5R 6R 7A 9R 11A 3R", "1R 2R 8L 10R 11L 12L 3x"),
)
