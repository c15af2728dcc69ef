"""A match in words, as it is played: one file each."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from arena.sdk.cards import texts
from arena.sdk.decision import Decision, Event, event
from hanafuda.arena.v1 import match_pb2, play_pb2

_LONGEST_HEAD = 300
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


MOST = 1_000
"""Logs of matches that are kept in a folder."""


class MatchLog:
    """Writes what a bot was asked in a match, what it answered and how long that took, and how the match ended.

    `file` is appended to: a match that goes on after the program or its keeper was killed goes on there too. Raises
    OSError as it is made; a line that cannot be written later is lost, and `lost` counts it.
    """

    def __init__(self, folder: Path, start: play_pb2.MatchStart) -> None:
        name = "".join(letter if letter in _SAFE else "-" for letter in start.match_id)[:120]
        self.file = folder / f"{name}.log"
        self.lost = 0
        self._seat = start.seat
        self._bots = tuple(start.bots)
        self._asked: dict[int, tuple[Decision, float]] = {}
        self._out: TextIO = self.file.open("a", encoding="utf-8")
        clock = start.time_control
        options = ", ".join(f"{key} = {value}" for key, value in sorted(start.options.items())) or "default options"
        self._write(f"{_now()} match {start.match_id}: {start.variant}, {options}")
        self._write(f"seat {start.seat} of {' : '.join(start.bots)}")
        self._write(f"{clock.per_decision_ms} ms a decision, {clock.bank_ms} ms beside")

    def asked(self, message: play_pb2.Decision) -> None:
        """The bot is asked: what happened since, and what it sees."""
        decision = Decision(message)
        for happened in message.events:
            self._write(f"  {_in_words(event(happened), self._bots)}")
        again = ", asked again" if decision.repeated else ""
        self._write(f"{decision.number}. month {message.observation.month}, {message.observation.phase}{again}")
        self._write(f"  hand {texts(decision.hand)} · field {texts(decision.field)} · pile {texts(decision.pile)}")
        self._asked[decision.number] = (decision, time.monotonic())

    def answered(self, move: play_pb2.Move) -> None:
        """The bot has answered."""
        decision, since = self._asked.pop(move.decision, (None, 0.0))
        if decision is None:
            self._write(f"  answers {move.code} to decision {move.decision}, which is not open")
            return
        text = next((action.text for action in decision.legal if action.code == move.code), f"{move.code}, not legal")
        self._write(f"  answers {text} after {1000 * (time.monotonic() - since):.0f} ms")

    def note(self, text: str) -> None:
        """Something else that matters for the match."""
        for line in text.splitlines():
            self._write(f"  {line}")

    def ended(self, end: match_pb2.MatchEnd) -> None:
        """The match is over."""
        for happened in end.events:
            self._write(f"  {_in_words(event(happened), self._bots)}")
        reason = match_pb2.MatchEndReason.Name(end.reason).removeprefix("MATCH_END_REASON_").lower().replace("_", " ")
        by = f" by {self._bots[end.offender]}" if 0 <= end.offender < len(self._bots) else ""
        score = " : ".join(map(str, end.results))
        place = end.placing[self._seat] if self._seat < len(end.placing) else 0
        self._write(f"{_now()} over, {reason}{by}: {score}{f', place {place}' if place else ''}{_after(end.text)}")
        self.close()

    def close(self) -> None:
        """Close the file; nothing more can be written."""
        self._out.close()

    def _write(self, line: str) -> None:
        try:
            self._out.write(line + "\n")
            self._out.flush()
        except OSError:  # a full disk costs the log, not the match
            self.lost += 1


def prune(folder: Path, most: int = MOST) -> None:
    """Remove the oldest logs of matches but so many. What is no log of a match stays. Raises OSError."""
    files = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[most:]:
        with file.open(encoding="utf-8", errors="replace") as opened:
            if f" match {file.stem}: " in opened.readline(_LONGEST_HEAD):
                file.unlink()


def _after(text: str) -> str:
    return f" ({' '.join(text.split())})" if text else ""


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")


def _in_words(what: Event, bots: Iterable[str]) -> str:
    names = tuple(bots)
    who = f"{names[what.seat]} " if 0 <= what.seat < len(names) else ""
    parts = [f"{who}{what.kind.replace('_', ' ')}", what.name, texts(what.cards)]
    if what.taken:
        parts.append(f"takes {texts(what.taken)}")
    if what.values:
        parts.append(" ".join(map(str, what.values)))
    return " ".join(filter(None, parts))
