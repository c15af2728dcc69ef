"""The names of leagues, entries, bots, owners and matches: such as can stand in a key, an id or a file name."""

import re

NAME_RULE = "1 to 64 letters, digits, '.', '_' or '-', the first a letter or digit"
"""What a name must be, for messages."""

_SEASONS = "ladder."
"""What the names of leagues begin with that are seasons of a ladder."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)


def is_name(text: str) -> bool:
    """Whether the text is a name, by NAME_RULE."""
    return _NAME.fullmatch(text) is not None


def season_name(ladder: str, number: int) -> str:
    """The name of the league that is a ladder's `number`th season."""
    return f"{_SEASONS}{ladder}.{number}"


def is_season(league: str) -> bool:
    """Whether a league of this name is a ladder's season; others may not be called so."""
    return league.startswith(_SEASONS)


def ladder_of(season: str) -> str:
    """The ladder of a season, by the season's name."""
    return season.removeprefix(_SEASONS).rpartition(".")[0]
