"""What can keep a bot from playing."""


class SdkError(Exception):
    """Base of every error of the SDK."""


class RefusedError(SdkError):
    """The arena refuses the bot; `reason` is ErrorInfo's, or the status code's name."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(f"{text} ({reason})")
        self.reason = reason


class ArenaAwayError(SdkError):
    """The arena could not be reached for as long as the bot was willing to try."""


class DismissedError(SdkError):
    """The arena said goodbye for good: a newer connection took over, or the bot broke the protocol."""


class BotFailedError(SdkError):
    """The bot's own code raised, or answered what is not legal; the text shows the decision."""
