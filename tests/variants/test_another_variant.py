"""A sixth variant is a rules file, a table file and its id in the registry: nothing else knows a variant by name."""

import asyncio
import io
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from view_message import view_message

import core_ext.variants
from arena import wire
from arena.match.model import End, MatchResult, MatchSpec, TimeControl
from arena.match.play import play
from arena.match.secrecy import portions
from arena.replays import decode, encode, from_match, verify
from arena.replays.show import show
from arena.sdk import Bot, Decision
from arena.seats.in_process import InProcessSeat
from core_ext import SPECTATOR, State, contract, parse_seed, playout, variant_info
from core_ext.variants import registry

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module", autouse=True)
def mini(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The rules of `mini`, compiled as the build does it, in the registry."""
    folder = tmp_path_factory.mktemp("mini")
    run(sys.executable, "cmake/transpile.py", folder, HERE / "mini.pyx")
    compiler, include = sysconfig.get_config_var("CC"), sysconfig.get_path("include")
    module = folder / f"mini{sysconfig.get_config_var('EXT_SUFFIX')}"
    run(*shlex.split(compiler), "-O1", "-w", "-shared", "-fPIC", f"-I{include}", folder / "mini.c", "-o", module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "VARIANTS", (*registry.VARIANTS, "mini"))
        patch.setattr(core_ext.variants, "__path__", [*core_ext.variants.__path__, str(HERE), str(folder)])
        yield


def run(*command: object) -> None:
    result = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


class Bold(Bot):
    """Says koi wherever it can, declares no hand, and plays by its dice else."""

    def choose(self, decision: Decision) -> object:
        words = [action for action in decision.legal if action.text in ("koi", "pass")]
        return decision.random.choice(words or decision.legal)


def played(seed: str, cover_ms: int = 0) -> tuple[MatchSpec, MatchResult]:
    spec = MatchSpec(
        match_id="mini",
        variant="mini",
        seed=parse_seed(seed),
        names=("ann", "bo"),
        time=TimeControl(per_decision_ms=60_000),
        cover_ms=cover_ms,
    )
    return spec, asyncio.run(play(spec, [InProcessSeat(Bold()) for _ in spec.names]))


@pytest.mark.parametrize("number", range(3))
def test_it_holds_the_contract(number: int) -> None:
    contract.check("mini", {"months": 2}, seed=f"mini/{number}", play_seed=number)


def test_it_is_played_at_random_in_c() -> None:
    assert playout.run(State.new("mini", seed="playouts"), 50, 1, whole_match=True).decisions > 50


def seed_with_a_dealt_hand() -> str:
    return next(str(n) for n in range(10_000) if "declare" in State.new("mini", seed=str(n)).legal_texts())


def test_a_match_with_slots_for_its_secret_questions_is_played_to_its_end() -> None:
    spec, result = played(seed_with_a_dealt_hand(), cover_ms=5)
    assert result.end is End.COMPLETED
    state = State.new("mini", spec.options, spec.seed)
    (secret,) = variant_info("mini").secrets
    assert secret.slots(state.dealer, state.dealer, 2) == (
        (state.dealer, "dealt_hand"),
        (1 - state.dealer, "dealt_hand"),
    )
    assert len(portions(state, 0, SPECTATOR)) == 1


def test_its_replay_verifies_and_is_drawn_with_the_terms_of_its_scores() -> None:
    spec, result = played("replay")
    record = decode(encode(from_match(spec, result)))
    assert verify(record) == ()
    drawn = io.StringIO()
    show(record, Console(file=drawn, width=100, color_system=None))
    totals = [event for event in state_of(spec, result).events(SPECTATOR) if event.kind == "total"]
    assert totals
    for points, _, times, _ in (event.values for event in totals):
        assert f"{points} × {times} = {points * times}" in drawn.getvalue()
    assert "二光 futahikari" in drawn.getvalue()


def state_of(spec: MatchSpec, result: MatchResult) -> State:
    state = State.new("mini", spec.options, spec.seed)
    state.apply_choices(result.choices)
    return state


def test_its_views_come_back_from_the_wire() -> None:
    state = State.new("mini", seed="wire")
    view = state.observation(state.current_player)
    again = wire.observation_from_wire(view_message(view), view.legal)
    assert again == replace(view, events=())
    assert replace(State.from_observation(again, 1).observation(view.seat), events=()) == again
