"""A match in this process, in one line: `arena.play("house:search", MyBot())`."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from arena.match.model import MatchResult, MatchSpec
from arena.match.question import Answer
from arena.match.referee import Referee
from arena.playing.bots import BotLike, bot_of, names_of, what_bots_raise
from arena.replays import ReplayRecord, encode, from_match, transcript
from arena.sdk import Action
from arena.seats.in_process import LocalDecision, match_of
from arena.simulate import play_out
from core_ext import parse_seed


@dataclass(frozen=True)
class PlayedDecision:
    """A decision of a match: its number in the match from 1, whose it was, what was legal, and what was played."""

    number: int
    seat: int
    legal: tuple[Action, ...]
    action: Action


@dataclass(frozen=True, repr=False)
class PlayedMatch:
    """A match that was played. In a notebook it draws itself, with a slider over its moves.

    `results` and `placing` are by seat, as `bots`, the names of those who played.
    """

    spec: MatchSpec
    seed: str
    result: MatchResult

    @property
    def variant(self) -> str:
        """The game, for example `koikoi`."""
        return self.spec.variant

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots' names by seat."""
        return self.spec.names

    @property
    def results(self) -> tuple[int, ...]:
        """The results by seat, in the variant's unit."""
        return self.result.results

    @property
    def placing(self) -> tuple[int, ...]:
        """The places by seat, from 1."""
        return self.result.placing

    @cached_property
    def decisions(self) -> tuple[PlayedDecision, ...]:
        """Every decision of the match, in order."""
        referee = Referee(self.spec)
        matches = [match_of(self.spec, seat) for seat in range(len(self.bots))]
        decisions = []
        for number, choice in enumerate(self.result.choices, start=1):
            question = referee.ask()
            legal = LocalDecision(question, matches[question.seat]).legal
            decisions.append(PlayedDecision(number, question.seat, legal, legal[choice]))
            referee.answer(Answer(legal[choice].code, 0.0))
        return tuple(decisions)

    @cached_property
    def record(self) -> ReplayRecord:
        """The match as `arena.replays` reads it."""
        return from_match(self.spec, self.result)

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
        """Write the match to a file: a replay, or what shows it where the name ends in `.html` or `.gif`.

        Raises OSError, and ModuleNotFoundError where what draws a GIF is not installed (`hanafuda-arena[gif]`).
        """
        path = Path(path)
        if path.suffix == ".html":
            from arena.web.viewer.alone import page

            path.write_text(page(self.record), encoding="utf-8")
        elif path.suffix == ".gif":
            from arena.web.viewer.animation import gif

            path.write_bytes(gif(self.record))
        else:
            path.write_bytes(self.replay)
        return path

    def table(self, move: int | None = None, seat: int = 0) -> str:
        """Draw the table after so many moves, by default the last, as SVG. Raises IndexError."""
        from arena.web.viewer.alone import table_at

        return table_at(self.record, move, seat)

    def __str__(self) -> str:
        score = ", ".join(f"{name} {points}" for name, points in zip(self.bots, self.results, strict=True))
        return f"{self.variant}, seed {self.seed}: {score}, after {len(self.result.choices)} decisions"

    def __repr__(self) -> str:
        return f"<PlayedMatch {self}>"

    def _repr_html_(self) -> str:
        from arena.web.viewer.alone import fragment

        return fragment(self.record)


def play(
    *bots: BotLike,
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
    text = secrets.token_hex(16) if seed is None else str(seed)
    match_id = f"played-{secrets.token_hex(4)}"
    spec = MatchSpec(match_id, variant, parse_seed(text), names_of(bots), dict(options or {}))
    with what_bots_raise(spec):
        referee = play_out(spec, [bot_of(bot) for bot in bots])
    return PlayedMatch(spec, text, referee.result())
