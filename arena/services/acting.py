"""The bot that a call is for."""

from arena.rpc.errors import ApiError, Reason
from arena.rpc.identity import BotIdentity, Operator, caller
from arena.services.requests import required
from arena.store import Bot, Bots


async def acting_bot(bots: Bots, name: str) -> str:
    """Return the bot that a request names, which has to be the caller's, or without a name the calling bot itself.

    Raises ApiError NOT_YOUR_BOT, UnknownBotError; INVALID_REQUEST where an owner names none.
    """
    identity = caller.get()
    if isinstance(identity, BotIdentity):
        name = name or identity.name
        is_own = name == identity.name
    else:
        is_own = is_callers(await bots.get(required("bot", name)))
    if not is_own:
        raise ApiError(Reason.NOT_YOUR_BOT, f"bot {name} is not yours", metadata={"bot": name})
    return name


def is_callers(bot: Bot) -> bool:
    """Tell whether a bot is the caller or one of the caller's; every bot is an operator's."""
    identity = caller.get()
    if isinstance(identity, Operator):
        return True
    return identity.name == (bot.name if isinstance(identity, BotIdentity) else bot.owner)
