"""Plays a trial: the board sets of two versions of a bot, several matches at once, until the test has its verdict."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

from arena.analysis import luck_of
from arena.launcher.cage.shared import SharedCages
from arena.launcher.path_bots import Confinement
from arena.launcher.processes import START_S
from arena.launcher.sources import Source, house_bots
from arena.match.model import MatchResult, MatchSpec, Policy, TimeControl
from arena.match.play import play
from arena.node.seat_provider import SeatProvider
from arena.node.serving import BotOptions, serving
from arena.node.tokens import NodeTokens
from arena.replays import encode, from_match
from arena.sprt.sequential import Verdict
from arena.sprt.trial import Game, Seating, Side, Trial, names_at, trial_game, trial_luck
from arena.stream.hub import Hub
from arena.submissions.starter import VersionStarter
from core_ext import parse_seed

GROUP = "match-test"
"""The folder of the logs in which the output of the versions is."""


@dataclass(frozen=True)
class SprtConfig:
    """What a trial plays. `names` and `sources` are those of the new version and of the old one.

    Board i (from 1) has the seed text `seed/i`. The dice belong to the board and the seat, whoever sits there, so that
    versions differ only where they choose differently. The test ends without a verdict after `boards` board sets.
    """

    names: tuple[str, str]
    sources: tuple[Source, Source]
    variant: str
    seed: str
    boards: int
    options: Mapping[str, object] = field(default_factory=dict)
    time: TimeControl = field(default_factory=TimeControl)
    policy: Policy = Policy.STRICT
    adjusted: bool = False
    """Whether the luck of each match is found out."""
    keep: Path | None = None
    """The folder in which the replays of all matches are kept."""


@dataclass(frozen=True)
class Forfeit:
    """A match that the version `side` forfeited, for people; the same match can be played alone by its seed."""

    side: Side
    board: int
    seats: tuple[str, ...]
    result: MatchResult


async def play_trial(
    config: SprtConfig,
    trial: Trial,
    logs: Path,
    *,
    at_once: int,
    start_s: float = START_S,
    confinement: Confinement = Confinement.CAGED,
    forfeited: Callable[[Forfeit], None],
    counted: Callable[[Sequence[Game]], None] = lambda _: None,
    starter: VersionStarter | None = None,
    cages: SharedCages | None = None,
) -> None:
    """Play until the trial has its verdict or the boards are used up; at most `at_once` matches run at a time.

    Board sets are counted in the order of their numbers, so how fast each of them goes changes nothing. Those that the
    trial has counted already are not played; `counted` is called with each other one. `starter` starts submitted bots,
    in `cages`.

    Raises BotStartError when a version cannot be started at all; later on that is a forfeit.
    """
    # Whoever tests two bots wants to know which is better: pauses against agreed ones would make each test far longer.
    bots = BotOptions(start_s, fresh_at_once=at_once, confinement=confinement, apart=False)
    async with serving(Hub(), NodeTokens(), logs, bots, cages=cages) as (_, seat_provider):
        seat_provider.starter = starter
        for name, source in zip(config.names, config.sources, strict=True):
            await seat_provider.try_start(GROUP, name, source)
        await _Run(config, trial, seat_provider, forfeited, counted).play(at_once)


class _Run:
    def __init__(
        self,
        config: SprtConfig,
        trial: Trial,
        seat_provider: SeatProvider,
        forfeited: Callable[[Forfeit], None],
        counted: Callable[[Sequence[Game]], None],
    ) -> None:
        self._config = config
        self._trial = trial
        self._seat_provider = seat_provider
        self._forfeited = forfeited
        self._tell = counted
        self._counted = trial.reading.board_sets
        boards = range(self._counted + 1, config.boards + 1)  # may be more than memory holds
        self._matches = ((board, seating) for board in boards for seating in trial.seatings)
        self._played: dict[int, dict[Seating, tuple[Game, Forfeit | None]]] = {}
        self._over = asyncio.Event()

    async def play(self, at_once: int) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                workers = [group.create_task(self._work()) for _ in range(at_once)]
                await self._over.wait()
                for worker in workers:
                    worker.cancel()
        except BaseExceptionGroup as failed:
            # As itself: callers know the types of errors, not of groups.
            raise failed.exceptions[0] from None

    async def _work(self) -> None:
        for board, seating in self._matches:
            played = await self._play(board, seating)
            self._played.setdefault(board, {})[seating] = played
            self._count()

    def _count(self) -> None:
        """Count the board sets that are complete and next in order."""
        while not self._over.is_set():
            board_set = self._played.get(self._counted + 1, {})
            if len(board_set) < len(self._trial.seatings):
                return
            self._counted += 1
            del self._played[self._counted]
            played = [board_set[seating] for seating in self._trial.seatings]
            games = [game for game, _ in played]
            result = self._trial.add(games)
            self._tell(games)
            for _, forfeit in played:
                if forfeit is not None:
                    self._forfeited(forfeit)
            if result.verdict is not Verdict.OPEN or self._counted == self._config.boards:
                self._over.set()

    async def _play(self, board: int, seating: Seating) -> tuple[Game, Forfeit | None]:
        config = self._config
        names = names_at(seating, config.names)
        spec = MatchSpec(
            match_id=f"b{board}.{''.join('no'[side] for side in seating)}",
            variant=config.variant,
            seed=parse_seed(f"{config.seed}/{board}"),
            names=names,
            options=config.options,
            time=config.time,
            policy=config.policy,
        )
        bots = [(name, config.sources[side]) for name, side in zip(names, seating, strict=True)]
        async with self._seat_provider.seats(GROUP, bots) as seats:
            result = await play(spec, seats)
        luck = await self._examine(spec, result, seating)
        if result.offender < 0:
            return structs.replace(trial_game(seating, result.results), luck=luck), None
        game = trial_game(seating, result.results, result.offender, result.end.value)
        return structs.replace(game, luck=luck), Forfeit(seating[result.offender], board, names, result)

    async def _examine(self, spec: MatchSpec, result: MatchResult, seating: Seating) -> float | None:
        """Keep the match's replay and find out its luck, where that is asked for. OSError.

        A forfeited match has the luck of the cards that had come: a version that gives up where it was unlucky would
        gain by it otherwise.
        """
        if self._config.keep is None and not self._config.adjusted:
            return None
        sources = [self._config.sources[side] for side in seating]
        record = from_match(spec, result, clock=True, house_bots=house_bots(sources))
        if self._config.keep is not None:
            await asyncio.to_thread((self._config.keep / f"{spec.match_id}.hreplay").write_bytes, encode(record))
        if not self._config.adjusted:
            return None
        return trial_luck(seating, [seat.luck for seat in await asyncio.to_thread(luck_of, record)])
