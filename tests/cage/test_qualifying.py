"""What a version can see of its qualification."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import Program
from arena.packs.manifest import Manifest
from arena.seats.watched import Step
from arena.stream.hub import Hub
from arena.submissions.qualification import qualify

TELLS = """\
import os, sys
from arena.sdk import Bot, run

class Tells(Bot):
    def choose(self, decision):
        if decision.number == 1:
            match = decision.match
            print(match.id, *match.bots, sorted(match.options), decision.hand, file=sys.stderr)
        return decision.legal[0]

run(Tells())
"""


@pytest.mark.parametrize(
    ("variant", "opponents"),
    [("koikoi", "house:random"), ("sangohana", "house:random house:greedy")],
)
async def test_nothing_but_its_length_tells_a_version_that_it_is_being_judged(
    cages: Cages, python_bot: Callable[[str], Program], tmp_path: Path, variant: str, opponents: str
) -> None:
    steps: list[Step] = []

    async def note(step: Step) -> None:
        steps.append(step)

    log = tmp_path / "log"
    for _ in range(2):
        start = partial(caged, cages, Hub(), python_bot(TELLS), "crane", log=log)
        report = await qualify(start, Manifest("crane", ("python", "bot.py"), variants=(variant,)), note)
        assert report.qualified, steps
    seen = [re.fullmatch(r"([0-9a-f]{16}) (.*?) (\[.*?\]) (.*)", line) for line in log.read_text().splitlines()]
    ids, names, _, hands = zip(*(line.groups() for line in seen), strict=True)
    assert len({*ids}) == len(ids) >= 4
    assert {" ".join(sorted(name.split())) for name in names} == {" ".join(sorted(["crane", *opponents.split()]))}
    assert len({*hands}) > 1, "the cards are drawn anew each time"
