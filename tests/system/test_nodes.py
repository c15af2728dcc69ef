"""Several nodes on one store: their bots meet, and no match is lost with a node."""

import asyncio
import json
import signal
import time
from pathlib import Path

import pytest
from arena_command import done
from several_nodes import Bot, Nodes, several_nodes, until

from arena.referee.model import MatchResult, MatchSpec
from arena.referee.play import play
from arena.referee.seat import Question
from hanafuda.arena.v1 import match_pb2

COMPLETED = match_pb2.MATCH_END_REASON_COMPLETED


class ByDice:
    """Plays as the bots of these tests do."""

    wants_updates = False

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Nothing to prepare."""

    async def decide(self, question: Question) -> int:
        return question.legal[question.random % len(question.legal)]

    async def reject(self, *_: object) -> None:
        """Never happens."""

    async def end(self, result: MatchResult, events: object) -> None:
        """Nothing to do."""


def unbroken(nodes: Nodes, match: match_pb2.Match) -> MatchResult:
    """The same match as nobody disturbs it: from the seed that its replay publishes."""
    shown = json.loads(done("replay", "transcript", match.replay_id, "--redis", nodes.url, cwd=nodes.folder))
    spec = MatchSpec("m", "koikoi", bytes.fromhex(shown["seed"]), tuple(match.bots), options={"months": 12})
    return asyncio.run(play(spec, [ByDice(), ByDice()]))


def check_whole(nodes: Nodes, match: match_pb2.Match, *bots: Bot) -> None:
    """That the match came out as the unbroken one, and no bot was shown anything that is not of it."""
    assert match.end.reason == COMPLETED, match.end.text
    expected = unbroken(nodes, match)
    assert tuple(match.end.results) == expected.results
    done("replay", "verify", match.replay_id, "--redis", nodes.url, cwd=nodes.folder)
    for bot in bots:
        asked = bot.decisions(match.match_id)
        numbers = [number for number, _ in asked]
        assert set(numbers) == set(range(1, max(numbers) + 1))
        assert numbers == sorted(numbers), "decisions come in order, some twice"
        assert len(dict(asked)) == len(set(asked)), "what is asked again is the same"
        until(lambda bot=bot: bot.ends(match.match_id), "the bot is told of the end")
        assert bot.ends(match.match_id) == [COMPLETED]


def halfway(bot: Bot, match_id: str, decisions: int = 20) -> None:
    """Wait until the bot has been asked so often."""
    until(lambda: len(bot.decisions(match_id)) >= decisions, "the match is half played")


@pytest.fixture
def nodes(tmp_path: Path):
    with several_nodes(tmp_path) as nodes:
        yield nodes


def test_bots_on_two_nodes_play_each_other(nodes: Nodes) -> None:
    one, two = nodes.start(), nodes.start()
    ann, bo = nodes.bot("ann", one), nodes.bot("bo", two)
    nodes.wait_until_connected(one, "ann", "bo")
    match_id = nodes.challenge(one, "ann", "bo")
    check_whole(nodes, nodes.ended(two, match_id, "bo"), ann, bo)


@pytest.mark.parametrize("victim", [0, 1])
def test_a_match_goes_on_where_it_was_when_a_node_is_killed(nodes: Nodes, victim: int) -> None:
    both = [nodes.start(), nodes.start()]
    rest = both[1 - victim]
    ann, bo = nodes.bot("ann", both[0], both[1]), nodes.bot("bo", both[1], both[0])
    nodes.wait_until_connected(rest, "ann", "bo")
    match_id = nodes.challenge(rest, "ann", "bo")
    halfway(ann, match_id)
    both[victim].kill()
    check_whole(nodes, nodes.ended(rest, match_id, "ann"), ann, bo)


def test_a_match_goes_on_where_it_was_when_the_only_node_is_killed_and_started_again(nodes: Nodes) -> None:
    one = nodes.start()
    ann, bo = nodes.bot("ann", one), nodes.bot("bo", one)
    nodes.wait_until_connected(one, "ann", "bo")
    match_id = nodes.challenge(one, "ann", "bo")
    halfway(ann, match_id)
    one.kill()
    one.run.end()
    again = nodes.start("--listen", one.address)
    check_whole(nodes, nodes.ended(again, match_id, "ann"), ann, bo)


def test_a_node_that_was_stopped_past_its_lease_charges_nobody_and_sends_nothing_on(nodes: Nodes) -> None:
    """Its match goes on at the other node, and comes out as if nothing had been."""
    both = [nodes.start(), nodes.start()]
    ann, bo = nodes.bot("ann", both[0], both[1]), nodes.bot("bo", both[0], both[1])
    nodes.wait_until_connected(both[1], "ann", "bo")
    match_id = nodes.challenge(both[0], "ann", "bo", time_control=match_pb2.TimeControl(per_decision_ms=5_000))
    halfway(ann, match_id)
    both[0].kill(signal.SIGSTOP)
    both[1].run.wait_for("goes on here after")
    both[0].kill(signal.SIGCONT)
    check_whole(nodes, nodes.ended(both[1], match_id, "ann"), ann, bo)


def test_a_stopped_node_charges_nobody(nodes: Nodes) -> None:
    one = nodes.start()
    ann, bo = nodes.bot("ann", one), nodes.bot("bo", one)
    nodes.wait_until_connected(one, "ann", "bo")
    match_id = nodes.challenge(one, "ann", "bo", time_control=match_pb2.TimeControl(per_decision_ms=1_000))
    for decisions in (5, 10, 15):
        halfway(ann, match_id, decisions)
        one.kill(signal.SIGSTOP)
        time.sleep(2.0)
        one.kill(signal.SIGCONT)
    check_whole(nodes, nodes.ended(one, match_id, "ann"), ann, bo)


def test_a_node_that_is_told_to_end_gives_its_matches_back_and_another_goes_on(nodes: Nodes) -> None:
    both = [nodes.start(), nodes.start()]
    ann, bo = nodes.bot("ann", both[0], both[1]), nodes.bot("bo", both[0], both[1])
    nodes.wait_until_connected(both[1], "ann", "bo")
    match_id = nodes.challenge(both[0], "ann", "bo")
    halfway(ann, match_id)
    both[0].kill(signal.SIGTERM)
    assert both[0].run.end() == 0
    check_whole(nodes, nodes.ended(both[1], match_id, "ann"), ann, bo)
