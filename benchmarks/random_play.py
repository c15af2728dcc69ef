"""Random play of whole matches, each held against the laws: `python -m benchmarks.random_play --matches 100000`.

Every seat draws each of its choices by lot. Of every match: it ends, with a typed end; no deal and no match is longer
than the safeguards allow; after the deal, at a decision drawn by lot and at the end every card lies in one place and
money only moves; its replay verifies and is no larger than is promised. Of one match in ten the laws of every seat's
view are held too. The seats are all the numbers that the variant can be played by, in turn. The first law that does not
hold ends it with the match's seed.
"""

import argparse
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from arena.match.model import End
from arena.match.outcome import end_of
from arena.replays import ReplayRecord, decode, encode, verify
from core_ext import ALL, VARIANTS, State, variant_info
from core_ext.contract import check_actions, check_end, check_view

MAX_DEALS = 36 * 21
"""In a match: no variant has more than three years of months (kyogi R4), nor more than 21 deals of one."""
MAX_DECISIONS = 200 * 5
"""In a deal: 200 turns (sangohana R2) in which every seat is asked, the one whose turn it is twice."""
TWELVE_DEALS = {2: 1_024}
"""How many bytes a replay of twelve deals has at most, by seats."""
TWELVE_DEALS_OF_MORE = 1_536
FURTHER_DEAL = 64
"""And how many more for each further deal."""
VIEWED = 10
"""Of one match in so many the views are held."""
SOME_DECISION = 150
"""A decision below this one is held; hardly a match has fewer."""
BATCH = 250


class BrokenLawError(AssertionError):
    """A law does not hold; the message begins with the match's seed."""


@dataclass
class Tally:
    """What some matches came to: sums, and maxima of single matches (of single deals: `deal_decisions`)."""

    matches: int = 0
    decisions: int = 0
    deals: int = 0
    safeguards: int = 0
    cut_short: int = 0
    most_deals: int = 0
    deal_decisions: int = 0
    most_bytes: int = 0

    def add(self, tally: "Tally") -> None:
        """Takes in another."""
        for sums in ("matches", "decisions", "deals", "safeguards", "cut_short"):
            setattr(self, sums, getattr(self, sums) + getattr(tally, sums))
        for name in ("most_deals", "deal_decisions", "most_bytes"):
            setattr(self, name, max(getattr(self, name), getattr(tally, name)))


def tally(variant: str, seed: str, first: int, matches: int) -> Tally:
    """The matches of numbers from `first`. BrokenLawError."""
    tally = Tally()
    least, highest, _ = variant_info(variant).seats
    for number in range(first, first + matches):
        text = f"{seed}/{number}"
        try:
            seats = least + number % (highest + 1 - least)
            tally.add(_match(State.new(variant, seed=text, seats=seats), random.Random(text), number % VIEWED == 0))
        except Exception as error:
            raise BrokenLawError(f"{variant}, seed {text!r}: {type(error).__name__}: {error}") from error
    return tally


def _match(state: State, rng: random.Random, viewed: bool) -> Tally:
    """Plays the match on to its end."""
    start = state.clone()
    money = _hold_table(state)
    decision = int(rng.random() * SOME_DECISION)
    dice = rng.random  # several times as fast as the other ways to draw
    choices = bytearray()
    deal, deal_began, longest = (state.month, state.attempt), 0, 0
    while not state.is_over:
        if len(choices) == decision:
            assert _hold_table(state) == money, "money only moves"
            if viewed:
                _hold_views(state)
        legal = state.legal_actions()
        choices.append(int(dice() * len(legal)))
        state.apply(legal[choices[-1]])
        if deal != (state.month, state.attempt) or state.is_over:
            longest = max(longest, len(choices) - deal_began)
            deal, deal_began = (state.month, state.attempt), len(choices)
        assert len(choices) - deal_began <= MAX_DECISIONS, "a deal is longer than the safeguards allow"
    assert _hold_table(state) == money, "money only moves"
    if viewed:
        check_end(state)
    ended = [event.name for event in state.events(ALL) if event.kind == "month_end"]
    assert len(ended) <= MAX_DEALS, "a match is longer than the safeguards allow"
    size = _replay_bytes(state, start, bytes(choices))
    limit = TWELVE_DEALS.get(state.seats, TWELVE_DEALS_OF_MORE) + FURTHER_DEAL * max(0, len(ended) - 12)
    assert size <= limit, f"{size} bytes of replay for {len(ended)} deals"
    return Tally(
        matches=1,
        decisions=len(choices),
        deals=len(ended),
        safeguards=ended.count("safeguard"),
        cut_short=end_of(state) is End.SAFEGUARD,
        most_deals=len(ended),
        deal_decisions=longest,
        most_bytes=size,
    )


def _hold_views(state: State) -> None:
    check_actions(state)
    for seat in range(state.seats):
        check_view(state, seat)


def _hold_table(state: State) -> int | None:
    """Every card lies in one place. What all seats and the pot hold; None where points are made, not moved."""
    table = state.spectate()
    places = [zone for zone in table.zones if zone.kind not in ("shown", "bottom")]
    assert sum(zone.count for zone in places) == variant_info(state.variant).cards, "every card lies somewhere"
    seen = [card for zone in places for card in zone.cards]
    assert len(seen) == len(set(seen)), "no card lies in two places"
    pots = [counter.value for counter in table.counters if counter.name == "pot"]
    return sum(state.balances()) + pots[0] if pots else None


def _replay_bytes(state: State, start: State, choices: bytes) -> int:
    """The size of the match's replay, which verifies."""
    assert state.seed is not None
    packed, running_hash = start.pack_choices(choices)
    data = encode(
        ReplayRecord(
            match_id="0123456789abcdef",
            variant=state.variant,
            rules_version=state.rules_version,
            options={},
            names=tuple(f"a-bot-in-seat-{seat}" for seat in range(state.seats)),
            versions=("1.0.0",) * state.seats,
            seed=state.seed,
            packed=packed,
            decisions=len(choices),
            clock_ms=(),
            end=end_of(state),
            offender=-1,
            results=state.returns(),
            running_hash=running_hash,
        )
    )
    differences = verify(decode(data))
    assert not differences, f"its replay does not verify: {differences}"
    return len(data)


def tallies(variant: str, matches: int, seed: str, workers: int) -> Iterator[Tally]:
    """Batch by batch, on so many processes."""
    with ProcessPoolExecutor(workers) as pool:
        batches = [
            pool.submit(tally, variant, seed, first, min(BATCH, matches - first)) for first in range(0, matches, BATCH)
        ]
        for batch in batches:
            yield batch.result()


def main() -> None:
    """Print one line for each variant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000, help="of each variant")
    parser.add_argument("--variant", choices=VARIANTS, action="append", help="by default each")
    parser.add_argument("--seed", default="random play")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    for variant in args.variant or VARIANTS:
        began = time.perf_counter()
        tally = Tally()
        for part in tallies(variant, args.matches, args.seed, args.workers):
            tally.add(part)
        print(
            f"{variant}: {tally.matches:,} matches, {tally.decisions:,} decisions, "
            f"at most {tally.deal_decisions} a deal; "
            f"{tally.deals / tally.matches:.2f} deals a match, at most {tally.most_deals}; ended by a safeguard: "
            f"{tally.safeguards} months, {tally.cut_short} matches; replays of at most {tally.most_bytes} bytes; "
            f"{time.perf_counter() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
