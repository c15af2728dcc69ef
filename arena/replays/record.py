"""What a replay says, as a plain value."""

from collections.abc import Mapping

from msgspec import Struct

from arena.match.model import End, MatchResult, MatchSpec, Policy, TimeControl
from core_ext import State


class ReplayRecord(Struct, frozen=True):
    """A match that was played.

    `names`, `versions` and `results` are by seat. `packed` holds the choices of so many decisions, as
    `State.pack_choices` packs them. `clock_ms` is by decision, empty where the readings were not kept. `options` holds
    what differs from the variant's defaults, as JSON has it. `running_hash` is the one over all choices and positions
    that `State.pack_choices` gives. `house_bots` (`NAME@ARENA_VERSION`, "" for other bots) and `salts` are by seat;
    empty, as `time` is None, where they were not kept.
    """

    match_id: str
    variant: str
    rules_version: int
    options: Mapping[str, object]
    names: tuple[str, ...]
    versions: tuple[str, ...]
    seed: bytes
    packed: bytes
    decisions: int
    clock_ms: tuple[int, ...]
    end: End
    offender: int
    results: tuple[int, ...]
    running_hash: str
    house_bots: tuple[str, ...] = ()
    salts: tuple[str, ...] = ()
    time: TimeControl | None = None
    policy: Policy = Policy.STRICT


def under_way(spec: MatchSpec, choices: bytes) -> ReplayRecord:
    """The record of a match that goes on, as if it were abandoned after these choices."""
    state = State.new(spec.variant, spec.options, spec.seed, len(spec.names))
    state.apply_choices(choices)
    return from_match(spec, MatchResult(End.ABANDONED, -1, state.returns(), (), choices, (), ()))


def from_match(
    spec: MatchSpec, result: MatchResult, *, clock: bool = False, house_bots: tuple[str, ...] = ()
) -> ReplayRecord:
    """The record of a match that is over; with `clock`, how long each decision took is kept."""
    state = State.new(spec.variant, spec.options, spec.seed, len(spec.names))
    packed, running_hash = state.pack_choices(result.choices)
    return ReplayRecord(
        match_id=spec.match_id,
        variant=spec.variant,
        rules_version=state.rules_version,
        options=spec.options,
        names=spec.names,
        versions=spec.versions or ("",) * len(spec.names),
        seed=spec.seed,
        packed=packed,
        decisions=len(result.choices),
        clock_ms=result.clock_ms if clock else (),
        end=result.end,
        offender=result.offender,
        results=result.results,
        running_hash=running_hash,
        house_bots=house_bots if any(house_bots) else (),
        salts=spec.salts if any(spec.salts) else (),
        time=spec.time,
        policy=spec.policy,
    )
