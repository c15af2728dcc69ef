"""What a replay says, as a plain value."""

from collections.abc import Mapping

from msgspec import Struct

from arena.referee.model import End, MatchResult, MatchSpec
from core_ext import variant_info


class ReplayRecord(Struct, frozen=True):
    """A match that was played.

    `names`, `versions` and `results` are by seat, `choices` (indexes into the legal list) and `clock_ms` by decision;
    `clock_ms` is empty where the readings were not kept. `options` holds what differs from the variant's defaults, as
    JSON has it. `state_hash` is that of the state after the last action, in 16 hex digits.
    """

    match_id: str
    variant: str
    rules_version: int
    options: Mapping[str, object]
    names: tuple[str, ...]
    versions: tuple[str, ...]
    seed: bytes
    choices: bytes
    clock_ms: tuple[int, ...]
    end: End
    offender: int
    results: tuple[int, ...]
    state_hash: str


def from_match(spec: MatchSpec, result: MatchResult, *, clock: bool = False) -> ReplayRecord:
    """The record of a match that is over; with `clock`, how long each decision took is kept."""
    return ReplayRecord(
        match_id=spec.match_id,
        variant=spec.variant,
        rules_version=variant_info(spec.variant).rules_version,
        options=spec.options,
        names=spec.names,
        versions=spec.versions or ("",) * len(spec.names),
        seed=spec.seed,
        choices=result.choices,
        clock_ms=result.clock_ms if clock else (),
        end=result.end,
        offender=result.offender,
        results=result.results,
        state_hash=result.state_hash,
    )
