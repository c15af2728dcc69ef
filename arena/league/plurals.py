"""Counts with their nouns: `1 match`, `2 matches`."""


def pluralize(number: int, singular: str, plural: str | None = None) -> str:
    """Return `1 match`, `2 matches`; `plural` is for nouns whose plural has more than an s."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"
