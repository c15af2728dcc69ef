"""The names of leagues, entries, bots, owners and matches: such as can stand in a key, an id or a file name."""

import re

NAME_RULE = "1 to 64 letters, digits, '.', '_' or '-', the first a letter or digit"
"""What a name must be, for messages."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)


def is_name(text: str) -> bool:
    """Whether the text is a name, by NAME_RULE."""
    return _NAME.fullmatch(text) is not None
