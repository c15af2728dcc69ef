"""Counts with their nouns: `1 match`, `2 matches`."""


def pluralize(number: int, one: str, many: str | None = None) -> str:
    """`1 match`, `2 matches`; `many` where the plural has more than an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
