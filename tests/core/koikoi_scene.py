"""Deals of koikoi that are laid out for a test and played by texts."""

from reference_table import arranged_deck

from core_ext import State
from core_ext.cards import cards_text


def scene(
    first: str, second: str, field: str, stock: str = "", dealer: int = 0, month: int = 1, attempt: int = 0, **options
) -> State:
    """A deal with these hands of seats 0 and 1, field and stock; what is not named is filled up in id order.

    ``points__goko`` stands for the option ``points.goko``.
    """
    deck = arranged_deck((8, first), (8, second), (8, field), (24, stock))
    given = {name.replace("__", "."): value for name, value in options.items()}
    return State.from_deck("koikoi", given, " ".join(deck), dealer, month, attempt)


def play(state: State, actions: str) -> State:
    """Plays actions, divided by spaces, of whoever is asked."""
    for text in actions.split():
        state.apply(state.parse_action(text))
    return state


def play_out(state: State) -> State:
    """Plays the deal to its end, koi to every question."""
    place = (state.month, state.attempt)
    while not state.is_over and (state.month, state.attempt) == place:
        legal = state.legal_texts()
        play(state, "koi" if "koi" in legal else legal[0])
    return state


def zone(state: State, kind: str, seat: int = -1, viewer: int = -1) -> str:
    """The cards of a zone as a seat, or a spectator, may see them."""
    view = state.spectate() if viewer < 0 else state.observation(viewer)
    return " ".join(cards_text(item.cards) for item in view.zones if (item.kind, item.seat) == (kind, seat))


def counter(state: State, name: str, seat: int = -1) -> int:
    """A number that everybody sees."""
    return next(item.value for item in state.spectate().counters if (item.name, item.seat) == (name, seat))


def deal_end(state: State) -> tuple[str, int, tuple[int, ...]]:
    """How the last finished deal ended: ended, winner, scores."""
    last = [event for event in state.events(-1) if event.kind == "month_end"][-1]
    return last.name, last.seat, last.values


def scored(state: State) -> list[tuple[str, int]]:
    """The rows that decided the last finished deal."""
    rows: list[tuple[str, int]] = []
    for event in state.events(-1):
        if event.kind == "deal":
            running: list[tuple[str, int]] = []
        elif event.kind == "score":
            running.append((event.name, event.values[0]))
        elif event.kind == "month_end":
            rows = running
    return rows
