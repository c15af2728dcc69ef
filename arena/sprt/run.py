"""Plays a trial: the board sets of two versions of a bot, several matches at once, until the test has its verdict."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.launcher.processes import START_S
from arena.launcher.sources import Source
from arena.match.model import MatchResult, MatchSpec, Policy, TimeControl
from arena.match.play import play
from arena.node.node import NodeTokens, serving
from arena.node.seat_provider import SeatProvider
from arena.sprt.sequential import Verdict
from arena.sprt.trial import Game, Seating, Side, Trial, trial_game
from arena.stream.hub import Hub
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


@dataclass(frozen=True)
class Forfeit:
    """A match that the version `side` forfeited, for people; the same match can be played alone by its seed."""

    side: Side
    board: int
    seats: tuple[str, ...]
    result: MatchResult


async def play_trial(
    contest: SprtConfig,
    trial: Trial,
    logs: Path,
    *,
    at_once: int,
    start_s: float = START_S,
    forfeited: Callable[[Forfeit], None],
) -> None:
    """Play until the trial has its verdict or the boards are used up; at most `at_once` matches run at a time.

    Board sets are counted in the order of their numbers, so how fast each of them goes changes nothing.

    Raises BotStartError when a version cannot be started at all; later on that is a forfeit.
    """
    async with serving(Hub(), NodeTokens(), logs, start_s=start_s, fresh_at_once=at_once) as (_, players):
        for name, source in zip(contest.names, contest.sources, strict=True):
            await players.try_start(GROUP, name, source)
        await _Run(contest, trial, players, forfeited).play(at_once)


class _Run:
    def __init__(
        self, contest: SprtConfig, trial: Trial, players: SeatProvider, forfeited: Callable[[Forfeit], None]
    ) -> None:
        self._contest = contest
        self._trial = trial
        self._players = players
        self._forfeited = forfeited
        self._matches = self._planned()
        self._played: dict[int, dict[Seating, tuple[Game, Forfeit | None]]] = {}
        self._counted = 0
        self._over = asyncio.Event()

    async def play(self, at_once: int) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                hands = [group.create_task(self._work()) for _ in range(at_once)]
                await self._over.wait()
                for hand in hands:
                    hand.cancel()
        except BaseExceptionGroup as failed:
            # As itself: callers know the types of errors, not of groups.
            raise failed.exceptions[0] from None

    def _planned(self) -> Iterator[tuple[int, Seating]]:
        for board in range(1, self._contest.boards + 1):
            for seating in self._trial.seatings:
                yield board, seating

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
            found = [board_set[seating] for seating in self._trial.seatings]
            reading = self._trial.add([game for game, _ in found])
            for _, forfeit in found:
                if forfeit is not None:
                    self._forfeited(forfeit)
            if reading.verdict is not Verdict.OPEN or self._counted == self._contest.boards:
                self._over.set()

    async def _play(self, board: int, seating: Seating) -> tuple[Game, Forfeit | None]:
        contest = self._contest
        names = tuple(_instance(contest.names[side], seating[:seat].count(side)) for seat, side in enumerate(seating))
        spec = MatchSpec(
            match_id=f"b{board}.{''.join('no'[side] for side in seating)}",
            variant=contest.variant,
            seed=parse_seed(f"{contest.seed}/{board}"),
            names=names,
            options=contest.options,
            time=contest.time,
            policy=contest.policy,
        )
        players = [(name, contest.sources[side]) for name, side in zip(names, seating, strict=True)]
        async with self._players.seats(GROUP, players) as seats:
            result = await play(spec, seats)
        if result.offender < 0:
            return trial_game(seating, result.results), None
        game = trial_game(seating, result.results, result.offender)
        return game, Forfeit(seating[result.offender], board, names, result)


def _instance(name: str, number: int) -> str:
    """What a version is called where it sits a second time at one table."""
    return f"{name}-again" if number else name
