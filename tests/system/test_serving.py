"""`arena serve`: bots that connect by themselves, a challenge, spectators, TLS, and an end in good order."""

import os
import re
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from arena_command import DEADLINE_S, Running, done, league_file, private_copy, refused, running, write_private
from bots_in_tests import FIRST
from one_node import TLS, bearer, challenge, connected_bot, create, node, wait_until_connected

from hanafuda.arena.v1 import bot_pb2, bot_pb2_grpc, match_pb2, play_pb2, play_pb2_grpc


def test_two_bots_connect_are_challenged_watched_and_replayed_and_told_goodbye(tmp_path: Path) -> None:
    with node(tmp_path) as (run, address), grpc.insecure_channel(address) as channel:
        tokens = {name: create(tmp_path, name) for name in ("alice", "bob")}
        with (
            connected_bot(tmp_path, address, tokens["alice"]) as alice,
            connected_bot(tmp_path, address, tokens["bob"]),
        ):
            wait_until_connected(channel, tokens["alice"], *tokens)
            match = challenge(channel, tokens["alice"], *tokens)
            assert match.end.reason == match_pb2.MATCH_END_REASON_COMPLETED
            for name in tokens:
                run.wait_for(rf"INFO .*: bot {name} is connected$")
            told = f"{match.match_id} (koikoi) is over: alice {match.end.results[0]}, bob {match.end.results[1]}"
            run.wait_for(re.escape(told))
            score = f"alice {match.end.results[0]} : bob {match.end.results[1]}"
            assert score in done("replay", "list", cwd=tmp_path)
            assert score in done("replay", "verify", match.replay_id, cwd=tmp_path)
            run.process.send_signal(signal.SIGTERM)
            assert run.end() == 0
            assert not any("Traceback" in line for line in run.lines)
            assert alice.poll() is None, "a bot waits for the node to come back"
    # What was played is there after a restart of the node.
    assert score in done("replay", "verify", match.replay_id, cwd=tmp_path)
    # Until it is deleted.
    done("match", "delete", match.match_id, cwd=tmp_path)
    assert refused("match", "delete", match.match_id, cwd=tmp_path) == f"error: no match '{match.match_id}'\n"
    assert score not in done("replay", "list", cwd=tmp_path)


def test_a_nodes_log_tells_of_leagues_and_rounds_and_on_demand_of_each_match(tmp_path: Path) -> None:
    file = league_file(tmp_path, ["house:random"] * 2, rounds=2, boards=1, more="options = { months = 1 }\n")
    with node(tmp_path, "--log", "debug") as (run, _):
        done("league", "open", file, cwd=tmp_path)
        done("league", "start", "spring", cwd=tmp_path)
        run.wait_for(r"INFO .*: league spring, koikoi: over after 2 rounds$")
    for number in (1, 2):
        run.wait_for(rf"INFO .*: league spring, koikoi: round {number} of 2 begins with 2 matches$")
    played = [line for line in run.lines if re.search(r"DEBUG .*: match spring\.koikoi\.r\d", line)]
    assert len(played) == 4


def test_a_node_that_is_to_log_problems_only_says_where_it_listens(tmp_path: Path) -> None:
    with node(tmp_path, "--log", "warning") as (run, address), grpc.insecure_channel(address) as channel:
        token = create(tmp_path, "alice")
        with connected_bot(tmp_path, address, token):
            wait_until_connected(channel, token, "alice")
            run.process.send_signal(signal.SIGTERM)
            assert run.end() == 0
    assert run.lines == [f"listening on {address}"]


def test_a_bot_is_told_goodbye_when_the_node_goes_down(tmp_path: Path) -> None:
    with node(tmp_path) as (run, address), grpc.insecure_channel(address) as channel:
        requests = iter([play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1))])
        token = bearer(create(tmp_path, "alice"))

        def hello_and_silence() -> Iterator[play_pb2.PlayRequest]:
            yield from requests
            run.process.wait(DEADLINE_S)

        stream = play_pb2_grpc.PlayServiceStub(channel).Play(hello_and_silence(), metadata=token)
        assert next(stream).HasField("welcome")
        run.process.send_signal(signal.SIGTERM)
        assert next(stream).goodbye.reason == play_pb2.GOODBYE_REASON_SHUTTING_DOWN
        assert list(stream) == []
        assert run.end() == 0


