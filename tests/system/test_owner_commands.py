"""Owners: made by the operator on the store, and at work from anywhere with their tokens."""

from pathlib import Path

import grpc
from arena_command import DEADLINE_S, arena, document, done, league_file, private_copy, refused, write_private
from one_node import TLS, bearer, node, refusal

from hanafuda.arena.v1 import league_pb2, league_pb2_grpc


def test_the_operator_makes_owners_and_sets_their_limits(tmp_path: Path) -> None:
    token = done("owner", "create", "ann", "--bots", "3", "--packed", "64", cwd=tmp_path).strip()
    assert token.startswith("hfo_")
    assert "an owner named 'ann' exists already" in refused("owner", "create", "ann", cwd=tmp_path)
    told = done("owner", "limits", "ann", "--submissions", "60", cwd=tmp_path)
    assert told == "ann  3 bots, 100 versions of each, 64 MiB packed, 60 submissions in an hour\n"
    [ann] = document("owner", "list", cwd=tmp_path)["owners"]
    assert (ann["name"], ann["ended"]) == ("ann", False)
    assert ann["limits"] == {"bots": 3, "versions": 100, "packed_bytes": 64 << 20, "submissions": 60}
    assert done("owner", "token", "ann", cwd=tmp_path).strip() != token
    assert done("owner", "end", "ann", cwd=tmp_path) == "ann has been ended\n"
    assert done("owner", "end", "ann", cwd=tmp_path) == "ann has been ended already\n"
    assert done("owner", "show", "ann", cwd=tmp_path).endswith(" in the last hour, ended\n")
    assert done("owner", "list", cwd=tmp_path) == "ann  ended\n"
    assert "owner 'ann' has been ended" in refused("owner", "token", "ann", cwd=tmp_path)
    assert "no owner named 'bob'" in refused("owner", "end", "bob", cwd=tmp_path)


def test_nobody_gets_a_token_for_an_owner_that_has_ended_or_for_its_bots(tmp_path: Path) -> None:
    done("owner", "create", "ann", cwd=tmp_path)
    done("bot", "create", "crane", "--owner", "ann", cwd=tmp_path)
    done("owner", "end", "ann", cwd=tmp_path)
    for command in (
        ("owner", "create", "ann"),
        ("bot", "token", "crane"),
        ("bot", "create", "swan", "--owner", "ann"),
    ):
        said = refused(*command, cwd=tmp_path)
        assert said == "error: owner 'ann' has been ended for good: it and its bots get no more tokens\n"
    assert done("bot", "list", cwd=tmp_path) == "crane  ann\n"


def test_what_is_made_in_a_store_says_so_where_a_server_is_set_and_no_store_is_named(tmp_path: Path) -> None:
    env = {"ARENA_SERVER": "127.0.0.1:1"}
    note = "note: this works on the store in arena-data, not at ARENA_SERVER\n"
    made = arena("owner", "create", "ann", cwd=tmp_path, env=env)
    assert (made.returncode, made.stdout[:4], made.stderr) == (0, "hfo_", note)
    made = arena("bot", "create", "crane", cwd=tmp_path, env=env)
    assert (made.returncode, made.stdout[:4], made.stderr) == (0, "hfa_", note)
    assert arena("owner", "list", "--data", "arena-data", cwd=tmp_path, env=env).stderr == ""


