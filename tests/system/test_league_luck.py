"""A league that takes luck out of its margins: shown, exported, proved; what was changed in between is found."""

import json
import zipfile
from pathlib import Path

import pytest
from arena_command import arena, document, done, league_file, refused

from arena.analysis import weights
from arena.proof.archives import proof

MORE = "options = { months = 1 }\nadjusted = true\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a league that was played, and its archive."""
    folder = tmp_path_factory.mktemp("luck")
    file = league_file(folder, ("house:random", "house:level3"), rounds=1, boards=2, more=MORE)
    said = done("league", "run", file, cwd=folder)
    assert "without the luck" in said
    assert "adjusted: the margin without the luck of the cards" in " ".join(said.split())
    done("league", "export", "spring", folder / "spring.zip", cwd=folder)
    return folder


def test_the_luck_of_each_match_and_the_margins_without_it_are_shown(played: Path) -> None:
    told = document("league", "table", "spring", "--adjusted", "--json", cwd=played)
    [division] = told["divisions"]
    adjusted = division["table"]["adjusted"]
    assert (adjusted["rounds"], adjusted["matches"], len(told["luck"])) == (1, 4, 4)
    bot = "bot-2"
    seats = [(match, match["bots"].index(bot)) for match in told["luck"]]
    margins = [match["margins"][seat] - match["luck"][seat] for match, seat in seats]
    assert adjusted["margins"][bot]["mean"] == pytest.approx(sum(margins) / 4)
    said = done("league", "table", "spring", "--adjusted", "--matches", cwd=played)
    assert said.count(", play ") == 8
    assert adjusted["value"]["sha256"] == weights.shipped("koikoi").sha256
    assert adjusted["value"]["sha256"][:16] in said


def test_the_proof_works_luck_out_again_and_names_what_was_changed(played: Path, tmp_path: Path) -> None:
    archive = played / "spring.zip"
    assert "worked out again: koikoi by policy-playouts/3" in done("league", "verify", archive, cwd=tmp_path)
    with zipfile.ZipFile(archive) as file:
        members = {name: file.read(name) for name in file.namelist() if name != "signature.json"}
    round_ = json.loads(members["koikoi/round-1.json"])
    round_["luck"][0][0] += 1.0
    members["koikoi/round-1.json"] = json.dumps(round_, indent=1).encode() + b"\n"
    changed = tmp_path / "changed.zip"
    with zipfile.ZipFile(changed, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    _, checks = proof(changed)
    faults = {check.name: check.faults for check in checks if not check.ok}
    assert faults.keys() == {"table", "luck"}
    assert "its luck is said to be" in faults["luck"][0]


def test_weights_that_were_changed_on_disk_prove_nothing(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = weights.shipped("koikoi")
    monkeypatch.setattr("arena.organizer.luck.shipped", lambda _: shipped._replace(sha256="00" * 32))
    _, checks = proof(played / "spring.zip")
    [fault] = {check.name: check.faults for check in checks if not check.ok}["luck"]
    assert shipped.sha256 in fault
    assert "00" * 32 in fault


def test_a_league_that_defined_no_value_gets_none_afterwards(tmp_path: Path) -> None:
    file = league_file(
        tmp_path, ("house:random", "house:level3"), rounds=1, boards=1, more="options = { months = 1 }\n"
    )
    done("league", "run", file, cwd=tmp_path)
    assert "has defined no value" in refused("league", "table", "spring", "--adjusted", cwd=tmp_path)
    assert "spring · koikoi" in done("league", "table", "spring", cwd=tmp_path)
    assert "--matches goes with --adjusted" in refused("league", "table", "spring", "--matches", cwd=tmp_path)
    changed = file.with_name("changed.toml")
    changed.write_text(file.read_text() + "adjusted = true\n")
    assert arena("league", "run", changed, cwd=tmp_path).returncode == 2
