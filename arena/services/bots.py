"""The bots service."""

import asyncio

from arena.challenges import Challenges
from arena.rpc.errors import invalid
from arena.rpc.identity import BotIdentity, Operator, caller
from arena.services.acting import acting_bot, is_callers
from arena.services.moments import moment
from arena.services.requests import page_of, required
from arena.services.versions import version_message
from arena.store import Bot, Store
from arena.store.outputs import Output
from arena.stream.hub import BotLocator
from hanafuda.arena.v1 import bot_pb2, bot_pb2_grpc

_CHALLENGES_TO_WIRE = {
    challenges: bot_pb2.Challenges.Value(f"CHALLENGES_{challenges.name}") for challenges in Challenges
}
_CHALLENGES_FROM_WIRE = {value: challenges for challenges, value in _CHALLENGES_TO_WIRE.items()}


class BotServicer(bot_pb2_grpc.BotServiceServicer):
    """The registered bots."""

    def __init__(self, store: Store, locator: BotLocator) -> None:
        self._bots = store.bots
        self._versions = store.versions
        self._outputs = store.outputs
        self._replays = store.replays
        self._locator = locator

    async def GetBot(self, request: bot_pb2.GetBotRequest, context: object) -> bot_pb2.GetBotResponse:
        """Return a bot by name, or the calling bot. UNKNOWN_BOT, INVALID_REQUEST."""
        identity = caller.get()
        name = request.name
        if isinstance(identity, BotIdentity):
            name = name or identity.name
        name = required("name", name)
        return bot_pb2.GetBotResponse(bot=await self._message(await self._bots.get(name)))

    async def ListBots(self, request: bot_pb2.ListBotsRequest, context: object) -> bot_pb2.ListBotsResponse:
        """List all bots, or those of one owner, by name."""
        after, size = page_of(request)
        page = await self._bots.list(owner=request.owner, after=after, limit=size)
        bots = await asyncio.gather(*map(self._message, page.items))  # what is read at once goes to the store together
        return bot_pb2.ListBotsResponse(bots=bots, next_page_token=page.next)

    async def UpdateBot(self, request: bot_pb2.UpdateBotRequest, context: object) -> bot_pb2.UpdateBotResponse:
        """Change the caller's bot. INVALID_REQUEST, NOT_YOUR_BOT, UNKNOWN_BOT."""
        name = await acting_bot(self._bots, request.bot)
        if request.challenges != bot_pb2.CHALLENGES_UNSPECIFIED:
            challenges = _CHALLENGES_FROM_WIRE.get(request.challenges)
            if challenges is None:
                raise invalid(challenges=f"no challenges {request.challenges}")
            await self._bots.take_challenges(name, challenges)
        return bot_pb2.UpdateBotResponse(bot=await self._message(await self._bots.get(name)))

    async def RotateBotToken(
        self, request: bot_pb2.RotateBotTokenRequest, context: object
    ) -> bot_pb2.RotateBotTokenResponse:
        """Give the caller's bot a new token; a connection with the old one ends. NOT_YOUR_BOT, UNKNOWN_BOT."""
        name = await acting_bot(self._bots, request.bot)
        token = await self._bots.rotate(name)
        return bot_pb2.RotateBotTokenResponse(token=token)

    async def ListVersions(self, request: bot_pb2.ListVersionsRequest, context: object) -> bot_pb2.ListVersionsResponse:
        """List a bot's versions, the oldest first. UNKNOWN_BOT."""
        bot = await self._bots.get(required("bot", request.bot))
        after, size = page_of(request)
        page = await self._versions.page(bot.name, after=after, limit=size)
        is_own = is_callers(bot)
        return bot_pb2.ListVersionsResponse(
            versions=[version_message(version, is_own=is_own) for version in page.items], next_page_token=page.next
        )

    async def ListOutputs(self, request: bot_pb2.ListOutputsRequest, context: object) -> bot_pb2.ListOutputsResponse:
        """List what versions of a bot wrote, the latest first. NOT_YOUR_BOT, UNKNOWN_BOT, INVALID_REQUEST."""
        name = await acting_bot(self._bots, request.bot)
        after, size = page_of(request)
        page = await self._outputs.page(name, version=request.version, match=request.match_id, after=after, limit=size)
        is_open = await asyncio.gather(*(self._is_open(output.match) for output in page.items))
        outputs = [_output_message(output) for output, hidden in zip(page.items, is_open, strict=True) if not hidden]
        return bot_pb2.ListOutputsResponse(outputs=outputs, next_page_token=page.next)

    async def _is_open(self, match_id: str) -> bool:
        """Tell whether what a bot saw in a match is not to be told yet; an operator may see all."""
        return bool(match_id) and not isinstance(caller.get(), Operator) and await self._replays.is_open(match_id)

    async def ActivateVersion(
        self, request: bot_pb2.ActivateVersionRequest, context: object
    ) -> bot_pb2.ActivateVersionResponse:
        """Make a version the one that plays. NOT_YOUR_BOT, UNKNOWN_BOT, UNKNOWN_VERSION, VERSION_NOT_QUALIFIED."""
        bot, version = await self._version(request)
        await self._versions.activate(bot, version)
        return bot_pb2.ActivateVersionResponse(
            version=version_message(await self._versions.get(bot, version), is_own=True)
        )

    async def RetireVersion(
        self, request: bot_pb2.RetireVersionRequest, context: object
    ) -> bot_pb2.RetireVersionResponse:
        """Let a version enter nothing any more. NOT_YOUR_BOT, UNKNOWN_BOT, UNKNOWN_VERSION, VERSION_NOT_QUALIFIED."""
        bot, version = await self._version(request)
        await self._versions.retire(bot, version)
        return bot_pb2.RetireVersionResponse(
            version=version_message(await self._versions.get(bot, version), is_own=True)
        )

    async def _version(self, request: bot_pb2.ActivateVersionRequest | bot_pb2.RetireVersionRequest) -> tuple[str, str]:
        bot = await acting_bot(self._bots, request.bot)
        return bot, (await self._versions.find(bot, required("version", request.version))).version

    async def _message(self, bot: Bot) -> bot_pb2.Bot:
        is_own = is_callers(bot)
        versions, challenges = await asyncio.gather(self._versions.list(bot.name), self._bots.challenges(bot.name))
        return bot_pb2.Bot(
            name=bot.name,
            stateless=bot.stateless,
            created_at=moment(bot.created_us),
            connected=self._locator.find(bot.name) is not None,
            owner=bot.owner,
            versions=[version_message(version, is_own=is_own) for version in versions],
            challenges=_CHALLENGES_TO_WIRE[challenges],
        )


def _output_message(output: Output) -> bot_pb2.BotOutput:
    lines = [
        bot_pb2.OutputLine(written_at=moment(part.time_us), text=part.text.decode("utf-8", "replace"))
        for part in output.parts
    ]
    return bot_pb2.BotOutput(
        version=output.version,
        match_id=output.match,
        ended_at=moment(output.ended_us),
        lines=lines,
        left_out=output.left_out,
    )
