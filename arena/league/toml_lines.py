"""Where a key of a TOML document stands: `tomllib` gives values without lines."""

import tomllib
from bisect import bisect_left
from contextlib import suppress
from itertools import product
from typing import Any

Path = tuple[str | int, ...]

# What closes a document that is cut off after a line, the likely first: strings of several lines, arrays and tables.
_ENDS = ["".join(brackets) for depth in range(4) for brackets in product("]}", repeat=depth)]
_CLOSERS = [quote + end for quote in ("", '"""', "'''") for end in _ENDS]


def holds(document: Any, path: Path) -> bool:
    """Whether there is a value at a path: keys from the root down, and indexes of arrays, `("entries", 2, "bot")`."""
    for part in path:
        if part not in (document if isinstance(document, dict) else range(len(document))):
            return False
        document = document[part]
    return True


def line_of(text: str, path: Path) -> int:
    """The line (from 1) of a key, table or array element of a document that `tomllib` accepts.

    A table of several headers is at its first. The line is the last one of the shortest beginning of the document that
    has the key, once closed. Of values that are nested deeper than three it may be a later one.
    """
    lines = text.split("\n")

    def has_key(count: int) -> bool:
        for closer in _CLOSERS:
            with suppress(tomllib.TOMLDecodeError):
                return holds(tomllib.loads("\n".join([*lines[:count], closer])), path)
        return False

    return bisect_left(range(1, len(lines) + 1), True, key=has_key) + 1
