"""A token that is replaced, or whose owner ends, closes every stream at every node."""

from pathlib import Path

import grpc
from arena_command import DEADLINE_S, done, until
from one_node import bearer
from several_nodes import Bot, Node, Nodes, Watcher

from hanafuda.arena.v1 import match_pb2, match_pb2_grpc, owner_pb2, owner_pb2_grpc

REVOKED = "the token was replaced, or its owner ended"


def watch(node: Node, match_id: str, token: str) -> Watcher:
    """A spectator with this token."""
    request = match_pb2.WatchMatchRequest(match_id=match_id)
    stub = match_pb2_grpc.MatchServiceStub(node.channel)
    return Watcher(stub.WatchMatch(request, metadata=bearer(token), timeout=DEADLINE_S))


def dismissed(bot: Bot, folder: Path, name: str) -> bool:
    """Whether a bot leaves because the arena said goodbye to its token."""
    bot.process.wait(DEADLINE_S)
    return "TOKEN_REVOKED: the bot's token was replaced, or its owner ended" in (folder / f"{name}.log").read_text()


def test_revoked_tokens_end_streams_at_all_nodes_and_no_others(tmp_path: Path, nodes: Nodes) -> None:
    store = ("--redis", nodes.url)
    ann, bob = (done("owner", "create", name, *store, cwd=tmp_path).strip() for name in ("ann", "bob"))
    crane, deer = nodes.token("crane", "--owner", "ann"), nodes.token("deer", "--owner", "bob")
    one, two = nodes.start(), nodes.start()
    bots = {name: nodes.bot(name, two, think_s=DEADLINE_S) for name in ("crane", "deer")}
    nodes.wait_until_connected(one, *bots)
    match_id = nodes.challenge(one, "crane", "deer", time_control={"per_decision_ms": 60_000, "bank_ms": 600_000})
    watchers = {
        (token, node.address): watch(node, match_id, token) for token in (ann, bob, crane, deer) for node in (one, two)
    }
    until(lambda: all(watcher.shown for watcher in watchers.values()), "every spectator is shown the match")

    def ended(*tokens: str) -> bool:
        """Whether all spectators with these tokens are sent away for that, and no others."""
        for place in [place for place in watchers if place[0] in tokens]:
            watcher = watchers.pop(place)
            watcher.join()
            assert (watcher.status, watcher.details) == (grpc.StatusCode.UNAUTHENTICATED, REVOKED)
        return all(watcher.status is None for watcher in watchers.values())

    done("bot", "token", "crane", *store, cwd=tmp_path)
    assert dismissed(bots["crane"], tmp_path, "crane")
    assert ended(crane)
    assert bots["deer"].process.poll() is None
    owners = owner_pb2_grpc.OwnerServiceStub(one.channel)
    fresh = owners.RotateOwnerToken(owner_pb2.RotateOwnerTokenRequest(), metadata=bearer(ann), timeout=DEADLINE_S)
    assert ended(ann)
    assert owners.GetOwner(owner_pb2.GetOwnerRequest(), metadata=bearer(fresh.token)).owner.name == "ann"
    done("owner", "end", "bob", *store, cwd=tmp_path)
    assert dismissed(bots["deer"], tmp_path, "deer")
    assert ended(bob, deer)
