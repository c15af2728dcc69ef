"""What goes wrong with weights and training."""


class StrengthError(ValueError):
    """Something about a learned player is wrong; the text says what."""


class WeightsError(StrengthError):
    """A file of weights does not fit the variant, or is damaged."""


class CheckpointError(StrengthError):
    """A checkpoint belongs to another training, or is damaged."""
