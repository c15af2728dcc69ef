"""Several nodes on one store: their bots meet, and no match is lost with a node."""

import asyncio
import itertools
import json
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from arena_command import done, private_copy, refused, until, write_private
from one_node import TLS, bearer
from several_nodes import Bot, Node, Nodes
from store_servers import free_port

from arena.match.model import MatchResult, MatchSpec
from arena.match.play import play
from arena.match.question import Answer, Question
from arena.match.seat import Seat
from hanafuda.arena.v1 import bot_pb2, bot_pb2_grpc, match_pb2, node_pb2, node_pb2_grpc

COMPLETED = match_pb2.MATCH_END_REASON_COMPLETED


class RandomSeat(Seat):
    """Plays as the bots of these tests do."""

    async def decide(self, question: Question) -> Answer:
        return Answer(question.legal[question.random % len(question.legal)], 0.0)


def unbroken(nodes: Nodes, match: match_pb2.Match) -> MatchResult:
    """The same match as nobody disturbs it: from the seed that its replay publishes."""
    shown = json.loads(done("replay", "transcript", match.replay_id, "--redis", nodes.url, cwd=nodes.folder))
    spec = MatchSpec("m", "koikoi", bytes.fromhex(shown["seed"]), tuple(match.bots), options={"months": 12})
    return asyncio.run(play(spec, [RandomSeat(), RandomSeat()]))


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


def begun(nodes: Nodes, at: Node, ann: Sequence[Node], bo: Sequence[Node], **more: Any) -> tuple[str, Bot, Bot]:
    """A match that was asked for at a node and is half played, between bots with these nodes' addresses."""
    bots = nodes.bot("ann", *ann), nodes.bot("bo", *bo)
    for node in (at, *ann, *bo):  # whichever takes the match has to know where it is best played
        nodes.wait_until_connected(node, "ann", "bo")
    match_id = nodes.challenge(at, "ann", "bo", **more)
    halfway(bots[0], match_id)
    return match_id, *bots


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
    match_id, ann, bo = begun(nodes, rest, both, both[::-1])
    both[victim].kill()
    check_whole(nodes, nodes.ended(rest, match_id, "ann"), ann, bo)


def test_a_match_goes_on_where_it_was_when_the_only_node_is_killed_and_started_again(nodes: Nodes) -> None:
    one = nodes.start(listen=f"127.0.0.1:{free_port()}")
    match_id, ann, bo = begun(nodes, one, [one], [one])
    one.kill()
    one.run.end()
    again = nodes.start(listen=one.address)
    check_whole(nodes, nodes.ended(again, match_id, "ann"), ann, bo)


def test_a_node_that_was_stopped_past_its_lease_charges_nobody_and_sends_nothing_on(nodes: Nodes) -> None:
    """Its match goes on at the other node, and comes out as if nothing had been."""
    both = [nodes.start(), nodes.start()]
    match_id, ann, bo = begun(nodes, both[0], both, both, time_control=match_pb2.TimeControl(per_decision_ms=5_000))
    both[0].kill(signal.SIGSTOP)
    both[1].run.wait_for("goes on here after")
    both[0].kill(signal.SIGCONT)
    check_whole(nodes, nodes.ended(both[1], match_id, "ann"), ann, bo)


def test_a_stopped_node_charges_nobody(nodes: Nodes) -> None:
    one = nodes.start()
    ann, bo = nodes.bot("ann", one), nodes.bot("bo", one)
    nodes.wait_until_connected(one, "ann", "bo")
    limit_s = 3
    match_id = nodes.challenge(one, "ann", "bo", time_control=match_pb2.TimeControl(per_decision_ms=1000 * limit_s))
    for decisions in (5, 10, 15):
        halfway(ann, match_id, decisions)
        one.kill(signal.SIGSTOP)
        time.sleep(limit_s + 1)  # longer than any decision may take
        one.kill(signal.SIGCONT)
    check_whole(nodes, nodes.ended(one, match_id, "ann"), ann, bo)


