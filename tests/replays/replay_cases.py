"""Replays of matches played at random, and the golden ones.

`python tests/replays/replay_cases.py --regenerate` writes the golden ones anew, for a raised version of the rules.
"""

import asyncio
import random
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from arena.match.model import End, MatchSpec, TimeControl
from arena.match.outcome import end_of
from arena.match.play import play
from arena.replays import ReplayRecord, encode, from_match
from arena.replays.verify import start
from arena.sdk import Bot, Decision
from arena.seats.in_process import InProcessSeat
from core_ext import VARIANTS, State, parse_seed, variant_info

GOLDEN = Path(__file__).parents[1] / "golden" / "replays"


def random_record(
    seed: str, variant: str = "koikoi", options: Mapping[str, object] | None = None, clock: bool = False
) -> ReplayRecord:
    """A whole match, every choice drawn by lot."""
    rng = random.Random(seed)
    state = State.new(variant, options, parse_seed(seed))
    choices = bytearray()
    while not state.is_over:
        legal = state.legal_actions()
        choices.append(rng.randrange(len(legal)))
        state.apply(legal[choices[-1]])
    clock_ms = tuple(rng.randrange(3_000) for _ in choices) if clock else ()
    return record_of(state, options or {}, bytes(choices), f"the-match-with-the-seed-{seed}", clock_ms)


def record_of(
    state: State, options: Mapping[str, object], choices: bytes, match_id: str, clock_ms: tuple[int, ...] = ()
) -> ReplayRecord:
    """The record of a match that these choices have ended."""
    assert state.seed is not None
    packed, running_hash = State.new(state.variant, options, state.seed, state.seats).pack_choices(choices)
    return ReplayRecord(
        match_id=match_id,
        variant=state.variant,
        rules_version=state.rules_version,
        options=options,
        names=tuple(f"a-bot-in-seat-{seat}" for seat in range(state.seats)),
        versions=("1.0.0",) * state.seats,
        seed=state.seed,
        packed=packed,
        decisions=len(choices),
        clock_ms=clock_ms,
        end=end_of(state),
        offender=-1,
        results=state.returns(),
        running_hash=running_hash,
    )


def played(record: ReplayRecord) -> State:
    """The state after the record's last choice."""
    state = start(record)
    state.apply_packed(record.packed, record.decisions)
    return state


def choices_of(record: ReplayRecord) -> bytes:
    """Its choices, a byte each."""
    return start(record).apply_packed(record.packed, record.decisions)[0]


def first_choices(record: ReplayRecord, decisions: int) -> ReplayRecord:
    """The record cut off after so many decisions, its end and results as they were."""
    packed, running_hash = start(record).pack_choices(choices_of(record)[:decisions])
    return replace(record, packed=packed, decisions=decisions, running_hash=running_hash)


class _Forfeiter(Bot):
    """Plays by its dice until it has no more to say."""

    def choose(self, decision: Decision) -> object:
        return decision.random.choice(decision.legal) if decision.number < 40 else 10**9


def golden_records() -> dict[str, ReplayRecord]:
    """By file name: for each variant a match as it comes, one with clock readings, and one that was forfeited."""
    found = {}
    for variant in VARIANTS:
        info = variant_info(variant)
        short = {"months": 3} if any(option.name == "months" for option in info.options) else {}
        spec = MatchSpec(
            match_id=f"golden-{variant}",
            variant=variant,
            seed=parse_seed("golden"),
            names=("ann", "bo", "cy", "di")[: info.seats[2]],
            time=TimeControl(per_decision_ms=60_000),
        )
        forfeited = asyncio.run(play(spec, [InProcessSeat(_Forfeiter()) for _ in spec.names]))
        assert forfeited.end is End.BOT_ERROR
        found |= {
            f"{variant}.hreplay": random_record("golden", variant),
            f"{variant}-clock.hreplay": random_record("golden/2", variant, short, clock=True),
            f"{variant}-forfeit.hreplay": from_match(spec, forfeited),
        }
    return found


if __name__ == "__main__" and sys.argv[1:] == ["--regenerate"]:
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name, record in golden_records().items():
        (GOLDEN / name).write_bytes(encode(record))
