"""`arena serve --log json`: what happened, in fields."""

import json
import signal
from pathlib import Path
from typing import Any

import grpc
import pytest
from arena_command import DEADLINE_S, Running, done, league_file, until
from one_node import bearer, challenge, connected_bot, node, wait_until_connected

from arena.store import Job, Scope
from arena.store.records import MatchWork, QualifyWork, StepWork
from hanafuda.arena.v1 import match_pb2, match_pb2_grpc


def events(run: Running, kind: str) -> list[dict[str, Any]]:
    """The events of a kind that a node has logged."""
    documents = (json.loads(line) for line in run.lines if line.startswith("{"))
    return [document for document in documents if document["event"] == kind]


def test_matches_rounds_connections_and_refusals_say_who_and_what_in_fields(tmp_path: Path) -> None:
    file = league_file(tmp_path, ["house:random"] * 2, rounds=1, boards=1, more="options = { months = 1 }\n")
    with node(tmp_path, "--log", "json") as (run, address), grpc.insecure_channel(address) as channel:
        done("owner", "create", "alice", cwd=tmp_path)
        token = done("bot", "create", "ann", "--owner", "alice", "--challenges", "anyone", cwd=tmp_path).strip()
        done("league", "open", file, cwd=tmp_path)
        done("league", "start", "spring", cwd=tmp_path)
        with connected_bot(tmp_path, address, token):
            wait_until_connected(channel, token, "ann")
            single = challenge(channel, token, "ann", "house:random")
        matches = match_pb2_grpc.MatchServiceStub(channel)
        with pytest.raises(grpc.RpcError):
            matches.GetMatch(match_pb2.GetMatchRequest(match_id="none"), metadata=bearer(token), timeout=DEADLINE_S)
        until(lambda: events(run, "division_over") and events(run, "bot_left"), "league and bot are done")
        run.process.send_signal(signal.SIGTERM)
        assert run.end() == 0
    [begun] = events(run, "round")
    assert (begun["league"], begun["variant"], begun["round"], begun["matches"]) == ("spring", "koikoi", 1, 2)
    played = {event["match"]: event for event in events(run, "match")}
    assert len(played) == 3
    for one in played.values():
        if one["league"]:
            assert one["match"].startswith("spring.koikoi.r1.")
            assert (one["league"], one["round"], one["owner"]) == ("spring", 1, "")
            assert (sorted(one["bots"]), one["versions"]) == (["bot-1", "bot-2"], ["house:random"] * 2)
    own = played[single.match_id]
    assert (own["owner"], own["bots"][0], own["end"]) == ("owner:alice", "ann", "completed")
    for kind in ("bot_connected", "bot_left"):
        assert {(event["bot"], event["owner"]) for event in events(run, kind)} == {("ann", "alice")}
    [refused] = events(run, "refusal")
    assert (refused["owner"], refused["bot"]) == ("alice", "ann")
    assert (refused["method"], refused["reason"]) == ("/hanafuda.arena.v1.MatchService/GetMatch", "UNKNOWN_MATCH")


def test_a_job_says_what_it_is_of() -> None:
    division, versions = Scope.league("spring", "koikoi"), Scope.version("ann", "f" * 16)
    match = MatchWork("m1", "r1.b1", 2, ("ann", "bob"), b"", round=1)

    def about(scope: Scope, work: MatchWork | StepWork | QualifyWork) -> dict[str, Any]:
        return Job(scope, "1-0", 1, 1000, work).about

    known = {"league": "spring", "variant": "koikoi", "round": 1}
    assert about(division, match) == {**known, "match": "spring.koikoi.r1.m1", "bots": ("ann", "bob")}
    assert about(division, StepWork(1)) == known
    assert about(Scope.match("0a"), match) == {"match": "0a", "bots": ("ann", "bob")}
    assert about(versions, QualifyWork("f" * 16)) == {"bot": "ann", "version": "f" * 16}
