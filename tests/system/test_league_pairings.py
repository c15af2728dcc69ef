"""The examples of round robin and knock-out, of one month a match: played, exported, and proved from their files."""

from collections import Counter
from itertools import combinations
from pathlib import Path

from arena_command import document, done, standings_of

from arena.proof.archives import proof
from arena.proof.documents import Archive

EXAMPLES = Path(__file__).parents[2] / "examples"


def played_and_proved(example: str, folder: Path) -> tuple[Archive, list[str]]:
    """The league of an example, as its archive has it, and its bots by rank."""
    file = folder / f"{example}.toml"
    file.write_text((EXAMPLES / file.name).read_text() + "options = { months = 1 }\n")
    told = document("league", "run", file, cwd=folder)
    archive = folder / "league.zip"
    done("league", "export", example, archive, cwd=folder)
    found, checks = proof(archive, processes=1)
    assert all(check.ok for check in checks)
    return found, [row["name"] for row in standings_of(told)]


def test_a_round_robin_is_played_twice_round_and_proved(tmp_path: Path) -> None:
    archive, ranked = played_and_proved("round-robin", tmp_path)
    rounds = [round_.plan for round_ in archive.parts["koikoi"].rounds]
    met = Counter(frozenset(table.bots) for plan in rounds for table in plan.tables)
    assert met == dict.fromkeys((frozenset(pair) for pair in combinations(ranked, 2)), 2)
    assert Counter(name for plan in rounds for name in plan.byes) == dict.fromkeys(ranked, 2)


def test_a_knock_out_is_played_to_its_final_and_proved(tmp_path: Path) -> None:
    archive, ranked = played_and_proved("knock-out", tmp_path)
    *_, semi_finals, final = [round_.plan for round_ in archive.parts["koikoi"].rounds]
    assert {name for table in final.tables for name in table.bots} == set(ranked[:2])
    assert {name for table in semi_finals.tables for name in table.bots} == set(ranked[:4])
    assert "bracket" in done("league", "show", "knock-out", cwd=tmp_path)
