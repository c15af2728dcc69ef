"""Bots that are called in this process: what stands for them, their names, and what they raise."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from arena.match.model import MatchSpec
from arena.sdk import Bot
from arena.simulate import ChoiceError
from bots import house

HOUSE = "house:"

BotLike = str | Bot | type[Bot]
"""The name of a house bot with `house:` or without, a bot of the SDK, or its class."""


def bot_of(bot: BotLike) -> Bot:
    """Return the bot; of a class, a new one. Raises UnknownHouseBotError."""
    if isinstance(bot, str):
        return house(bot.removeprefix(HOUSE))
    return bot() if isinstance(bot, type) else bot


class Players:
    """Bots that play match after match, by their names.

    Of a class a new bot is made for each seat of each match; objects, and house bots, play all of theirs.
    """

    def __init__(self, bots: Mapping[str, BotLike]) -> None:
        self._bots = {name: bot_of(bot) if isinstance(bot, str) else bot for name, bot in bots.items()}

    def of(self, name: str) -> Bot:
        """Return the bot of a name for a match."""
        return bot_of(self._bots[name])


def names_of(bots: Sequence[BotLike]) -> tuple[str, ...]:
    """A name for each bot; those that come more than once are numbered."""
    names = [
        bot.removeprefix(HOUSE) if isinstance(bot, str) else (bot if isinstance(bot, type) else type(bot)).__name__
        for bot in bots
    ]
    return tuple(
        name if names.count(name) == 1 else f"{name}-{names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    )


@contextmanager
def what_bots_raise(spec: MatchSpec) -> Iterator[None]:
    """Raise what a bot raises in a match as itself, with a note that says at which decision it was."""
    try:
        yield
    except ChoiceError as error:
        seed = f" of the match with seed {spec.seed.hex()}"
        error.cause.add_note(f"{spec.names[error.seat]} was asked its decision {error.number}{seed}:\n{error.decision}")
        raise error.cause from None
