"""What the arena tells of a fault: its metrics, asked for all the time, and its log."""

import asyncio
import json
import re
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

_EVERY_S = 0.25
_ANSWER_S = 3.0
"""A node waits up to 2 s for a store that hangs before it answers without that."""
TELL_S = 30.0
"""How long the arena may take to tell of a fault that it notices at once."""

_STARTED = "process_start_time_seconds"

Sample = Mapping[str, float]
"""What a process answered: values by name and labels. Empty where it did not answer."""


@dataclass
class Watched:
    """A process with a log and, unless that is 0, a port for operators; and what it has answered there.

    Of each answer the time (`time.time`) is kept.
    """

    name: str
    log: Path
    port: int = 0
    answers: list[tuple[float, Sample]] = field(default_factory=list)

    async def watch(self) -> None:
        """Ask it for ever."""
        while True:
            asked = time.time()
            self.answers.append((asked, await asyncio.to_thread(self._asked)))
            await asyncio.sleep(_EVERY_S)

    def _asked(self) -> Sample:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=_ANSWER_S) as answer:
                return dict(_samples(answer.read().decode()))
        except OSError:
            return {}

    def now(self, name: str) -> float:
        """A value that it answered last, of a name without labels; 0 where it did not answer."""
        return self.answers[-1][1].get(name, 0.0) if self.answers else 0.0

    def since(self, moment: float) -> Iterator[Sample]:
        """What it has answered since a moment, and just before."""
        first = next((place for place, (asked, _) in enumerate(self.answers) if asked >= moment), len(self.answers))
        for _, sample in self.answers[max(0, first - 1) :]:
            yield sample

    def events(self, moment: float) -> Iterator[dict[str, Any]]:
        """The events of its log since a moment, but for what is no event of the arena's."""
        yield from (event for event in log_events(self.log) if event["seconds"] >= moment - 1)


def _samples(text: str) -> Iterator[tuple[str, float]]:
    for line in text.splitlines():
        if not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            yield name, float(value)


def log_events(log: Path) -> Iterator[dict[str, Any]]:
    """The documents of a log in JSON, with the time in `seconds` (`time.time`) beside."""
    with log.open(errors="replace") as lines:
        for line in lines:
            with suppress(ValueError):  # what a library, or Python itself, writes is no document
                document = json.loads(line)
                if isinstance(document, dict) and "time" in document:
                    yield {**document, "seconds": _seconds(document["time"])}


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


Sign = Callable[[Sequence[Watched], float], bool]
"""Whether the arena's processes have told of something since a moment."""


def counted(name: str, labels: str = "") -> Sign:
    """A counter of these labels has grown in any process."""
    return _grown(lambda sample: _sum(sample, name, labels))


def _grown(value: Callable[[Sample], float]) -> Sign:
    """What never falls has grown in any process; in one that was started anew it began at nothing."""

    def told(processes: Sequence[Watched], moment: float) -> bool:
        return any(_has_grown([sample for sample in process.since(moment) if sample], value) for process in processes)

    return told


def _has_grown(samples: Sequence[Sample], value: Callable[[Sample], float]) -> bool:
    return any(
        value(after) > (value(before) if before.get(_STARTED) == after.get(_STARTED) else 0)
        for before, after in pairwise(samples)
    )


def _sum(sample: Sample, name: str, labels: str) -> float:
    """What a metric of these labels is in all."""
    return sum(value for key, value in sample.items() if key.partition("{")[0] == name and labels in key)


def longer(name: str, seconds: str, labels: str = "") -> Sign:
    """A histogram of these labels has counted something that took longer than one of its bounds."""
    bound = f'le="{seconds}"'

    def over(sample: Sample) -> float:
        within = [key for key in sample if key.startswith(f"{name}_bucket{{") and bound in key and labels in key]
        return _sum(sample, f"{name}_count", labels) - sum(sample[key] for key in within)

    return _grown(over)


def was(name: str, condition: Callable[[float], bool]) -> Sign:
    """A metric had such a value in any process."""

    def told(processes: Sequence[Watched], moment: float) -> bool:
        return any(
            condition(sample[name])
            for process in processes
            for sample in process.since(moment)
            if sample and name in sample
        )

    return told


def silent(process: str) -> Sign:
    """A process whose name begins so did not answer, or was started anew: what Prometheus notes as `up`."""

    def told(processes: Sequence[Watched], moment: float) -> bool:
        for one in processes:
            if one.name.startswith(process):
                starts = {sample.get(_STARTED) for sample in one.since(moment)}
                if len(starts) > 1:  # of which None is that of a process that did not answer
                    return True
        return False

    return told


def logged(pattern: str, kind: str = "") -> Sign:
    """A line of the log whose message matches, in the log of any process, of this kind of event if one is given."""

    def told(processes: Sequence[Watched], moment: float) -> bool:
        return any(
            (not kind or event["event"] == kind) and re.search(pattern, event["message"])
            for process in processes
            for event in process.events(moment)
        )

    return told


async def untold(signs: Mapping[str, Sign], processes: Sequence[Watched], moment: float, tell_s: float) -> list[str]:
    """The signs that the arena has not given since a moment after so many seconds more."""
    left = dict(signs)
    deadline = time.time() + tell_s
    while left and time.time() < deadline:
        left = {name: sign for name, sign in left.items() if not sign(processes, moment)}
        if left:
            await asyncio.sleep(_EVERY_S)
    return list(left)
