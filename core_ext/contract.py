"""The laws of State, held on a match of any variant: for the tests here and for whoever writes a bot or a variant.

``check("koikoi", seed="7")`` plays a random match and raises AssertionError with the first law that does not hold.
"""

import json
import pickle
import random
from collections.abc import Mapping

from core_ext.errors import IllegalActionError, MatchOverError, SampledStateError
from core_ext.observation import ALL, SPECTATOR, Observation, Zone
from core_ext.state import State
from core_ext.table import PHASES
from core_ext.variants.registry import variant_info

RECENT = 100
"""How many events are compared at each decision; all of them are at the end."""


def check(
    variant: str,
    options: Mapping[str, object] | None = None,
    seed: str | int | bytes = 0,
    seats: int | None = None,
    play_seed: int = 0,
    decisions: int | None = None,
) -> None:
    """Play a match at random from ``play_seed`` and hold every law at every decision, or at so many of them."""
    rng = random.Random(play_seed)
    state = State.new(variant, options, seed, seats)
    actions = _play(state.clone(), rng)
    checked = set(range(len(actions)))
    if decisions is not None and decisions < len(actions):
        checked = set(rng.sample(range(len(actions)), decisions))
    for number, action in enumerate(actions):
        if number in checked:
            check_decision(state, rng)
        state.apply(action)
    check_end(state)
    check_record(state)


def check_decision(state: State, rng: random.Random) -> None:
    """The laws of a state in which somebody is asked."""
    check_actions(state)
    check_refusals(state)
    check_clones(state, rng)
    for seat in range(state.seats):
        check_view(state, seat)
        check_samples(state, seat, rng)
    _hold(state.spectate().legal == (), "a spectator may do nothing")
    spectator = state.spectate()
    for hand in _hands(spectator):
        _hold(set(hand.cards) <= _shown(spectator), "a spectator sees no hand card that is not shown")
    _hold(state.returns() == state.balances(), "before the end the results are the balances")


def check_actions(state: State) -> None:
    """Somebody is asked, and for codes of the variant that have texts of their own, ascending."""
    legal = state.legal_actions()
    _hold(0 <= state.current_player < state.seats, "somebody is asked until the match is over")
    _hold(bool(legal) and legal == sorted(set(legal)), "legal actions are ascending and never none before the end")
    _hold(legal[-1] < variant_info(state.variant).num_actions, "a code is one of the variant's")
    texts = state.legal_texts()
    _hold(texts == [state.action_text(code) for code in legal], "the legal texts are those of the legal codes")
    _hold([state.parse_action(text) for text in texts] == legal, "every text gives its code back")


def check_refusals(state: State) -> None:
    """What is not legal is refused and changes nothing."""
    before = _everything(state)
    for code in {-1, variant_info(state.variant).num_actions, *range(0, 300, 37)} - set(state.legal_actions()):
        try:
            state.apply(code)
        except IllegalActionError as error:
            _hold(error.code == code, "a refusal names the code")
        else:
            _hold(False, f"the code {code}, which is not legal, is refused")
    _hold(_everything(state) == before, "a refused action leaves the state as it was")


def check_clones(state: State, rng: random.Random) -> None:
    """A clone is at the same point and goes its own way from there."""
    before = _everything(state)
    clone, twin = state.clone(), state.clone()
    _hold(_everything(clone) == before, "a clone is at the same point")
    action = rng.choice(state.legal_actions())
    clone.apply(action)
    twin.apply(action)
    _hold(_everything(clone) == _everything(twin), "the same action leads two clones to the same point")
    _hold(_everything(state) == before, "what a clone does leaves the state as it was")


def check_view(state: State, seat: int) -> None:
    """A seat's observation holds what is its own, every card at most once, and nothing of the others' hands."""
    view = state.observation(seat)
    is_asked = seat == state.current_player
    _hold(view.seat == seat and view.phase in PHASES, "an observation says whose it is and what is asked")
    _hold(view.legal == (tuple(state.legal_actions()) if is_asked else ()), "only the seat that is asked may act")
    _hold(-1 <= view.turn < state.seats, "the turn is a seat's")
    zones = [zone for zone in view.zones if zone.kind not in ("shown", "bottom")]
    cards = [card for zone in zones for card in zone.cards]
    _hold(len(cards) == len(set(cards)), "no card is seen in two places")
    _hold(sum(zone.count for zone in zones) == variant_info(state.variant).cards, "every card lies somewhere")
    _hold(all(len(zone.cards) <= zone.count for zone in view.zones), "no more cards are seen than there are")
    for hand in _hands(view):
        if hand.seat == seat:
            _hold(len(hand.cards) == hand.count, "a seat sees its whole hand")
        else:
            _hold(set(hand.cards) <= _shown(view), "of another's hand a seat sees what is shown to all")
    events = state.events(seat)
    _hold(events[len(events) - len(view.events) :] == view.events, "an observation's events are the deal's")
    _hold(pickle.loads(pickle.dumps(view)) == view, "an observation can be sent")  # noqa: S301 - just made here
    _hold(hash(state.observation(seat)) == hash(view), "equal observations hash alike")


