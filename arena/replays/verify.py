"""Plays a replay again in the rules core, and compares."""

from msgspec import Struct

from arena.match.model import NO_FORFEIT, PLAYED_OUT, End
from arena.match.outcome import end_of, results_of
from arena.replays.errors import MalformedReplayError, UnknownRulesVersionError
from arena.replays.record import ReplayRecord
from core_ext import State, variant_info
from core_ext.errors import CoreError, UnknownVariantError


class Verification(Struct, frozen=True):
    """What came of playing a replay again: each difference in words, none where it is true."""

    decisions: int
    differences: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the match went exactly as the replay says."""
        return not self.differences


def verify(record: ReplayRecord) -> Verification:
    """Plays the match again and compares its end, its results and the hash of its last state.

    Raises UnknownRulesVersionError where this program cannot tell, MalformedReplayError where no such match can begin.
    """
    state = start(record)
    try:
        state.apply_packed(record.packed, record.decisions)
    except CoreError as error:
        return Verification(record.decisions, (f"no match has these choices: {error}",))
    return Verification(record.decisions, tuple(_differences(record, state)))


def transcript(record: ReplayRecord, *, legal: bool = False) -> dict[str, object]:
    """The match as a transcript, with the legal lists on demand.

    Raises UnknownRulesVersionError, MalformedReplayError, and CoreError where no match has these choices.
    """
    state = start(record)
    state.apply_packed(record.packed, record.decisions)
    return state.transcript(legal)


def start(record: ReplayRecord) -> State:
    """The state before the first action. Raises UnknownRulesVersionError, MalformedReplayError."""
    try:
        known = variant_info(record.variant).rules_version
    except UnknownVariantError as error:
        raise UnknownRulesVersionError(
            f"the replay is of {record.variant!r}, which this program does not play"
        ) from error
    if record.rules_version != known:
        raise UnknownRulesVersionError(
            f"the replay was played by version {record.rules_version} of the rules of {record.variant}; "
            f"this program plays version {known}"
        )
    try:
        return State.new(record.variant, record.options, record.seed, len(record.names))
    except CoreError as error:
        raise MalformedReplayError(f"no match can be as the replay says: {error}") from error


def _differences(record: ReplayRecord, state: State) -> list[str]:
    found = []
    if state.is_over != (record.end in PLAYED_OUT):
        how = "is over" if state.is_over else "is not over"
        found.append(f"it ended as {record.end}, but after its last action the match {how}")
    elif state.is_over and (end := end_of(state)) is not record.end:
        found.append(f"it ended as {record.end}, but the match ends as {end}")
    if (record.offender < 0) != (record.end in NO_FORFEIT):
        found.append(f"it ended as {record.end}, but the seat that forfeited is {record.offender}")
    elif record.end in (End.ILLEGAL_ACTION, End.TIMEOUT) and record.offender != state.current_player:
        found.append(f"seat {record.offender} forfeited, but seat {state.current_player} was asked")
    results = results_of(state)
    if record.results != results:
        found.append(f"the results are {list(results)}, not {list(record.results)}")
    if record.state_hash != state.state_hash():
        found.append(f"the last state's hash is {state.state_hash()}, not {record.state_hash}")
    return found
