"""Perft counts and playthroughs of every variant as text: ``python tests/core/golden.py`` writes them anew.

A perft file has a line for each fixed deal: seed, decisions played before, and how many sequences of 1, 2, 3 …
decisions there are from there. A playthrough tells a match of random play, decision by decision: what everybody may
see, what each seat sees beside it, what is legal, what is done. Of a long match the beginning and the end are told.
"""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

from core_ext import SPECTATOR, VARIANTS, State, variant_info
from core_ext.cards import cards_text
from core_ext.observation import Event, Observation, Zone

FOLDER = Path(__file__).parent.parent / "golden"
PERFT_DEALS = (("perft/1", 0), ("perft/2", 0), ("perft/3", 12), ("perft/4", 20), ("perft/5", 40))
PERFT_NODES = 60_000
MONTHS = 3
"""Of a playthrough, where the variant lets a match be short."""
TOLD = 80
"""Decisions of a match that are told; of a longer one the digest of its transcript stands for the rest."""
PLAYTHROUGH_SEEDS = ("playthrough/41", "playthrough/723")
RARE: dict[str, tuple[Mapping[str, object], str]] = {
    "koikoi45": ({"kasu_koi": "every_turn"}, "playthrough/47"),
    "hachihachi": ({}, "playthrough/62"),
}
"""One match more, by options and seed: ten chaff ask in a turn that takes nothing; a hand is declared by number."""


def perft(state: State, depth: int) -> int:
    """How many sequences of so many decisions there are; a match that is over ends one early."""
    if depth == 0 or state.is_over:
        return 1
    legal = state.legal_actions()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        child = state.clone()
        child.apply(action)
        total += perft(child, depth - 1)
    return total


def perft_text(variant: str) -> str:
    """A line for each deal, as deep as the nodes allow; one more for every other number of seats."""
    lines = []
    others = [(*PERFT_DEALS[-1], seats) for seats in _other_seats(variant)]
    for seed, played, seats in (*((seed, played, None) for seed, played in PERFT_DEALS), *others):
        state = State.new(variant, None, seed, seats)
        rng = random.Random(seed)
        for _ in range(played):
            state.apply(rng.choice(state.legal_actions()))
        counts = [perft(state, 1)]
        while counts[-1] * 10 < PERFT_NODES:
            counts.append(perft(state, len(counts) + 1))
        lines.append(f"{seed} {played}{_at(seats)}: {' '.join(map(str, counts))}")
    return "\n".join(lines) + "\n"


def _other_seats(variant: str) -> list[int]:
    least, most, default = variant_info(variant).seats
    return [seats for seats in range(least, most + 1) if seats != default]


def _at(seats: int | None) -> str:
    return f" {seats} seats" if seats else ""


def playthrough_text(variant: str) -> str:
    """Some matches, decision by decision; one more for every other number of seats, and what is rare."""
    options = {"months": MONTHS} if any(option.name == "months" for option in variant_info(variant).options) else {}
    matches: list[tuple[Mapping[str, object], str, int | None]] = [
        *((options, seed, None) for seed in PLAYTHROUGH_SEEDS),
        *((options, PLAYTHROUGH_SEEDS[0], seats) for seats in _other_seats(variant)),
        *((given, seed, None) for name, (given, seed) in RARE.items() if name == variant),
    ]
    return "".join(f"{line}\n" for match in matches for line in _playthrough(variant, *match))


def _playthrough(variant: str, options: Mapping[str, object], seed: str, seats: int | None) -> Iterator[str]:
    state = State.new(variant, options, seed, seats)
    rng = random.Random(seed)
    yield f"match {variant} {json.dumps(options)} {seed}{_at(seats)}"
    since = 0
    for _ in range(TOLD):
        yield from (f"  event {_event(event)}" for event in state.events(SPECTATOR, since))
        since = state.event_count
        if state.is_over:
            break
        yield f"state {state.state_hash()}"
        yield from _public(state.spectate())
        for seat in range(state.seats):
            view = state.observation(seat)
            yield f"  seat {seat}: {view.phase} turn {view.turn} {_private(view, state.spectate())}"
        legal = " ".join(
            f"{text}={code}" for text, code in zip(state.legal_texts(), state.legal_actions(), strict=True)
        )
        yield f"  legal {legal}"
        action = rng.choice(state.legal_actions())
        yield f"> {state.current_player} {state.action_text(action)}"
        state.apply(action)
    transcript = json.dumps(_finished(state, rng).transcript(), ensure_ascii=False)
    yield f"over {state.state_hash()} {list(state.returns())} {list(state.placing())}"
    is_told = len(state.actions()) <= TOLD
    yield transcript if is_told else f"transcript {hashlib.sha256(transcript.encode()).hexdigest()}"


def _finished(state: State, rng: random.Random) -> State:
    """The same match, played to its end."""
    while not state.is_over:
        state.apply(rng.choice(state.legal_actions()))
    return state


def _public(view: Observation) -> Iterator[str]:
    yield f"  month {view.month} attempt {view.attempt} dealer {view.dealer} turn {view.turn} {view.phase}"
    yield f"  {' | '.join(map(_zone, view.zones))}"
    yield f"  {' '.join(f'{item.name}{_seat(item.seat)}={item.value}' for item in view.counters)}"


def _private(view: Observation, public: Observation) -> str:
    zones = " | ".join(_zone(zone) for zone in view.zones if zone not in public.zones)
    events = " ".join(_event(event) for event in view.events if event not in public.events)
    return f"{zones} {events}".strip()


def _zone(zone: Zone) -> str:
    return f"{zone.kind}{_seat(zone.seat)} {zone.count}: {cards_text(zone.cards)}".strip()


def _event(event: Event) -> str:
    parts = [f"{event.kind}{_seat(event.seat)}", event.name, cards_text(event.cards)]
    if event.taken:
        parts.append(f"takes {cards_text(event.taken)}")
    return " ".join(part for part in (*parts, *map(str, event.values)) if part)


def _seat(seat: int) -> str:
    return f"[{seat}]" if seat >= 0 else ""


def texts() -> dict[Path, str]:
    """Every golden file with what it should hold."""
    return {
        FOLDER / f"{variant}.{kind}.txt": write(variant)
        for variant in VARIANTS
        for kind, write in (("perft", perft_text), ("playthrough", playthrough_text))
    }


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text)
