"""How a match stands that cannot be watched just now: it has not begun, may not be watched, or its replay waits."""

from arena.store.errors import InvalidNameError, UnknownLeagueError, UnknownMatchError
from arena.web.language import message
from arena.web.match_names import MatchPlace, place_of
from arena.web.site.boards import MatchStanding
from arena.web.site.reader import Reader

_OVER = message("This match is over. Its replay opens as soon as every match on its board is over.")
_NOT_OVER = message("This match waits to be played, or a bot on its board could learn from whoever watches it now.")
_WAITS = message("This match waits for its bots.")


async def standing_of(reader: Reader, match_id: str) -> MatchStanding | None:
    """Return how a match stands, None where there is no such match."""
    place = place_of(match_id)
    try:
        return await (_of_single(reader, match_id) if place is None else _of_league(reader, match_id, place))
    except (UnknownLeagueError, UnknownMatchError, InvalidNameError):
        return None


async def _of_league(reader: Reader, match_id: str, place: MatchPlace) -> MatchStanding | None:
    round_ = await reader.round(place.league, place.variant, place.round)
    matches = [match for table in round_.tables for match in table.matches] if round_ is not None else []
    asked = next((match for match in matches if match.name == place.name), None)
    if asked is None:
        return None
    begin = match_id.removesuffix(place.name)
    return MatchStanding(
        variant=place.variant,
        names=asked.seating,
        text=_OVER if asked.end else _NOT_OVER,
        league=place.league,
        beside=tuple(
            f"{begin}{match.name}"
            for match in matches
            if match.board == asked.board and match is not asked and not match.end
        ),
    )


async def _of_single(reader: Reader, match_id: str) -> MatchStanding:
    match = await reader.store.matches.get(match_id)
    return MatchStanding(variant="", names=match.bots, text=_WAITS)
