"""What partners gain on field boards: `python -m benchmarks.collusion [ROUNDS]`.

Leagues of four connected bots, each of an owner of its own, on a node in this process; every round has 16 field boards
of koi-koi at two tables. Two bots at different tables work together: the partner answers at once, and tells the cheat
of each board that it has finished. Printed is on how many of the boards that both had the partner's match was over
before the cheat was asked for its first move, and before it made it: when the cheat answers at once too, and when it
waits for its partner for as long as its clock allows.
"""

import asyncio
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import uvloop

from arena.bench.house_leagues import begin, finished
from arena.node.node import running_node
from arena.node.server import Listen
from arena.sdk import Action, Bot, Decision, Match
from arena.sdk.connection import BotClient, Endpoint
from arena.store import Store

BOARDS = 16
MARGIN_S = 0.3
"""Before its clock runs out a bot that waits moves."""


class Player(Bot):
    """Answers with the first legal action, and writes down when its matches begin and end."""

    max_matches = 8

    def __init__(self) -> None:
        self.asked: dict[str, float] = {}
        self.moved: dict[str, float] = {}
        self.over: dict[str, float] = {}
        self.tables: dict[str, str] = {}

    async def choose(self, decision: Decision) -> Action:
        """Answer."""
        match = _board(decision.match.id)
        if match not in self.asked:
            self.asked[match] = time.monotonic()
            self.tables[match] = decision.match.id
            await self.before_first(match, decision)
            self.moved[match] = time.monotonic()
        return decision.legal[0]

    async def before_first(self, board: str, decision: Decision) -> None:
        """Do what is to be done before the first move."""

    def ended(self, match: Match, end: object) -> None:
        """Write down when."""
        self.over[_board(match.id)] = time.monotonic()


class Partner(Player):
    """Tells of its boards as they end."""

    def __init__(self) -> None:
        super().__init__()
        self.events: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    def ended(self, match: Match, end: object) -> None:
        """Tell the cheat."""
        super().ended(match, end)
        self.events[_board(match.id)].set()


class Cheat(Player):
    """Waits, before its first move of a board, until its partner has told of it or its clock is about to run out."""

    def __init__(self, partner: Partner, *, waits: bool) -> None:
        super().__init__()
        self._partner, self._waits = partner, waits

    async def before_first(self, board: str, decision: Decision) -> None:
        """Wait for the partner."""
        if not self._waits or "partner" in decision.match.bots:
            return
        left_s = (decision.clock.decision_ms + decision.clock.bank_ms) / 1000 - MARGIN_S
        try:
            async with asyncio.timeout(left_s):
                await self._partner.events[board].wait()
        except TimeoutError:
            return


def _board(match_id: str) -> str:
    """A board's round and number: what two matches at different tables have in common."""
    parts = match_id.split(".")
    return ".".join(part for part in parts if part[0] in "rb" and part[1:].isdigit())


async def measure(rounds: int, *, waits: bool) -> tuple[int, int, int]:
    """On how many boards the partner's was over before the cheat was asked, and before it moved; how many both had."""
    partner = Partner()
    bots: dict[str, Player] = {
        "partner": partner,
        "cheat": Cheat(partner, waits=waits),
        "cedar": Player(),
        "maple": Player(),
    }
    with tempfile.TemporaryDirectory(prefix="collusion-", dir="/tmp") as name:
        folder = Path(name)
        address = f"unix:{folder}/s"
        async with (
            await Store.open(folder / "data") as store,
            running_node(store, folder / "data", Listen((address,))) as node,
            asyncio.TaskGroup() as clients,
        ):
            running = []
            for bot_name, bot in bots.items():
                await store.owners.create(f"of-{bot_name}")
                _, token = await store.bots.create(bot_name, owner=f"of-{bot_name}")
                client = BotClient(bot, Endpoint(address, token), lambda _: None)
                running.append(clients.create_task(client.run()))
                await client.connected.wait()
            entries = ", ".join(f'"{bot_name}"' for bot_name in bots)
            keys = f'name = "bench"\nboard_sets = "field"\nrounds = {rounds}\nboards = {BOARDS}\n'
            await begin(store, f"{keys}entries = [{entries}]\n", folder)
            await finished(store, node)
            for task in running:
                task.cancel()
    cheat = bots["cheat"]
    shared = [board for board in cheat.asked if board in partner.over and cheat.tables[board] != partner.tables[board]]
    before_asked = sum(partner.over[board] < cheat.asked[board] for board in shared)
    before_move = sum(partner.over[board] < cheat.moved[board] for board in shared)
    return before_asked, before_move, len(shared)


def main(rounds: int) -> None:
    """Measure both, and print a line for each."""
    for waits in (False, True):
        asked, moved, shared = uvloop.run(measure(rounds, waits=waits))
        what = "waits" if waits else "answers at once"
        print(
            f"a cheat that {what}: its partner's match was over before it was asked on {asked} of {shared} boards, "
            f"before it moved on {moved}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