def test_a_node_that_is_told_to_end_gives_its_matches_back_and_another_goes_on(nodes: Nodes) -> None:
    both = [nodes.start(), nodes.start()]
    match_id, ann, bo = begun(nodes, both[0], both, both)
    both[0].kill(signal.SIGTERM)
    assert both[0].run.end() == 0
    check_whole(nodes, nodes.ended(both[1], match_id, "ann"), ann, bo)


def test_a_killed_nodes_match_goes_on_at_another_once_its_lease_has_run_out(nodes: Nodes) -> None:
    both = [nodes.start(), nodes.start()]
    match_id, ann, bo = begun(nodes, both[0], both, both)
    both[0].kill()
    both[1].run.wait_for("goes on here after")
    check_whole(nodes, nodes.ended(both[1], match_id, "ann"), ann, bo)


def test_a_match_is_played_where_its_bots_are(nodes: Nodes) -> None:
    one, two = nodes.start(), nodes.start()
    match_id, ann, bo = begun(nodes, one, [two], [two])
    one.kill()
    one.run.end()
    check_whole(nodes, nodes.ended(two, match_id, "ann"), ann, bo)
    assert not any("goes on here" in line for line in two.run.lines), "the node that is gone did not have it"


def test_a_bot_that_goes_to_another_node_in_the_middle_goes_on_there(nodes: Nodes) -> None:
    one, two = nodes.start(), nodes.start()
    match_id, ann, bo = begun(nodes, one, [one], [two])
    ann.process.kill()
    ann.process.wait()
    ann = nodes.bot("ann", two)
    check_whole(nodes, nodes.ended(two, match_id, "bo"), ann, bo)


def test_a_bot_that_connects_to_another_node_leaves_the_first(nodes: Nodes) -> None:
    one, two = nodes.start(), nodes.start()
    first = nodes.bot("ann", one)
    nodes.wait_until_connected(one, "ann")
    nodes.bot("ann", two)
    assert first.process.wait(60) == 1
    assert "REPLACED" in (nodes.folder / "ann.log").read_text()


def test_a_node_that_joins_has_its_part_at_once_and_one_may_leave(nodes: Nodes) -> None:
    one = nodes.start()
    ann = nodes.bot("ann", one)
    nodes.wait_until_connected(one, "ann")
    two = nodes.start()
    bo = nodes.bot("bo", two)
    nodes.wait_until_connected(one, "ann", "bo")
    nodes.wait_until_connected(two, "ann", "bo")
    match_id = nodes.challenge(two, "bo", "ann")
    check_whole(nodes, nodes.ended(one, match_id, "bo"), ann, bo)
    one.kill(signal.SIGTERM)
    assert one.run.end() == 0
    stub = bot_pb2_grpc.BotServiceStub(two.channel)

    def gone() -> bool:
        request = bot_pb2.GetBotRequest(name="ann")
        return not stub.GetBot(request, metadata=nodes.metadata("bo"), timeout=60).bot.connected

    until(gone, "the other node knows that ann went with her node")


def test_only_who_has_the_cluster_key_is_a_node(nodes: Nodes) -> None:
    write_private(nodes.folder / "key", "the key of this arena\n")
    one = nodes.start("--cluster-key", "key")
    stub = node_pb2_grpc.NodeServiceStub(one.channel)
    for metadata in (bearer("the key of another"), nodes.metadata("ann"), ()):
        with pytest.raises(grpc.RpcError) as refusal:
            list(stub.Link(iter(()), metadata=metadata, timeout=60))
        assert refusal.value.code() is grpc.StatusCode.UNAUTHENTICATED
        with pytest.raises(grpc.RpcError) as refusal:
            list(stub.Watch(node_pb2.WatchRequest(match_id="m"), metadata=metadata, timeout=60))
        assert refusal.value.code() is grpc.StatusCode.UNAUTHENTICATED
        with pytest.raises(grpc.RpcError) as refusal:
            stub.HandOver(node_pb2.HandOverRequest(), metadata=metadata, timeout=60)
        assert refusal.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert list(stub.Link(iter(()), metadata=bearer("the key of this arena"), timeout=60)) == []
    bots = bot_pb2_grpc.BotServiceStub(one.channel)
    with pytest.raises(grpc.RpcError) as refusal:
        bots.ListBots(bot_pb2.ListBotsRequest(), metadata=bearer("the key of this arena"), timeout=60)
    assert refusal.value.code() is grpc.StatusCode.UNAUTHENTICATED, "a node is no bot"


