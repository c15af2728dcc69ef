"""A match in this process, in one line: `arena.play("house:search", MyBot())`."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.match.model import MatchResult, MatchSpec
from arena.match.question import Answer
from arena.match.referee import Referee
from arena.replays import ReplayRecord, encode, from_match, transcript
from arena.sdk import Action, Bot
from arena.seats.in_process import LocalDecision, match_of
from arena.web.viewer.alone import fragment, page, table_at
from bots import house
from core_ext import parse_seed

HOUSE = "house:"


@dataclass(frozen=True)
class PlayedDecision:
    """A decision of a match: its number in the match from 1, whose it was, what was legal, and what was played."""

    number: int
    seat: int
    legal: tuple[Action, ...]
    action: Action


@dataclass(frozen=True)
class PlayedMatch:
    """A match that was played. In a notebook it draws itself, with a slider over its moves.

    `results` and `placing` are by seat, as `bots`, the names of those who played.
    """

    variant: str
    seed: str
    bots: tuple[str, ...]
    result: MatchResult
    decisions: tuple[PlayedDecision, ...]
    record: ReplayRecord

    @property
    def results(self) -> tuple[int, ...]:
        """The results by seat, in the variant's unit."""
        return self.result.results

    @property
    def placing(self) -> tuple[int, ...]:
        """The places by seat, from 1."""
        return self.result.placing

    @property
    def transcript(self) -> dict[str, Any]:
        """Every deck, action, yaku and score, as `arena replay transcript` prints it."""
        document: dict[str, Any] = transcript(self.record)
        return document

    @property
    def replay(self) -> bytes:
        """The replay, as a file `.hreplay` holds it."""
        return encode(self.record)

    def save(self, path: str | Path) -> Path:
        """Write the match to a file: a replay, or a page that plays it where the name ends in `.html`. OSError."""
        path = Path(path)
        if path.suffix == ".html":
            path.write_text(page(self.record), encoding="utf-8")
        else:
            path.write_bytes(self.replay)
        return path

    def table(self, move: int | None = None, seat: int = 0) -> str:
        """Draw the table after so many moves, by default the last, as SVG. Raises IndexError."""
        return table_at(self.record, move, seat)

    def __str__(self) -> str:
        score = ", ".join(f"{name} {points}" for name, points in zip(self.bots, self.results, strict=True))
        return f"{self.variant}, seed {self.seed}: {score}, after {len(self.decisions)} decisions"

    def _repr_html_(self) -> str:
        return fragment(self.record)


def play(
    *bots: str | Bot | type[Bot],
    variant: str = "koikoi",
    seed: str | int | None = None,
    options: Mapping[str, object] | None = None,
) -> PlayedMatch:
    """Play a match in this process, without a server, a store or clocks, and return it.

    A bot is a name (`house:search`), a bot of the SDK, or its class; `bots` are by seat. Without a seed one is drawn;
    the same seed is the same match. What a bot raises is raised, with a note that says at which decision.

    Raises UnknownHouseBotError, CoreError where there is no such variant, option or number of seats, and ValueError for
    an answer that is not legal.
    """
    players = [_bot(bot) for bot in bots]
    text = secrets.token_hex(16) if seed is None else str(seed)
    names = _names(bots)
    spec = MatchSpec(f"played-{secrets.token_hex(4)}", variant, parse_seed(text), names, dict(options or {}))
    referee = Referee(spec)
    matches = [match_of(spec, seat) for seat in range(len(players))]
    for match, player in zip(matches, players, strict=True):
        player.started(match)
    decisions: list[PlayedDecision] = []
    while referee.turn >= 0:
        question = referee.ask()
        decision = LocalDecision(question, matches[question.seat])
        try:
            code = decision.code_of(players[question.seat].choose(decision))
        except Exception as error:
            error.add_note(f"{names[question.seat]} was asked its decision {question.number}:\n{decision}")
            raise
        action = decision.legal[question.legal.index(code)]
        decisions.append(PlayedDecision(len(decisions) + 1, question.seat, decision.legal, action))
        referee.answer(Answer(code, 0.0))
    result = referee.result()
    return PlayedMatch(variant, text, names, result, tuple(decisions), from_match(spec, result))


def _bot(bot: str | Bot | type[Bot]) -> Bot:
    if isinstance(bot, str):
        return house(bot.removeprefix(HOUSE))
    return bot() if isinstance(bot, type) else bot


def _names(bots: Sequence[str | Bot | type[Bot]]) -> tuple[str, ...]:
    """A name for each bot; those that come more than once are numbered."""
    names = [
        bot.removeprefix(HOUSE) if isinstance(bot, str) else (bot if isinstance(bot, type) else type(bot)).__name__
        for bot in bots
    ]
    return tuple(
        name if names.count(name) == 1 else f"{name}-{names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    )