def test_an_owner_lists_bots_from_any_folder_with_its_token(tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    token = done("owner", "create", "ann", cwd=tmp_path).strip()
    done("bot", "create", "crane", "--owner", "ann", cwd=tmp_path)
    done("bot", "create", "deer", cwd=tmp_path)
    with node(tmp_path) as (_, address):
        there = ("bot", "list", "--server", address)
        assert done(*there, "--token", token, cwd=away) == "crane  ann\ndeer\n"
        file = write_private(away / "token", token + "\n")
        assert document(*there, "--token", f"@{file}", cwd=away)["bots"][0] == {
            "name": "crane",
            "owner": "ann",
            "active": None,
            "connected": False,
            "challenges": "owner",
        }
        # A node that is away is passed over.
        several = ("bot", "list", "--server", f"unix:{tmp_path}/nothing,{address}", "--token", token)
        assert done(*several, cwd=away) == "crane  ann\ndeer\n"

        assert "--server needs a token: give --token or ARENA_TOKEN" in refused(*there, cwd=away)
        assert "this arena does not know the token" in refused(*there, "--token", "hfo_wrong", cwd=away)
        file.chmod(0o644)
        assert "is open to other users" in refused(*there, "--token", f"@{file}", cwd=away)
        env = {"ARENA_SERVER": address, "ARENA_TOKEN": token}
        done("owner", "end", "ann", cwd=tmp_path)
        assert "this arena does not know the token" in refused("bot", "list", cwd=away, env=env)
    for address, why in (
        (f"unix:{tmp_path}/nothing", "there is no such socket; is the node running?"),
        ("127.0.0.1:1", "nothing listens there; is the node running?"),
        ("127.0.0.1:1,x", "127.0.0.1:1: nothing listens there; is the node running?; x: this is no address; "),
        (",", "this is no address; it has the form HOST:PORT or unix:PATH"),
    ):
        told = refused("bot", "list", "--server", address, "--token", token, cwd=away)
        assert told.startswith(f"error: no arena answers at {address}: {why}")
        assert told.count("\n") == 1


def test_over_tls_a_command_trusts_the_certificates_that_it_is_given(tmp_path: Path) -> None:
    token = done("owner", "create", "ann", cwd=tmp_path).strip()
    files = ("--tls-cert", TLS / "cert.pem", "--tls-key", private_copy(TLS / "key.pem", tmp_path))
    with node(tmp_path, *files) as (_, address):
        there = ("bot", "list", "--server", f"localhost:{address.rpartition(':')[2]}", "--token", token)
        assert done(*there, "--tls-ca", TLS / "cert.pem", cwd=tmp_path) == ""
        (tmp_path / "empty.pem").touch()
        for more, why in (
            (("--tls",), "its certificate is refused (self-signed certificate)"),
            ((), "it speaks TLS; give --tls, or --tls-ca with its certificate"),
            (("--tls-ca", "nothing.pem"), "nothing.pem: No such file"),
            (("--tls-ca", "empty.pem"), "empty.pem holds no certificates in PEM form"),
        ):
            told = refused(*there, *more, cwd=tmp_path)
            assert why in told
            assert told.count("\n") == 1


def test_an_owner_enters_its_bot_in_a_league_and_withdraws_it(tmp_path: Path) -> None:
    token = done("owner", "create", "ann", cwd=tmp_path).strip()
    for name, owner in (("crane", "ann"), ("deer", "bob")):
        done("bot", "create", name, "--owner", owner, cwd=tmp_path)
    done("league", "open", league_file(tmp_path, (), more='board_sets = "field"\n'), cwd=tmp_path)
    with node(tmp_path) as (_, address), grpc.insecure_channel(address) as channel:
        leagues = league_pb2_grpc.LeagueServiceStub(channel)

        def enter(bot: str) -> league_pb2.LeagueEntrant:
            request = league_pb2.EnterLeagueRequest(league="spring", bot=bot)
            return leagues.EnterLeague(request, metadata=bearer(token), timeout=DEADLINE_S).entrant

        def withdraw(bot: str) -> list[str]:
            request = league_pb2.WithdrawFromLeagueRequest(league="spring", bot=bot)
            gone = leagues.WithdrawFromLeague(request, metadata=bearer(token), timeout=DEADLINE_S).entrants
            return [one.name for one in gone]

        assert enter("crane").name == "crane"
        for call, bot, wanted in (
            (enter, "deer", "NOT_YOUR_BOT"),
            (withdraw, "deer", "NOT_YOUR_BOT"),
            (enter, "nobody", "UNKNOWN_BOT"),
            (enter, "", "INVALID_REQUEST"),
        ):
            assert refusal(call, bot)[1] == wanted
        assert withdraw("crane") == ["crane"]
