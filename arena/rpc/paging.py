"""How long a page of a list is."""

DEFAULT_PAGE = 50
MAX_PAGE = 100
