"""Progress bars, in a terminal and in notebooks."""

from typing import Any

from tqdm.auto import tqdm


def bar(total: int, unit: str, *, shown: bool) -> "tqdm[Any]":
    """Return a bar over so many of something; where it is not `shown` it counts and draws nothing."""
    return tqdm(total=total, unit=f" {unit}", disable=not shown, leave=False, dynamic_ncols=True)
