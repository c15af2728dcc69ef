"""What a call raises, the store's errors above all, as errors of the API."""

from arena.rpc.errors import ApiError, Reason
from arena.store import errors

_REASONS: dict[type[Exception], Reason] = {
    errors.UnknownBotError: Reason.UNKNOWN_BOT,
    errors.UnknownLeagueError: Reason.UNKNOWN_LEAGUE,
    errors.UnknownLadderError: Reason.UNKNOWN_LADDER,
    errors.UnknownMatchError: Reason.UNKNOWN_MATCH,
    errors.MatchRunningError: Reason.MATCH_RUNNING,
    errors.OpenMatchesError: Reason.CHALLENGE_LIMIT,
    errors.HourlyMatchesError: Reason.CHALLENGE_LIMIT,
    errors.BotBusyError: Reason.BOT_BUSY,
    errors.UnknownReplayError: Reason.UNKNOWN_REPLAY,
    errors.BoardStillOpenError: Reason.BOARD_OPEN,
    errors.LeagueStateError: Reason.LEAGUE_CLOSED,
    errors.DivisionOverError: Reason.LEAGUE_CLOSED,
    errors.WithdrawnError: Reason.LEAGUE_CLOSED,
    errors.OwnersBotsError: Reason.LIMIT_REACHED,
    errors.EntryChangedError: Reason.ALREADY_ENTERED,
    errors.NotEnteredError: Reason.NOT_ENTERED,
    errors.OwnerEndedError: Reason.TOKEN_REVOKED,
    errors.NameTakenError: Reason.NAME_TAKEN,
    errors.OwnerLimitError: Reason.LIMIT_REACHED,
    errors.VersionsFullError: Reason.LIMIT_REACHED,
    errors.UploadError: Reason.UNKNOWN_UPLOAD,
    errors.UnknownVersionError: Reason.UNKNOWN_VERSION,
    errors.VersionStateError: Reason.VERSION_NOT_QUALIFIED,
    errors.StoreUnavailableError: Reason.STORE_UNAVAILABLE,
}
_FIELDS: dict[type[Exception], str] = {
    errors.InvalidCursorError: "page_token",
    errors.InvalidNameError: "name",
    errors.UnknownDivisionError: "variants",
}


def refusal_of(error: Exception) -> ApiError:
    """Return the error on the wire. Errors that no caller can fix are reported as INTERNAL without details."""
    if isinstance(error, ApiError):
        return error
    field = _FIELDS.get(type(error))
    if field is not None:
        return ApiError(Reason.INVALID_REQUEST, str(error), fields={field: str(error)})
    reason = _REASONS.get(type(error))
    if reason is Reason.STORE_UNAVAILABLE:
        return ApiError(reason, "the arena's store does not answer; try again")
    if reason is None:
        return ApiError(Reason.INTERNAL, "the arena failed; its log says more")
    about = {"limit": error.limit, "most": str(error.value)} if isinstance(error, errors.OwnerLimitError) else None
    retry_s = error.retry_s if isinstance(error, errors.ChallengeLimitError) else None
    return ApiError(reason, str(error), metadata=about, retry_s=retry_s)
