"""A match in plain JSON (``hanafuda-transcript/1``), made from its events and codes."""

from typing import Any

from core_ext.cards import card_text, cards_text
from core_ext.observation import ALL
from core_ext.shuffle import deck
from core_ext.state import State
from core_ext.variant import written
from core_ext.variants.registry import variant_info

FORMAT = "hanafuda-transcript/1"


def write_transcript(state: State, legal: bool = False) -> dict[str, object]:
    """The match so far, finished deals only; ``legal`` adds what could have been done at each decision."""
    assert state.seed is not None
    first: dict[str, Any] = {"draws": []}
    months: list[dict[str, Any]] = []
    for event in state.events(ALL):
        if event.kind == "draw":
            first["draws"].append([event.seat, card_text(event.cards[0])])
        elif event.kind == "deal":
            month, attempt = event.values
            months.append(_open_month(state, month, attempt, event.seat))
            first.setdefault("dealer", event.seat)
        elif event.kind == "dealer" and len(months) == 1:
            first["dealer"] = event.values[0]
        elif event.kind == "exchange":
            months[-1]["picks"].append(card_text(event.cards[0]))
        elif event.kind == "score":
            months[-1]["yaku"].append([event.name, event.values[0]])
        elif event.kind == "month_end":
            months[-1]["ended"] = event.name
            months[-1]["winner"] = event.seat if event.seat >= 0 else None
            months[-1]["scores"] = list(event.values)
    _write_actions(state, months, legal)
    return {
        "format": FORMAT,
        "variant": state.variant,
        "rules_version": state.rules_version,
        "options": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in written(variant_info(state.variant), state.options).items()
        },
        "seats": state.seats,
        "seed": state.seed.hex(),
        "first": first,
        "months": [month for month in months if month["ended"]],
        "totals": list(state.balances()),
        "result": list(state.returns()),
        "placing": list(state.placing()),
    }


def _open_month(state: State, month: int, attempt: int, dealer: int) -> dict[str, Any]:
    assert state.seed is not None
    order = deck(state.seed, month, attempt, variant_info(state.variant).cards)
    return {
        "month": month,
        "attempt": attempt,
        "dealer": dealer,
        "deck": cards_text(order),
        "picks": [],
        "actions": [],
        "ended": None,
        "winner": None,
        "yaku": [],
    }


def _write_actions(state: State, months: list[dict[str, Any]], legal: bool) -> None:
    """Play the match again to say who did what in which deal."""
    assert state.seed is not None
    replay = State.new(state.variant, state.options, state.seed, state.seats)
    by_deal = {(month["month"], month["attempt"]): month["actions"] for month in months}
    for code in state.actions():
        entry: dict[str, Any] = {"seat": replay.current_player, "action": replay.action_text(code)}
        if legal:
            entry["legal"] = replay.legal_texts()
        by_deal[replay.month, replay.attempt].append(entry)
        replay.apply(code)
