"""A decision that a bot may have been asked before says so, and no other does, whatever becomes of the nodes."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from arena_command import until
from preloaded import start
from several_nodes import Node, Nodes, several_nodes

from hanafuda.arena.v1 import match_pb2, match_pb2_grpc

# Writes down what it is asked, and holds one decision until a file is there.
HOLDS_ONE = """\
import asyncio
import json
import os

from arena.sdk import Bot, run


class MyBot(Bot):
    async def choose(self, decision):
        with open({notes!r}, "a") as file:
            file.write(json.dumps([decision.number, decision.repeated]) + "\\n")
        while decision.number == {held} and not os.path.exists({gate!r}):
            await asyncio.sleep(0.02)
        return decision.legal[0]


run(MyBot())
"""


class Table:
    """A match of three, two of whom are connected to the node that plays it and the third to another."""

    def __init__(self, nodes: Nodes, held: int) -> None:
        self.plays, self.takes_over = nodes.start(), nodes.start()
        self.gate = nodes.folder / "gate"
        self._nodes = nodes
        self._held = held

    @contextmanager
    def bots(self) -> Iterator[None]:
        """The bots; the one in the other place holds its decision, and with 1 everybody."""
        both = (self.plays, self.takes_over)
        with self._bot("ann", *both), self._bot("cy", *both), self._bot("bo", self.takes_over):
            for node in both:
                self._nodes.wait_until_connected(node, "ann", "bo", "cy")
            yield

    def begin(self) -> str:
        """Have the match played; its id."""
        stub = match_pb2_grpc.MatchServiceStub(self.takes_over.channel)
        time = match_pb2.TimeControl(per_decision_ms=60_000)
        bots = ("ann", "bo", "cy")
        wanted = match_pb2.CreateMatchRequest(variant="sangohana", bots=bots, time_control=time)
        made = stub.CreateMatch(wanted, metadata=self._nodes.metadata("ann"), timeout=60)
        return str(made.match.match_id)

    def asked(self, name: str) -> dict[int, list[bool]]:
        """Each decision that the bot was asked, with what it was told of that each time."""
        notes = self._nodes.folder / f"{name}.notes"
        found: dict[int, list[bool]] = {}
        for line in notes.read_text().splitlines() if notes.exists() else ():
            number, repeated = json.loads(line)
            found.setdefault(number, []).append(repeated)
        return found

    @contextmanager
    def _bot(self, name: str, *nodes: Node) -> Iterator[None]:
        folder = self._nodes.folder
        held = self._held if self._held == 1 or name == "bo" else 0
        program = folder / f"{name}.py"
        program.write_text(HOLDS_ONE.format(notes=str(folder / f"{name}.notes"), gate=str(self.gate), held=held))
        addresses = ",".join(node.address for node in nodes)
        env = {**os.environ, "ARENA_ADDRESS": addresses, "ARENA_TOKEN": self._nodes.token(name)}
        with (folder / f"{name}.log").open("ab") as log:
            process = start([program], folder, env, log.fileno(), log.fileno())
        try:
            yield
        finally:
            process.kill()
            process.wait()


@pytest.mark.parametrize("held", [1, 5])
def test_only_the_decision_that_was_open_when_a_node_was_killed_is_marked_as_repeated(
    tmp_path: Path, held: int
) -> None:
    with several_nodes(tmp_path) as nodes:
        table = Table(nodes, held)
        with table.bots():
            match_id = table.begin()
            names = ("ann", "bo", "cy")
            holders = names if held == 1 else ("bo",)
            until(lambda: any(held in table.asked(name) for name in holders), "the decision is open")
            [holder] = [name for name in holders if held in table.asked(name)]
            assert table.asked(holder)[held] == [False]
            table.plays.kill()
            table.takes_over.run.wait_for("goes on here after")
            until(lambda: len(table.asked(holder)[held]) == 2, "it is asked again")
            table.gate.touch()
            match = nodes.ended(table.takes_over, match_id, "ann")
            assert match.end.reason == match_pb2.MATCH_END_REASON_COMPLETED, match.end.text
            for name in names:
                asked = table.asked(name)
                assert sorted(asked) == list(range(1, max(asked) + 1))
                assert len(asked) > held, "the match went on"
                again = {held} if name == holder else set()
                assert asked == {number: [False, True] if number in again else [False] for number in asked}
