"""A match is watched at any node, whichever plays it, and whatever becomes of that one."""

import asyncio
import json
import secrets
import signal
from typing import Any

import grpc
import pytest
from arena_command import done, running, until
from several_nodes import Nodes, Watcher
from test_nodes import COMPLETED, RandomSeat, begun, check_whole

from arena import wire
from arena.match.model import MatchSpec
from arena.match.play import play
from arena.organizer.matches import queue_match
from arena.store import Store, new_match_id
from hanafuda.arena.v1 import match_pb2


def check_watched(nodes: Nodes, match: match_pb2.Match, *watchers: Watcher) -> None:
    """That each was shown all that is public of the match, once and in order, and its end."""
    told = json.loads(done("replay", "transcript", match.replay_id, "--redis", nodes.url, cwd=nodes.folder))
    spec = MatchSpec("m", "koikoi", bytes.fromhex(told["seed"]), tuple(match.bots), options={"months": 12})
    public: list[Any] = []
    asyncio.run(play(spec, [RandomSeat(), RandomSeat()], spectator=public.extend))
    for watcher in watchers:
        events, end = watcher.to_the_end()
        assert events == list(map(wire.event_to_wire, public))
        assert (end.reason, end.results) == (COMPLETED, match.end.results)


def halfway(watcher: Watcher) -> None:
    """Wait until the spectator has been shown a part of the match."""
    until(lambda: len(watcher.shown) >= 20, "the spectator sees the match")


def test_a_match_is_watched_at_every_node_from_its_beginning_to_its_end(nodes: Nodes) -> None:
    one, two = nodes.start(), nodes.start()
    match_id, _, _ = begun(nodes, two, [one], [one])
    watchers = [nodes.watch(node, match_id, "ann") for node in (one, two)]
    match = nodes.ended(one, match_id, "ann")
    check_watched(nodes, match, *watchers)
    events, end = nodes.watch(two, match_id, "bo").to_the_end()
    assert (events, end.match_id) == ([], match_id), "of a match that is over, its end"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_who_watches_at_another_node_misses_nothing_when_the_node_that_plays_is_lost(
    nodes: Nodes, how: signal.Signals
) -> None:
    plays, takes_over, shows = (nodes.start() for _ in range(3))
    match_id, ann, bo = begun(nodes, shows, [plays, takes_over], [plays, takes_over])
    watchers = [nodes.watch(node, match_id, "ann") for node in (shows, takes_over)]
    for watcher in watchers:
        halfway(watcher)
    plays.kill(how)
    if how is signal.SIGSTOP:
        others = (takes_over.run, shows.run)
        until(lambda: any("goes on here" in line for run in others for line in run.lines), "another has taken it over")
        plays.kill(signal.SIGCONT)
    match = nodes.ended(shows, match_id, "ann")
    check_whole(nodes, match, ann, bo)
    check_watched(nodes, match, *watchers)


def test_who_watches_at_a_node_that_ends_is_told_to_go_to_another(nodes: Nodes) -> None:
    plays, shows = nodes.start(), nodes.start()
    match_id, ann, bo = begun(nodes, plays, [plays], [plays])
    watcher = nodes.watch(shows, match_id, "ann")
    halfway(watcher)
    shows.kill(signal.SIGTERM)
    until(lambda: watcher.status, "the stream has ended")
    assert (watcher.status, watcher.details) == (
        grpc.StatusCode.UNAVAILABLE,
        "the node goes down; watch the match at another",
    )
    again = nodes.watch(plays, match_id, "ann")
    match = nodes.ended(plays, match_id, "ann")
    check_whole(nodes, match, ann, bo)
    check_watched(nodes, match, again)


async def queued(url: str, *names: str) -> str:
    """A match that waits in the store; its id."""
    spec = MatchSpec(new_match_id(), "koikoi", secrets.token_bytes(32), names, options={"months": 12})
    async with await Store.open(redis=url) as store:
        return (await queue_match(store, spec, wire.seed_commitment(spec.seed))).id


def test_a_match_that_waits_for_its_bot_is_watched_from_its_beginning(nodes: Nodes) -> None:
    one, two = nodes.start(), nodes.start()
    ann, bo = nodes.bot("ann", one, max_matches=1), nodes.bot("bo", one)
    nodes.wait_until_connected(two, "ann", "bo")
    # As if ann had taken two matches at once before: a challenge beyond its places is refused.
    ids = [nodes.challenge(two, "ann", "bo"), asyncio.run(queued(nodes.url, "ann", "bo"))]
    watchers = [nodes.watch(two, match_id, "bo") for match_id in ids]
    until(lambda: any(watcher.shown for watcher in watchers), "one of them is played")
    assert not all(watcher.shown for watcher in watchers), "the other waits for ann to be free"
    for match_id, watcher in zip(ids, watchers, strict=True):
        match = nodes.ended(two, match_id, "ann")
        check_whole(nodes, match, ann, bo)
        check_watched(nodes, match, watcher)


def test_a_command_that_watches_goes_on_at_another_node_and_misses_nothing(nodes: Nodes) -> None:
    plays, shows = nodes.start(), nodes.start()
    match_id, ann, bo = begun(nodes, plays, [plays], [plays])
    watch = ("match", "watch", match_id, "--token", nodes.token("ann"), "--server")
    with running(*watch, f"{shows.address},{plays.address}", cwd=nodes.folder) as command:
        command.wait_for("^month 2 ")
        shows.kill()
        assert command.end() == 0, command.lines
        match = nodes.ended(plays, match_id, "ann")
        check_whole(nodes, match, ann, bo)
        # On a busy machine it waits long enough to say for what.
        shown = [line for line in command.lines if not line.startswith("no arena answers at ")]
        assert shown == done(*watch, plays.address, cwd=nodes.folder).splitlines()
