"""`arena.play`: a match in one line, as an object that draws itself."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import arena
from arena.replays import decode, verify
from arena.sdk import Bot
from bots import UnknownHouseBotError
from core_ext.errors import CoreError

SHORT = {"months": 2}


class First(Bot):
    def choose(self, decision):
        return decision.legal[0]


@pytest.mark.parametrize(
    ("variant", "seats"), [("koikoi", 2), ("koikoi45", 2), ("kyogi", 2), ("hachihachi", 3), ("sangohana", 4)]
)
def test_a_match_is_an_object_with_its_result_decisions_transcript_and_replay(variant: str, seats: int) -> None:
    match = arena.play("house:random", First, *["house:random"] * (seats - 2), variant=variant, seed=7)
    assert len(match.results) == len(match.placing) == len(match.bots) == seats
    assert [decision.number for decision in match.decisions] == list(range(1, len(match.decisions) + 1))
    assert all(decision.action in decision.legal for decision in match.decisions)
    assert all(decision.action == decision.legal[0] for decision in match.decisions if decision.seat == 1)
    record = decode(match.replay)
    assert verify(record) == ()
    assert record.results == match.results
    assert match.transcript["variant"] == variant
    assert "First" in str(match)


def test_the_same_seed_is_the_same_match_and_that_of_the_command_line() -> None:
    first, again = (arena.play("house:random", "random", seed=7, options=SHORT) for _ in range(2))
    assert (first.results, first.decisions) == (again.results, again.decisions)
    assert first.bots == ("random-1", "random-2")
    other = arena.play("house:random", First(), options=SHORT)
    assert arena.play("house:random", First(), seed=other.seed, options=SHORT).results == other.results


def test_what_a_bot_raises_is_raised_with_the_decision_at_which_it_was() -> None:
    class Broken(Bot):
        def choose(self, decision):
            return {}["x"] if decision.number == 3 else decision.legal[0]

    with pytest.raises(KeyError) as raised:
        arena.play(Broken, "house:random", seed=7)
    [note] = raised.value.__notes__
    assert "Broken was asked its decision 3 of the match with seed " in note
    assert "legal: " in note


def test_what_cannot_be_played_is_refused() -> None:
    for arguments, error in (
        ({"variant": "poker"}, CoreError),
        ({"options": {"mouths": 1}}, CoreError),
        ({"variant": "hachihachi"}, CoreError),
    ):
        with pytest.raises(error):
            arena.play("house:random", "house:random", **arguments)
    with pytest.raises(UnknownHouseBotError):
        arena.play("house:nobody", "house:random")
    with pytest.raises(AttributeError, match="no attribute 'plays'"):
        arena.plays  # noqa: B018


def test_a_match_draws_itself_in_a_notebook_without_a_network(tmp_path: Path) -> None:
    match = arena.play("house:greedy", First, seed=7, options={"months": 1})
    html = match._repr_html_()
    assert html.count("data-move=") > len(match.decisions) / 2
    for kind in ("move", "said"):
        shown = re.findall(rf'<div data-{kind}="\d+">', html)
        assert len(shown) == 1, "one table, and what happened before it, is seen where no script runs"
    assert re.search(r"<b>greedy</b> plays \S+, takes \S+<br>", html)
    assert html.count('<symbol id="back"') <= 1
    assert not {"http://", "https://"} & {word[:8] for word in html.replace("http://www.w3.org", "").split('"')}
    page = match.save(tmp_path / "match.html")
    assert html.split("</svg>")[0][-200:] in page.read_text("utf-8")
    assert decode(match.save(tmp_path / "match.hreplay").read_bytes()).results == match.results
    assert ElementTree.fromstring(match.table(0)).tag.endswith("svg")
    with pytest.raises(IndexError, match="the match has the moves 0 to"):
        match.table(10_000)


def test_importing_the_arena_loads_nothing_of_it() -> None:
    loaded = "import arena, sys; print(sorted(name for name in sys.modules if name.startswith('arena.')))"
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_match_imports_nothing_that_it_does_not_need() -> None:
    program = "import arena, sys; arena.play('house:greedy', 'house:random', seed=7); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    imported = {name.partition(".")[0] for name in modules.split()}
    assert imported.isdisjoint({"grpc", "jinja2", "nacl", "numpy", "redis", "rich", "starlette", "typer", "uvloop"})
    assert "core_ext" in imported
