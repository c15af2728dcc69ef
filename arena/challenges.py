"""From whom a bot takes challenges."""

from enum import StrEnum


class Challenges(StrEnum):
    """From whom a bot takes challenges: from the bots of its owner, from anyone, or from nobody."""

    OWNER = "owner"
    ANYONE = "anyone"
    NONE = "none"
