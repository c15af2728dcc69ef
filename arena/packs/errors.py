"""What can go wrong with a submission."""


class SubmissionError(Exception):
    """Base of every error of submissions; its text is for the bot's author."""


class ManifestError(SubmissionError):
    """`bot.toml` is missing, or says something that the arena does not understand."""


class PackError(SubmissionError):
    """A folder cannot be packed, or a pack is not one that `pack` could have made."""


class UploadIncompleteError(SubmissionError):
    """An upload cannot be finished yet; `received` says where to go on."""

    def __init__(self, received: int, size: int) -> None:
        self.received = received
        super().__init__(f"{received:,} of {size:,} bytes are there")


class VersionTakenOutError(SubmissionError):
    """The operator has taken the version out: it never plays again."""
