"""Why a bot cannot be asked, without being at fault."""


class SeatError(Exception):
    """Base of every error of a seat."""


class NotConnectedError(SeatError):
    """No connection of the bot stands."""


class NoPlaceError(SeatError):
    """The bot plays as many matches as it takes at once, or it drains."""


class SeatTakenError(SeatError):
    """The seat is another's: the match was resumed elsewhere, or the bot plays others meanwhile."""


class LinkError(SeatError):
    """Another node cannot be reached, or its stream is lost."""