def test_a_node_with_another_cluster_key_is_refused_once_and_the_others_play_on(nodes: Nodes) -> None:
    for name in ("key", "wrong"):
        write_private(nodes.folder / name, f"a key of 16 letters or more: {name}\n")
    serve = ("serve", "--redis", nodes.url, "--listen", "127.0.0.1:0")
    words = (
        "the nodes that share this store have another cluster key, and would refuse this one: start it with the same"
    )
    one = nodes.start("--cluster-key", "key")
    for other in (("--cluster-key", "wrong"), ()):
        said = refused(*serve, *other, cwd=nodes.folder)
        assert said.startswith(f"error: {words}"), said
        assert len(said.splitlines()) == 1, said
    two = nodes.start("--cluster-key", "key")
    ann, bo = nodes.bot("ann", one), nodes.bot("bo", two)
    nodes.wait_until_connected(one, "ann", "bo")
    match_id = nodes.challenge(one, "ann", "bo")
    check_whole(nodes, nodes.ended(two, match_id, "bo"), ann, bo)
    for node in (one, two):
        node.kill(signal.SIGTERM)
        assert node.run.end() == 0
    nodes.start("--cluster-key", "wrong")  # where no node is, the first says which key it is


def test_nodes_that_share_a_port_are_reached_by_one_another(nodes: Nodes) -> None:
    shared = f"127.0.0.1:{free_port()}"
    many = [nodes.start("--shared-port", listen=shared) for _ in range(2)]
    assert {node.address for node in many} == {shared}
    bots = {name: nodes.bot(name, many[0]) for name in ("a", "b", "c", "d", "e", "f")}
    nodes.wait_until_connected(many[0], *bots)
    # However the system spreads them over the nodes: where both have some, a pair of neighbours plays across.
    ids = {pair: nodes.challenge(many[0], *pair) for pair in itertools.pairwise(bots)}
    for pair, match_id in ids.items():
        check_whole(nodes, nodes.ended(many[0], match_id, pair[0]), *(bots[name] for name in pair))


def test_nodes_that_serve_tls_trust_one_another_by_their_certificates(nodes: Nodes) -> None:
    certificate = TLS / "cert.pem"
    key = private_copy(TLS / "key.pem", nodes.folder)
    files = ("--tls-cert", certificate, "--tls-key", key, "--tls-ca", certificate)
    trust = grpc.ssl_channel_credentials(certificate.read_bytes())
    many = [nodes.start(*files, listen="localhost:0", trust=trust) for _ in range(2)]
    ann = nodes.bot("ann", many[0], ARENA_TLS_CA=str(certificate))
    bo = nodes.bot("bo", many[1], ARENA_TLS_CA=str(certificate))
    nodes.wait_until_connected(many[0], "ann", "bo")
    match_id = nodes.challenge(many[0], "ann", "bo")
    watchers = [nodes.watch(node, match_id, "ann") for node in many]
    check_whole(nodes, nodes.ended(many[1], match_id, "bo"), ann, bo)
    (here, _), (there, _) = (watcher.to_the_end() for watcher in watchers)
    assert here == there
    assert here


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--listen", "0.0.0.0:0", "--insecure"), "is no address that other nodes can reach: give --advertise"),
        (("--listen", "127.0.0.1:0", "--cluster-key", "none"), "none cannot be read"),
        (("--listen", "127.0.0.1:0", "--cluster-key", "empty"), "empty is empty"),
        (("--listen", "127.0.0.1:0", "--cluster-key", "short"), "short holds 1 characters, and at least 16 are needed"),
        (
            ("--listen", "127.0.0.1:0", "--cluster-key", "open"),
            "open is open to other users (mode 0644): run chmod 600",
        ),
    ],
)
def test_a_node_that_others_could_not_reach_says_so(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    write_private(tmp_path / "empty", "\n")
    write_private(tmp_path / "short", "k\n")
    write_private(tmp_path / "open", "long enough for a cluster key\n").chmod(0o644)
    assert words in refused("serve", "--redis", "redis://127.0.0.1:1", *arguments, cwd=tmp_path)
