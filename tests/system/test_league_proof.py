"""`arena league export` and `arena league verify`: a league in one file, proved from that file alone."""

import hashlib
import json
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest
from arena_command import (
    arena,
    document,
    done,
    league_file,
    league_of_two_divisions,
    leases_of,
    refused,
    running,
    until,
)

from arena.league.tables import json_document
from arena.proof.archives import proof
from arena.replays import decode, encode


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of two divisions, with nonces, in a file; the store that it came from lies elsewhere."""
    folder = tmp_path_factory.mktemp("played")
    file = league_of_two_divisions(folder)
    done("league", "open", file, cwd=folder)
    done("league", "enter", "spring", "house:greedy", "--as", "late", "--nonce", folder / "17", cwd=folder)
    done("league", "close", "spring", cwd=folder)
    done("league", "reveal", "spring", "late", folder / "17", cwd=folder)
    done("league", "run", file, cwd=folder)
    archive = tmp_path_factory.mktemp("exported") / "spring.zip"
    said = done("league", "export", "spring", archive, cwd=folder)
    assert f"arena league verify {archive}" in said
    again = archive.with_name("again.zip")
    done("league", "export", "spring", again, cwd=folder)
    assert archive.read_bytes() == again.read_bytes()
    return archive


def test_a_league_holds_without_its_store_and_says_what_was_looked_at(exported: Path, tmp_path: Path) -> None:
    said = done("league", "verify", exported, cwd=tmp_path).splitlines()
    assert said[0] == "League spring, finished, koikoi, sangohana"
    names = [
        "signature",
        "contents",
        "league file",
        "secret",
        "entropy",
        "entrants",
        "results",
        "pairings",
        "table",
        "replays",
    ]
    assert [line.split("  ")[1].strip() for line in said if line.startswith("ok")] == [""] * len(names)
    assert all(any(line.startswith("ok") and name in line for line in said) for name in names)
    assert said[-1] == "league spring holds"
    assert not list(tmp_path.iterdir())


def test_the_commitment_that_somebody_kept_is_compared(exported: Path) -> None:
    told = document("league", "verify", exported)
    assert told["ok"]
    done("league", "verify", exported, "--commitment", told["commitment"].upper())
    other = arena("league", "verify", exported, "--commitment", "00" * 32)
    assert (other.returncode, other.stderr) == (1, "league spring does not hold: commitment\n")
    assert f"the league's commitment is {told['commitment']}, not 0000" in other.stdout
    failed = arena("league", "verify", exported, "--commitment", "00" * 32, "--json")
    checks = {check["name"]: check["ok"] for check in json.loads(failed.stdout)["checks"]}
    assert [name for name, ok in checks.items() if not ok] == ["commitment"]
    assert "--commitment takes a SHA-256" in refused("league", "verify", exported, "--commitment", "0000")


def members_of(archive: Path) -> dict[str, bytes]:
    """What nobody signed, so that each test shows the one check that finds its change."""
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist() if name != "signature.json"}


def written(path: Path, members: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def faults_of(path: Path) -> dict[str, tuple[str, ...]]:
    _, checks = proof(path)
    return {check.name: check.faults for check in checks if not check.ok}


FIRST = "replays/spring.koikoi.r1.t1.b1.a.hreplay"
SECOND = "replays/spring.koikoi.r1.t1.b1.b.hreplay"


def other_seed(members: dict[str, bytes]) -> None:
    members[FIRST] = encode(msgspec.structs.replace(decode(members[FIRST]), seed=bytes(32)))


def swapped(members: dict[str, bytes]) -> None:
    members[FIRST], members[SECOND] = members[SECOND], members[FIRST]


def other_options(members: dict[str, bytes]) -> None:
    members[FIRST] = encode(msgspec.structs.replace(decode(members[FIRST]), options={"months": 2}))


def other_choice(members: dict[str, bytes]) -> None:
    record = decode(members[FIRST])
    members[FIRST] = encode(msgspec.structs.replace(record, packed=bytes([record.packed[0] ^ 1, *record.packed[1:]])))


def damaged(members: dict[str, bytes]) -> None:
    members[FIRST] = members[FIRST][:-1] + bytes([members[FIRST][-1] ^ 1])


def other_result(members: dict[str, bytes]) -> None:
    edit(members, lambda outcome: {**outcome, "margins": [99, -99]})


def other_end(members: dict[str, bytes]) -> None:
    edit(members, lambda outcome: {**outcome, "end": "timeout"})


def edit(members: dict[str, bytes], change: Callable[[dict[str, object]], dict[str, object]]) -> None:
    round_ = json.loads(members["koikoi/round-1.json"])
    round_["outcomes"][0] = change(round_["outcomes"][0])
    members["koikoi/round-1.json"] = json.dumps(round_, indent=1).encode() + b"\n"


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (other_seed, "spring.koikoi.r1.t1.b1.a: the replay's seed is 0000"),
        (swapped, "spring.koikoi.r1.t1.b1.a: the replay's match is spring.koikoi.r1.t1.b1.b, not"),
        (other_options, 'spring.koikoi.r1.t1.b1.a: the replay\'s options are {"months":"2"}, not {"months":"1"}'),
        (other_choice, "spring.koikoi.r1.t1.b1.a: the replay's SHA-256 is"),
        (damaged, "spring.koikoi.r1.t1.b1.a: the replay was altered"),
        (other_result, "spring.koikoi.r1.t1.b1.a: its result says margins (99, -99), its replay"),
        (other_end, "spring.koikoi.r1.t1.b1.a: its result says end timeout, its replay completed"),
    ],
)
def test_a_match_that_was_not_played_so_is_named(
    exported: Path, tmp_path: Path, tamper: Callable[[dict[str, bytes]], None], words: str
) -> None:
    members = members_of(exported)
    tamper(members)
    faults = faults_of(written(tmp_path / "tampered.zip", members))
    assert any(fault.startswith(words) for fault in faults["replays"]), faults


def test_a_failed_proof_says_what_differs_and_ends_with_status_1(exported: Path, tmp_path: Path) -> None:
    members = members_of(exported)
    members["table.json"] = members["table.json"].replace(b'"rank": 1,', b'"rank": 5,')
    members["replays/../../evil.hreplay"] = b"x"
    del members[SECOND]
    tampered = written(tmp_path / "tampered.zip", members)
    result = arena("league", "verify", tampered, cwd=tmp_path)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert f"        - {SECOND} is missing" in lines
    assert "        - 'replays/../../evil.hreplay' is not a member of such an archive" in lines
    assert any("standings[1].rank is 5; the results give 1" in line for line in lines)
    assert result.stderr == "league spring does not hold: contents, table\n"
    told = json.loads(arena("league", "verify", tampered, "--json").stdout)
    assert not told["ok"]
    assert [check["name"] for check in told["checks"] if not check["ok"]] == ["contents", "table"]
    assert [path.name for path in tmp_path.iterdir()] == ["tampered.zip"]


def test_an_archive_of_other_rules_is_refused_with_the_version_that_it_needs(exported: Path, tmp_path: Path) -> None:
    members = members_of(exported)
    for name, raw in members.items():
        if name.endswith(".hreplay"):
            members[name] = encode(msgspec.structs.replace(decode(raw), rules_version=7))
    result = arena("league", "verify", written(tmp_path / "other.zip", members), cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    needed = "the replay needs version 7 of the rules of koikoi; this program plays version 1"
    assert result.stderr.endswith(f"other.zip cannot be proved: {needed}\n")


def test_many_replays_are_played_again_by_several_processes(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.proof.archives._CHUNK", 2)
    members = members_of(exported)
    other_seed(members)
    faults = faults_of(written(tmp_path / "tampered.zip", members))
    assert faults["replays"][0].startswith("spring.koikoi.r1.t1.b1.a: the replay's seed is 0000")
    _, checks = proof(exported, processes=2)
    assert all(check.ok for check in checks)


def cut(whole: bytes) -> bytes:
    return whole[: len(whole) // 2]


def headless(whole: bytes) -> bytes:
    return whole[len(whole) // 2 :]


def flipped(whole: bytes) -> bytes:
    at = whole.index(b"league.json") + 40
    return whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]


def encrypted(whole: bytes) -> bytes:
    at = whole.index(b"PK\1\2") + 8
    return whole[:at] + struct.pack("<H", 1) + whole[at + 2 :]


@pytest.mark.parametrize("spoil", [cut, headless, flipped, encrypted, lambda _: b"", lambda _: b"no zip at all" * 100])
def test_a_file_that_is_no_whole_archive_is_refused(
    exported: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "spoilt.zip"
    file.write_bytes(spoil(exported.read_bytes()))
    assert f"{file} cannot be proved: " in refused("league", "verify", file, status=1)


def test_a_zip_of_something_else_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "other.zip", {"readme.txt": b"hello"})
    assert "league.json is missing" in refused("league", "verify", file, status=1)


def test_a_member_that_is_there_twice_is_refused(exported: Path, tmp_path: Path) -> None:
    file = tmp_path / "twice.zip"
    written(file, members_of(exported))
    with zipfile.ZipFile(file, "a") as twice, pytest.warns(UserWarning, match="Duplicate name"):
        twice.writestr("table.json", b"{}")
    assert "two members named 'table.json'" in refused("league", "verify", file, status=1)


@pytest.mark.parametrize("name", ["league.json", FIRST])
def test_a_member_that_would_grow_without_end_is_not_read(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("arena.proof.archive_file.MAX_DOCUMENT_BYTES", 1 << 20)
    monkeypatch.setattr("arena.proof.archive_file.MAX_REPLAY_BYTES", 1 << 16)
    members = {**members_of(exported), name: bytes(8 << 20)}
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bomb:
        for member, content in members.items():
            bomb.writestr(member, content)
    with pytest.raises(ValueError, match="is larger than"):
        faults_of(file)
    # The directory says that it is small.
    whole = bytearray(file.read_bytes())
    at = whole.index(b"PK\1\2")
    while whole[at + 46 : at + 46 + len(name)] != name.encode():
        at = whole.index(b"PK\1\2", at + 1)
    whole[at + 24 : at + 28] = struct.pack("<I", 100)
    file.write_bytes(whole)
    with pytest.raises(ValueError, match=name):
        faults_of(file)


def test_a_league_that_is_not_over_has_no_proof_yet(tmp_path: Path) -> None:
    file = league_file(tmp_path, ["house:random", "house:greedy"])
    done("league", "open", file, cwd=tmp_path)
    assert "only a league that is over" in refused("league", "export", "spring", "spring.zip", cwd=tmp_path)
    assert not (tmp_path / "spring.zip").exists()
    done("league", "cancel", "spring", cwd=tmp_path)
    done("league", "export", "spring", "spring.zip", cwd=tmp_path)
    assert "League spring, cancelled" in done("league", "verify", "spring.zip", cwd=tmp_path)
    assert "spring.zip is there already" in refused("league", "export", "spring", "spring.zip", cwd=tmp_path)
    assert "no league named 'autumn'" in refused("league", "export", "autumn", "autumn.zip", cwd=tmp_path)
    said = refused("league", "verify", "spring", cwd=tmp_path)
    assert "there is no file spring; of a league that is over, `arena league export NAME FILE` writes one" in said
    assert "No such file" in refused("league", "export", "spring", "no/folder/spring.zip", cwd=tmp_path)


def test_a_league_that_was_cancelled_in_the_middle_is_proved_as_far_as_it_went(tmp_path: Path) -> None:
    short = "options = { months = 1 }\n"
    file = league_file(tmp_path, ["house:random"] * 3, rounds=200, boards=1, more=short)
    leases_of(tmp_path / "arena-data", 2)
    with running("league", "run", file, cwd=tmp_path) as run:
        run.wait_for(r"round 3/200")
        done("league", "cancel", "spring", cwd=tmp_path)
        run.end()
    until(lambda: document("league", "show", "spring", cwd=tmp_path)["secret"], "no match can be under way any more")
    done("league", "export", "spring", "spring.zip", cwd=tmp_path)
    told = document("league", "verify", "spring.zip", cwd=tmp_path)
    assert told["ok"], told
    assert told["state"] == "cancelled"


def test_who_entered_with_a_nonce_sees_whether_the_operator_changed_the_league_since(
    exported: Path, tmp_path: Path
) -> None:
    said = done("league", "verify", exported).splitlines()
    assert any("from 1 nonce of 1 owner, committed to before any was revealed" in line for line in said)
    kept = next(exported.parent.parent.glob("*/17"))
    assert "ok      your nonce" in done("league", "verify", exported, "--nonce", kept)
    nonce = json.loads(kept.read_text())
    for key, fault in (
        ("commitments", "the digest of all commitments is"),
        ("secret_commitment", "the league's commitment is"),
        ("nonce", "late entered with another commitment"),
    ):
        other = tmp_path / key
        other.write_text(json.dumps(nonce | {key: "00" * 32}))
        other.chmod(0o600)
        failed = arena("league", "verify", exported, "--nonce", other)
        assert (failed.returncode, failed.stderr) == (1, "league spring does not hold: your nonce\n")
        assert fault in failed.stdout


def unrevealed(members: dict[str, bytes]) -> None:
    """The operator leaves out the nonce that did not suit it."""
    head = json.loads(members["league.json"])
    for entry in head["entries"]:
        if "commitment" in entry:
            entry["nonce"] = ""
    head["entropy"] = hashlib.sha256(b"").hexdigest()
    members["league.json"] = json_document(head)


def with_another_nonce(members: dict[str, bytes]) -> None:
    """The operator puts a nonce that suits it in the place of the one that was committed to."""
    head = json.loads(members["league.json"])
    for entry in head["entries"]:
        if "commitment" in entry:
            entry["nonce"] = "5a" * 32
    head["entropy"] = hashlib.sha256(b"late:" + b"5a" * 32).hexdigest()
    members["league.json"] = json_document(head)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (unrevealed, "from no nonce: whoever drew the secret could choose the cards"),
        (with_another_nonce, "the nonce of late is not the one that it committed to"),
    ],
)
def test_a_nonce_that_an_operator_exchanged_afterwards_is_seen(
    exported: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None], words: str
) -> None:
    members = members_of(exported)
    change(members)
    failed = arena("league", "verify", written(tmp_path / "changed.zip", members))
    assert failed.returncode == 1
    assert words in failed.stdout
