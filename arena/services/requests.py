"""Checks that requests have in common."""

from typing import Protocol

from arena.rpc.errors import invalid
from arena.rpc.paging import DEFAULT_PAGE, MAX_PAGE


class PageRequest(Protocol):
    """The fields that every list request has."""

    page_size: int
    page_token: str


def page_of(request: PageRequest) -> tuple[str, int]:
    """Return the cursor to go on from ("" for the beginning) and how many to list. Raises ApiError INVALID_REQUEST."""
    if request.page_size > MAX_PAGE:
        raise invalid(page_size=f"at most {MAX_PAGE} a page, not {request.page_size}")
    return request.page_token, request.page_size or DEFAULT_PAGE


def required(field: str, value: str) -> str:
    """Return the value of a field that may not be empty. Raises ApiError INVALID_REQUEST."""
    if not value:
        raise invalid(**{field: "is required"})
    return value