def check_samples(state: State, seat: int, rng: random.Random) -> None:
    """A seat cannot tell a sampled state from the true one; it has no seed to give away, and can be played on."""
    view = state.observation(seat)
    number = rng.getrandbits(64)
    sample = state.determinize(seat, number)
    _hold(sample.observation(seat) == view, "a seat cannot tell a sampled state from the true one")
    again = State.from_observation(view, number)
    _hold(again.state_hash() == sample.state_hash(), "a sample follows from the observation and the number alone")
    _hold(sample.seed is None, "a sampled state has no seed")
    for secret in (sample.actions, sample.transcript):
        try:
            secret()
        except SampledStateError:
            continue
        _hold(False, "a sampled state has no actions and no transcript")
    deal = (sample.month, sample.attempt)
    while not sample.is_over and (sample.month, sample.attempt) == deal:
        sample.apply(rng.choice(sample.legal_actions()))
    _hold(len(sample.returns()) == state.seats, "a sampled state can be played on")


def check_end(state: State) -> None:
    """Nothing can be done once the match is over, and ranks follow results."""
    _hold(state.is_over and state.current_player == -1 and state.legal_actions() == [], "nobody is asked at the end")
    try:
        state.apply(0)
    except MatchOverError:
        pass
    else:
        _hold(False, "an action after the end is refused")
    results = state.returns()
    ranks = tuple(1 + sum(rival > result for rival in results) for result in results)
    _hold(state.placing() == ranks, "ranks follow the results, equal seats sharing the better one")
    _hold(state.events(ALL)[-1].values == results, "the last event holds the results")
    for seat in range(state.seats):
        check_view(state, seat)


def check_record(state: State) -> None:
    """Seed and actions play the match again; events add up; the transcript is plain JSON."""
    actions = state.actions()
    packed = b"".join(code.to_bytes(2, "little") for code in actions)
    for again in (actions, packed):
        replay = State.new(state.variant, state.options, state.seed or 0, state.seats)
        replay.apply_all(again)
        _hold(_everything(replay) == _everything(state), "the same seed and actions give the same match")
        _hold(replay.transcript(legal=True) == state.transcript(legal=True), "and the same transcript")
    everything = state.events(ALL)
    _hold(len(everything) == state.event_count, "every event is counted")
    for seat in (*range(state.seats), SPECTATOR):
        seen = state.events(seat)
        for since in (0, 1, len(everything) // 2, len(everything)):
            tail = state.events(seat, since)
            _hold(seen[len(seen) - len(tail) :] == tail, "later events are the end of all events")
        _hold(state.events(seat, len(everything)) == (), "after the last event nothing has happened")
    transcript = state.transcript(legal=True)
    _hold(json.loads(json.dumps(transcript)) == transcript, "a transcript is plain JSON")
    months = transcript["months"]
    assert isinstance(months, list)
    _hold(sum(len(month["actions"]) for month in months) == len(actions), "a transcript holds every action")
    scores = [month["scores"] for month in months]
    start = [total - sum(column) for total, column in zip(state.balances(), zip(*scores, strict=True), strict=True)]
    _hold(len(set(start)) == 1, "every seat's balance is the same start and its scores")


def _play(state: State, rng: random.Random) -> list[int]:
    """Play to the end at random; return what was done."""
    actions = []
    while not state.is_over:
        actions.append(rng.choice(state.legal_actions()))
        state.apply(actions[-1])
    return actions


def _hands(view: Observation) -> list[Zone]:
    return [zone for zone in view.zones if zone.kind == "hand"]


def _shown(view: Observation) -> set[int]:
    return {card for zone in view.zones if zone.kind == "shown" for card in zone.cards}


def _everything(state: State) -> tuple[object, ...]:
    views = tuple(state.observation(seat) for seat in range(state.seats))
    recent = state.events(ALL, max(0, state.event_count - RECENT))
    return (state.state_hash(), state.legal_actions(), state.event_count, recent, state.spectate(), views)


def _hold(holds: bool, law: str) -> None:
    if not holds:
        raise AssertionError(law)
