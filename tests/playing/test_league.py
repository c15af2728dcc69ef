"""`arena.league`: a league in this process."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from arena_command import document

import arena
from arena.league.errors import PairingError
from arena.replays import verify
from arena.sdk import Bot

SHORT = {"months": 1}
FILE = """name = "tiny"
secret = "{0}"
rounds = 3
boards = 2
options = {{ months = 1 }}
entries = ["house:greedy", "house:random", {{ name = "other", bot = "house:random" }}]
"""


class First(Bot):
    def choose(self, decision):
        return decision.legal[0]


def test_a_league_has_its_table_and_every_match() -> None:
    league = arena.league(First, "house:greedy", "house:random", rounds=2, boards=2, options=SHORT, progress=False)
    assert {row.bot for row in league.rows} == {"First", "greedy", "random"}
    assert [row.rank for row in league.rows] == [1, 2, 3]
    assert len(league.matches) == 2 * 2 * 2
    assert verify(league.matches[0].record) == ()
    assert league.matches[0].spec.match_id == "league.koikoi.r1.t1.b1.a"


def test_it_is_the_league_that_the_command_plays_from_the_same_secret(tmp_path: Path) -> None:
    secret = "5a" * 32
    (tmp_path / "tiny.toml").write_text(FILE.format(secret))
    [told] = document("league", "run", "tiny.toml", cwd=tmp_path)["divisions"]
    league = arena.league(
        {"greedy": "house:greedy", "random": "house:random", "other": "house:random"},
        name="tiny",
        rounds=3,
        boards=2,
        options=SHORT,
        seed=secret,
        progress=False,
    )
    assert list(msgspec.to_builtins(league.table.standings)) == told["table"]["standings"]
    assert msgspec.to_builtins(league.table.margins) == told["table"]["margins"]


@pytest.mark.parametrize(
    ("variant", "seats", "pairing"),
    [("kyogi", 2, "round-robin"), ("hachihachi", 3, None), ("sangohana", 4, None), ("koikoi45", 2, "knock-out")],
)
def test_every_variant_and_pairing_plays(variant: str, seats: int, pairing: str | None) -> None:
    league = arena.league(
        *["house:random"] * seats,
        variant=variant,
        rounds=1,
        boards=1,
        pairing=pairing,
        bracket=2 if pairing == "knock-out" else None,
        seed=7,
        progress=False,
    )
    assert len(league.matches) == seats
    assert league.rows[0].bot.startswith("random-")
    assert "<svg" in league._repr_html_() or "random-1" in league._repr_html_()


def test_a_league_is_called_by_its_name_also_where_nothing_is_loaded() -> None:
    program = (
        "import arena; league = arena.league('random', 'greedy', rounds=1, boards=1, seed=7, progress=False); "
        "import arena.league.spec; print(arena.league('random', 'greedy', rounds=1, boards=1, seed=7, progress=False) "
        "== league)"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "True\n"
    )


def test_a_league_without_enough_bots_or_with_an_unknown_pairing_is_refused() -> None:
    with pytest.raises(PairingError, match="needs at least 3 bots, not 2"):
        arena.league("random", "random", variant="hachihachi")
    with pytest.raises(PairingError, match="unknown pairing 'lottery'"):
        arena.league("random", "random", pairing="lottery")


def test_a_report_is_one_file_with_tables_plots_and_matches_that_play(tmp_path: Path) -> None:
    league = arena.league("greedy", First, "random", rounds=3, boards=4, options=SHORT, seed=7, progress=False)
    html = league.save(tmp_path / "league.html").read_text("utf-8")
    for text in ("After 3 rounds", "Margin ratings", "Matches won, round by round", "Results against each other"):
        assert text in html
    assert html.count("The largest win") == 1
    assert html.count('type="range"') == 3, "three matches worth seeing"
    assert "http://" not in html.replace("http://www.w3.org", "")
    assert "https://" not in html
