"""The services of a store, called in this process as those of an arena are called over gRPC."""

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from arena.match.live import LiveMatches
from arena.organizer.limits import ChallengeLimits
from arena.remote.client import Client
from arena.rpc.identity import Operator, caller
from arena.services.bots import BotServicer
from arena.services.matches import MatchServicer
from arena.services.replays import ReplayServicer
from arena.services.watching import Spectators
from arena.store import Store
from arena.stream.hub import Hub


def client_of(store: Store) -> Client:
    """A client of the store's own services, who may do everything there. Its calls raise StoreError and ApiError."""
    caller.set(Operator())
    channel: Any = _Channel(store)
    return Client(channel, "", "")


class _Channel:
    """A channel whose calls are answered here, without a connection and a token; no bot is connected here."""

    def __init__(self, store: Store) -> None:
        hub, spectators = Hub(), Spectators(store, LiveMatches())
        makers: dict[str, Callable[[], object]] = {
            "BotService": lambda: BotServicer(store, hub),
            "LadderService": lambda: _ladders(store),
            "LeagueService": lambda: _leagues(store, hub),
            "MatchService": lambda: MatchServicer(store, hub, spectators, ChallengeLimits()),
            "ReplayService": lambda: ReplayServicer(store),
        }
        self._servicer = cache(lambda service: makers[service]())

    def unary_unary(self, path: str, *_: object, **__: object) -> Callable[..., Awaitable[Any]]:
        """The method of a servicer, by its path on the wire."""
        service, method = path.rpartition(".")[2].split("/")

        async def call(request: object, **_: object) -> Any:
            return await getattr(self._servicer(service), method)(request, None)

        return call

    unary_stream = unary_unary


def _ladders(store: Store) -> object:
    from arena.services.ladders import LadderServicer  # it loads NumPy

    return LadderServicer(store)


def _leagues(store: Store, hub: Hub) -> object:
    from arena.services.leagues import LeagueServicer  # it loads NumPy

    return LeagueServicer(store, hub)
