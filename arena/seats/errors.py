"""Why a bot cannot be reached for a decision, other than by a fault of its own."""


class SeatError(Exception):
    """Base of every error of a seat."""


class NotConnectedError(SeatError):
    """No connection of the bot stands."""


class NoPlaceError(SeatError):
    """The bot plays as many matches as it takes, or it drains."""


class SeatTakenError(SeatError):
    """The match was taken up by another seat of the bot: this one was left behind."""


class LinkError(SeatError):
    """Another node cannot be reached, or its stream is lost."""
