"""An arena signs what it publishes, and anybody can demand its signature."""

import json
import zipfile
from pathlib import Path

import grpc
import pytest
from arena_command import DEADLINE_S, arena, document, done, league_file, refused
from one_node import bearer, create, node

from arena.signatures import Signature, Signed, key_text, table_payload
from hanafuda.arena.v1 import arena_pb2, arena_pb2_grpc, league_pb2, league_pb2_grpc

OTHER = "hfk_" + "00" * 32


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an arena with a finished league."""
    folder = tmp_path_factory.mktemp("signed")
    done("league", "run", league_file(folder, ["house:random", "house:greedy"], rounds=1, boards=1), cwd=folder)
    return folder


@pytest.fixture(scope="module")
def key(played: Path) -> str:
    """The arena's key, as doctor shows it."""
    [line] = [line for line in done("doctor", "--data", "arena-data", cwd=played).splitlines() if "signing key" in line]
    return line.removeprefix("signing key: ")


def test_a_leagues_replays_carry_the_arenas_signature(played: Path, key: str) -> None:
    replay = "spring.koikoi.r1.t1.b1.a"
    assert done("replay", "verify", replay, cwd=played).rstrip().endswith(f"signed by {key}")
    [told] = document("replay", "verify", replay, "--key", key, cwd=played)["replays"]
    assert told["signed_by"] == key
    found = arena("replay", "verify", replay, "--key", OTHER, cwd=played)
    assert (found.returncode, found.stderr) == (1, f"{replay} is signed by {key}, not signed by {OTHER}\n")
    assert "is not a signing key" in refused("replay", "verify", replay, "--key", "abc", cwd=played)


def test_a_replay_that_no_arena_keeps_is_not_signed(played: Path, key: str) -> None:
    told = document("match", "play", "house:random", "house:random", "--option", "months=1", cwd=played)
    assert done("replay", "verify", told["replay"], cwd=played).rstrip().endswith("not signed")
    found = arena("replay", "verify", told["replay"], "--key", key, cwd=played)
    assert (found.returncode, found.stderr) == (1, f"{told['replay']} is not signed, not signed by {key}\n")


def test_an_archive_says_whose_it_is(played: Path, key: str, tmp_path: Path) -> None:
    archive = tmp_path / "spring.zip"
    done("league", "export", "spring", archive, cwd=played)
    assert f"by {key}" in done("league", "verify", archive, "--key", key)
    found = arena("league", "verify", archive, "--key", OTHER)
    assert (found.returncode, found.stderr) == (1, "league spring does not hold: signature\n")
    assert f"it is signed by {key}, not by {OTHER}" in found.stdout


def test_whoever_changes_a_member_of_an_archive_loses_its_signature(played: Path, key: str, tmp_path: Path) -> None:
    archive, forged, bare = tmp_path / "spring.zip", tmp_path / "forged.zip", tmp_path / "bare.zip"
    done("league", "export", "spring", archive, cwd=played)
    with zipfile.ZipFile(archive) as file, zipfile.ZipFile(forged, "w") as to, zipfile.ZipFile(bare, "w") as unsigned:
        for name in file.namelist():
            content = file.read(name)
            to.writestr(name, content.replace(b"bot-1", b"bot-9"))
            if name != "signature.json":
                unsigned.writestr(name, content)
    assert f"this is not the signature of {key} under these files" in arena("league", "verify", forged).stdout
    assert "none: the archive is not signed" in done("league", "verify", bare)
    assert f"it is not signed; expected a signature by {key}" in arena("league", "verify", bare, "--key", key).stdout


def test_a_table_is_signed(played: Path, key: str, tmp_path: Path) -> None:
    table = tmp_path / "table.json"
    done("league", "table", "spring", table, cwd=played)
    assert done("league", "verify", table, "--key", key) == f"the tables of league spring, signed by {key}\n"
    assert document("league", "verify", table) == {"ok": True, "league": "spring", "signed_by": key}
    assert f"is signed by {key}, not by {OTHER}" in refused("league", "verify", table, "--key", OTHER, status=1)
    assert "is there already" in refused("league", "table", "spring", table, cwd=played)
    assert "--commitment is for an exported league" in refused("league", "verify", table, "--commitment", 64 * "0")
    told = json.loads(table.read_text())
    table.write_text(json.dumps({**told, "league": "summer"}))
    assert "the table was altered" in refused("league", "verify", table, status=1)
    for text in ("{}", '{"document": ' + "[" * 100_000):
        table.write_text(text)
        assert "this is not a signed table" in refused("league", "verify", table, status=1)


def test_the_key_and_signed_tables_are_there_over_grpc(played: Path, key: str) -> None:
    token = create(played, "reader")
    with node(played) as (_, address), grpc.insecure_channel(address) as channel:
        found = arena_pb2_grpc.ArenaServiceStub(channel).GetArena(arena_pb2.GetArenaRequest(), timeout=DEADLINE_S)
        table = league_pb2_grpc.LeagueServiceStub(channel).GetLeagueTable(
            league_pb2.GetLeagueTableRequest(name="spring"), metadata=bearer(token), timeout=DEADLINE_S
        )
    assert key_text(found.signing_key) == key
    assert found.version
    assert table.signature.key == found.signing_key
    signature = Signature(table.signature.key, table.signature.value)
    assert signature.holds(Signed.TABLE, table_payload("spring", table.document))
