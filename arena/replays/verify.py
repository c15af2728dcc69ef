"""Plays a replay again in the rules core, and compares."""

from collections.abc import Iterator

from arena.match.model import NO_FORFEIT, PLAYED_OUT, End
from arena.match.outcome import end_of, results_of
from arena.replays.errors import MalformedReplayError, UnknownVersionError
from arena.replays.record import ReplayRecord
from core_ext import State, variant_info
from core_ext.errors import CoreError, UnknownVariantError


def verify(record: ReplayRecord) -> tuple[str, ...]:
    """Plays the match again and compares its end, its results and the hash over all its positions.

    Returns each difference in words: none where the match went exactly as the replay says.
    Raises UnknownVersionError where this program cannot tell, MalformedReplayError where no such match can begin.
    """
    state = start(record)
    try:
        _, running_hash = state.apply_packed(record.packed, record.decisions)
    except CoreError as error:
        return (f"its actions are not those of a legal match: {error}",)
    return tuple(_differences(record, state, running_hash))


def transcript(record: ReplayRecord, *, legal: bool = False) -> dict[str, object]:
    """The match as a transcript, with the legal lists on demand.

    Raises UnknownVersionError, MalformedReplayError, and CoreError where no match has these choices.
    """
    state = start(record)
    state.apply_packed(record.packed, record.decisions)
    return state.transcript(legal)


def must_be_known(record: ReplayRecord) -> None:
    """Raises UnknownVersionError where the replay's variant, or the version of its rules, is not played here."""
    try:
        rules_version = variant_info(record.variant).rules_version
    except UnknownVariantError as error:
        raise UnknownVersionError(f"the replay is of {record.variant!r}, which this program does not play") from error
    if record.rules_version != rules_version:
        raise UnknownVersionError(
            f"the replay needs version {record.rules_version} of the rules of {record.variant}; "
            f"this program plays version {rules_version}"
        )


def start(record: ReplayRecord) -> State:
    """The state before the first action. Raises UnknownVersionError, MalformedReplayError."""
    must_be_known(record)
    try:
        return State.new(record.variant, record.options, record.seed, len(record.names))
    except CoreError as error:
        raise MalformedReplayError(f"the replay describes an impossible match: {error}") from error


def positions(record: ReplayRecord) -> Iterator[tuple[State, int]]:
    """The match before each decision, with the index of what was chosen, and at its end, with -1.

    It is one state, which moves on. Raises what `start` raises, and CoreError where no match has these choices.
    """
    choices, _ = start(record).apply_packed(record.packed, record.decisions)
    state = start(record)
    for choice in choices:
        yield state, choice
        state.apply_choices(bytes((choice,)))
    yield state, -1


def _differences(record: ReplayRecord, state: State, running_hash: str) -> Iterator[str]:
    if state.is_over != (record.end in PLAYED_OUT):
        how = "is over" if state.is_over else "is not over"
        yield f"it ended as {record.end}, but after its last action the match {how}"
    elif state.is_over and (end := end_of(state)) is not record.end:
        yield f"it ended as {record.end}, but the match ends as {end}"
    if (record.offender < 0) != (record.end in NO_FORFEIT):
        yield f"it ended as {record.end}, but the seat that forfeited is {record.offender}"
    elif record.end in (End.ILLEGAL_ACTION, End.TIMEOUT) and record.offender != state.current_player:
        yield f"seat {record.offender} forfeited, but seat {state.current_player} was asked"
    results = results_of(state)
    if record.results != results:
        yield f"the results are {list(results)}, not {list(record.results)}"
    if record.running_hash != running_hash:
        yield f"the hash over all positions is {running_hash}, not {record.running_hash}"
