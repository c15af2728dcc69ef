"""What can go wrong when the rules core is used."""


class CoreError(ValueError):
    """The base of every error that the rules core raises. Its message is the last argument."""

    def __str__(self) -> str:
        return str(self.args[-1]) if self.args else ""


class UnknownVariantError(CoreError):
    """No variant has this id."""


class OptionError(CoreError):
    """An option is unknown, or its value is not allowed; ``name`` is the option's."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(name, message)
        self.name = name


class NoYearsError(CoreError):
    """Years are to be dealt of a variant whose years are all alike."""


class SeedError(CoreError):
    """A seed is empty or not of a form that can be a seed."""


class SeatsError(CoreError):
    """The variant is not played by so many seats, or the seat does not exist."""


class DeckError(CoreError):
    """A deck does not hold every card of the variant once."""


class IllegalActionError(CoreError):
    """The action is not legal now; ``code`` is the action's code. The state is as it was."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.code = code


class MatchOverError(CoreError):
    """The match is over: there is nothing left to decide."""


class PackedChoicesError(CoreError):
    """Packed choices are cut off, or are not as they are packed."""


class NotationError(CoreError):
    """A text is not a card or an action of the variant, or a code has no text."""


class ObservationError(CoreError):
    """No deal fits the observation."""


class SampledStateError(CoreError):
    """The state was not dealt from a seed (it was sampled or built from a deck), so it has no seed to tell."""