def test_what_a_killed_node_leaves_in_the_temporary_folder_is_removed_by_the_next_start(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as stack:
        kept = f"hanafuda-arena-cages-{os.geteuid()}"  # what cages need to read, copied once for all arenas of a user

        def folders() -> set[str]:
            return set(os.listdir(temporary)) - {kept}

        def start(data: str) -> tuple[Running, set[str]]:
            """A node, and the folders that it has made."""
            before = folders()
            arguments = ("serve", "--listen", "127.0.0.1:0", "--data", data)
            run = stack.enter_context(running(*arguments, cwd=tmp_path, env={"TMPDIR": temporary}))
            run.wait_for("bots by path")  # the last that a start does: it tries the cage
            return run, folders() - before

        lives, of_living = start("a")
        killed, of_killed = start("b")
        killed.process.kill()
        killed.end()
        assert folders() == of_living | of_killed
        assert of_killed
        again, of_again = start("b")
        assert folders() == of_living | of_again
        for run in (lives, again):
            run.process.send_signal(signal.SIGTERM)
            assert run.end() == 0
        assert folders() == set()


def test_tokens_that_are_unknown_or_replaced_are_unauthenticated_and_a_port_in_use_is_named(tmp_path: Path) -> None:
    with node(tmp_path) as (_, address), grpc.insecure_channel(address) as channel:
        old = create(tmp_path, "alice")
        new = done("bot", "token", "alice", cwd=tmp_path).strip()
        bots = bot_pb2_grpc.BotServiceStub(channel)
        assert bots.GetBot(bot_pb2.GetBotRequest(name="alice"), metadata=bearer(new)).bot.name == "alice"
        for token in (old, "hfa_made-up", ""):
            with pytest.raises(grpc.RpcError) as refusal:
                bots.GetBot(bot_pb2.GetBotRequest(name="alice"), metadata=bearer(token))
            assert refusal.value.code() is grpc.StatusCode.UNAUTHENTICATED
        with connected_bot(tmp_path, address, old) as bot:
            _, said = bot.communicate(timeout=DEADLINE_S)
        assert bot.returncode == 1
        assert "TOKEN_UNKNOWN" in said
        said = refused("serve", "--listen", address, "--data", "other", cwd=tmp_path)
        assert said == f"error: another process listens on {address}\n"


def test_over_tls_a_bot_connects_that_trusts_the_certificate(tmp_path: Path) -> None:
    files = ("--tls-cert", TLS / "cert.pem", "--tls-key", private_copy(TLS / "key.pem", tmp_path))
    with node(tmp_path, *files) as (_, address):
        there = f"localhost:{address.rpartition(':')[2]}"
        tokens = {name: create(tmp_path, name) for name in ("alice", "bob")}
        trust = grpc.ssl_channel_credentials((TLS / "cert.pem").read_bytes())
        with (
            grpc.secure_channel(there, trust) as channel,
            connected_bot(tmp_path, there, tokens["alice"], ARENA_TLS_CA=str(TLS / "cert.pem")),
            connected_bot(tmp_path, there, tokens["bob"], ARENA_TLS_CA=str(TLS / "cert.pem")),
        ):
            wait_until_connected(channel, tokens["alice"], *tokens)
            assert challenge(channel, tokens["alice"], *tokens).status == match_pb2.MATCH_STATUS_OVER


FREE = ("--listen", "127.0.0.1:0")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--listen", "0.0.0.0:0"), "0.0.0.0:0 is not on loopback: give --tls-cert and --tls-key, or --insecure"),
        ((*FREE, "--tls-cert", "none.pem", "--tls-key", "none.pem"), "none.pem cannot be read: No such file"),
        ((*FREE, "--tls-cert", "none.pem"), "a certificate and its key belong together"),
        (
            (*FREE, "--tls-cert", "bot.py", "--tls-key", "bot.py"),
            "bot.py and bot.py are no certificate and its key (PEM)",
        ),
        ((*FREE, "--tls-cert", TLS / "cert.pem", "--tls-key", "cert.pem"), "are no certificate and its key"),
        ((*FREE, "--tls-cert", TLS / "cert.pem", "--tls-key", TLS / "key.pem"), "is open to other users"),
        (("--listen", "here"), "'here' is no address: it has to be unix:PATH or HOST:PORT"),
    ],
)
def test_a_node_that_cannot_listen_says_why(tmp_path: Path, arguments: tuple[str | Path, ...], words: str) -> None:
    write_private(tmp_path / "bot.py", FIRST)
    private_copy(TLS / "cert.pem", tmp_path)
    said = refused("serve", *arguments, cwd=tmp_path)
    assert words in said
    assert len(said.splitlines()) == 1
