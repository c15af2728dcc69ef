"""The tokens that a node's server knows."""

from arena.rpc.identity import BotIdentity, Identity, MemoryTokens, OwnerIdentity
from arena.store import Store
from arena.store.errors import MalformedTokenError, UnknownTokenError
from arena.store.tokens import BOT, OWNER, token_hash


class NodeTokens:
    """Tokens of owners and registered bots, by the store, and of the bots that the node starts itself (`started`)."""

    def __init__(self, store: Store | None = None) -> None:
        self.started = MemoryTokens()
        self._store = store

    async def lookup(self, token: str) -> Identity | None:
        """Return the bot or owner that the token belongs to, or None."""
        identity = await self.started.lookup(token)
        if identity is not None or self._store is None:
            return identity
        try:
            if token.startswith(OWNER):
                owner = await self._store.owners.authenticate(token)
                return OwnerIdentity(owner.name, token_hash(token, OWNER))
            bot = await self._store.bots.authenticate(token)
        except (MalformedTokenError, UnknownTokenError):
            return None
        return BotIdentity(bot.name, bot.owner, token_hash(token, BOT))
