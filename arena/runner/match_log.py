"""A match in words, as it is played: one file each."""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from arena import wire
from arena.replays import narration, vocabulary
from arena.sdk.cards import texts
from arena.sdk.decision import Decision
from core_ext import Event
from core_ext.cards import card_text
from hanafuda.arena.v1 import match_pb2, play_pb2, view_pb2

_MAX_HEAD_LENGTH = 300
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


MAX_LOGS = 1_000
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
        self._happened(message.events)
        again = ", asked again" if decision.repeated else ""
        self._write(f"{decision.number}. month {message.observation.month}, {message.observation.phase}{again}")
        zones = {"hand": decision.hand, "field": decision.field, "pile": decision.pile}
        self._write("  " + " · ".join(f"{name} {texts(zone) or '–'}" for name, zone in zones.items()))
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
        """Note that the match is over."""
        self._happened(end.events)
        reason = match_pb2.MatchEndReason.Name(end.reason).removeprefix("MATCH_END_REASON_").lower().replace("_", " ")
        by = f" by {self._bots[end.offender]}" if 0 <= end.offender < len(self._bots) else ""
        score = result(self._bots, end.results)
        place = end.placing[self._seat] if self._seat < len(end.placing) else 0
        self._write(f"{_now()} over, {reason}{by}: {score}{f', place {place}' if place else ''}{_bracketed(end.text)}")
        self.close()

    def result(self, end: match_pb2.MatchEnd) -> str:
        """Who ended with how much, in one line."""
        return result(self._bots, end.results)

    def close(self) -> None:
        """Close the file; nothing more can be written."""
        self._out.close()

    def _happened(self, events: Iterable[view_pb2.Event]) -> None:
        for event in events:
            self._write(f"  {_in_words(wire.event_from_wire(event), self._bots)}")

    def _write(self, line: str) -> None:
        try:
            self._out.write(line + "\n")
            self._out.flush()
        except OSError:  # a full disk costs the log, not the match
            self.lost += 1


def prune(folder: Path, limit: int = MAX_LOGS) -> None:
    """Remove the oldest logs of matches but so many. What is no log of a match stays. Raises OSError."""
    files = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[limit:]:
        with file.open(encoding="utf-8", errors="replace") as opened:
            if f" match {file.stem}: " in opened.readline(_MAX_HEAD_LENGTH):
                file.unlink()


def _bracketed(text: str) -> str:
    return f" ({' '.join(text.split())})" if text else ""


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")


def result(bots: Sequence[str], results: Iterable[int]) -> str:
    """Who ended with how much: `mine 3 : house:greedy 0`."""
    return " : ".join(f"{name} {points}" for name, points in zip(bots, results, strict=False))


def _in_words(event: Event, bots: Sequence[str]) -> str:
    who = bots[event.seat] if 0 <= event.seat < len(bots) else ""
    if event.kind == "deal":
        month, attempt = event.values[:2]
        field = f", field {_texts(event.cards)}" if event.cards else ""
        return f"month {month}{f', deal {attempt + 1}' if attempt else ''}{field}, {who} plays first"
    if event.kind == "month_end":
        return f"{vocabulary.ENDINGS.get(event.name, event.name).format(who=who)}: {result(bots, event.values)}"
    if event.kind == "score":
        return f"{event.name} {event.values[0]}"
    if event.kind == "total":
        return narration.calculation(*event.values)
    if event.kind == "match_end":
        return f"the match is over: {result(bots, event.values)}"
    words = "".join(_part(part) for part in narration.sentence(event, {}))
    return " ".join(f"{who} {words}".split())


def _part(part: narration.Part) -> str:
    if isinstance(part, narration.Cards):
        return _texts(part.ids)
    return part.text if isinstance(part, narration.Name) else part


def _texts(cards: Iterable[int]) -> str:
    return " ".join(map(card_text, cards))
