"""The bot that a call is for."""

from arena.rpc.errors import ApiError, Reason
from arena.rpc.identity import BotIdentity, Operator, caller
from arena.services.requests import required
from arena.store import Bot, Bots


async def acting_bot(bots: Bots, name: str) -> str:
    """The bot that a request names, which has to be the caller's, or without a name the calling bot itself.

    Raises ApiError NOT_YOUR_BOT, UnknownBotError; INVALID_REQUEST where an owner names none.
    """
    identity = caller.get()
    if isinstance(identity, BotIdentity):
        if name not in ("", identity.name):
            raise _not_yours(name)
        return identity.name
    bot = await bots.get(required("bot", name))
    if not is_callers(bot):
        raise _not_yours(name)
    return name


def is_callers(bot: Bot) -> bool:
    """Whether a bot is the caller or one of the caller's; every bot is an operator's."""
    identity = caller.get()
    if isinstance(identity, Operator):
        return True
    return identity.name == (bot.name if isinstance(identity, BotIdentity) else bot.owner)


def _not_yours(name: str) -> ApiError:
    return ApiError(Reason.NOT_YOUR_BOT, f"bot {name} is not the caller's", metadata={"bot": name})
