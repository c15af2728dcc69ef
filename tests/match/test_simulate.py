"""Matches in process."""

import asyncio
import json

import pytest
from seats_in_tests import LONG

from arena.match.model import MatchSpec
from arena.match.play import play
from arena.sdk import Bot
from arena.seats.in_process import InProcessSeat
from arena.simulate import SimulationError, simulate
from core_ext import State, parse_seed
from core_ext.errors import OptionError, SeatsError, SeedError, UnknownVariantError


class DiceBot(Bot):
    def choose(self, decision):
        return decision.random.choice(decision.legal)


BOTS = (DiceBot(), DiceBot())


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_single_match_has_the_seed_as_given(tmp_path):
    file = tmp_path / "one.jsonl"
    simulate("koikoi", 1, "spring", BOTS, transcript_path=file)
    [match] = lines(file)
    assert match["seed"] == parse_seed("spring").hex()


def test_of_several_matches_each_has_the_seed_and_its_number(tmp_path):
    file = tmp_path / "three.jsonl"
    simulate("koikoi", 3, "spring", BOTS, transcript_path=file)
    assert [match["seed"] for match in lines(file)] == [parse_seed(f"spring/{i}").hex() for i in (1, 2, 3)]


def test_a_simulation_adds_up_its_transcripts(tmp_path):
    file = tmp_path / "many.jsonl"
    found = simulate("koikoi", 12, "7", BOTS, {"months": 2}, file)
    results = [match["result"] for match in lines(file)]
    assert found.matches == len(results) == 12
    assert found.totals == tuple(map(sum, zip(*results, strict=True)))
    assert found.wins == (sum(a > b for a, b in results), sum(b > a for a, b in results))
    assert found.draws == sum(a == b for a, b in results)
    assert found.margins[0] == pytest.approx(sum(a - b for a, b in results) / 12)
    assert found.margins[1] == -found.margins[0]
    assert found.decisions == sum(len(month["actions"]) for match in lines(file) for month in match["months"])


def test_a_transcript_is_the_core_s_own_and_has_legal_lists_on_demand(tmp_path):
    for legal in (False, True):
        file = tmp_path / f"{legal}.jsonl"
        simulate("koikoi", 1, "9", BOTS, {"months": 2, "koi_multiplier": 3}, file, legal)
        [match] = lines(file)
        state = State.new("koikoi", {"months": 2, "koi_multiplier": 3}, "9")
        for month in match["months"]:
            state.apply_all(state.parse_action(action["action"]) for action in month["actions"])
        assert match == json.loads(json.dumps(state.transcript(legal)))
        assert all(("legal" in action) == legal for month in match["months"] for action in month["actions"])


def test_bots_roll_in_process_what_they_roll_under_the_referee(tmp_path):
    file = tmp_path / "same.jsonl"
    simulate("koikoi", 1, "11", BOTS, transcript_path=file)
    [match] = lines(file)
    spec = MatchSpec(match_id="m", variant="koikoi", seed=parse_seed("11"), names=("a", "b"), time=LONG)
    result = asyncio.run(play(spec, [InProcessSeat(bot) for bot in BOTS]))
    state = State.new("koikoi", None, "11")
    state.apply_choices(result.choices)
    assert state.transcript() == match


def test_a_simulation_is_the_same_every_time():
    assert simulate("koikoi", 5, "x", BOTS) == simulate("koikoi", 5, "x", BOTS)


@pytest.mark.parametrize(
    ("variant", "seed", "options", "bots", "error"),
    [
        ("poker", "1", None, BOTS, UnknownVariantError),
        ("koikoi", "", None, BOTS, SeedError),
        ("koikoi", "1", {"wind": 1}, BOTS, OptionError),
        ("koikoi", "1", None, BOTS[:1], SeatsError),
    ],
)
def test_wrong_use_is_refused_and_leaves_no_file(tmp_path, variant, seed, options, bots, error):
    file = tmp_path / "none.jsonl"
    with pytest.raises(error):
        simulate(variant, 2, seed, bots, options, file)
    assert not file.exists()


@pytest.mark.parametrize("answer", [10**9, None])
def test_a_bot_that_answers_nonsense_stops_the_simulation_with_the_place(answer):
    class Nonsense(Bot):
        def choose(self, decision):
            return answer if decision.number == 3 else decision.legal[0]

    with pytest.raises(SimulationError, match=r"decision 3 of seat \d in the match of seed 's/1'"):
        simulate("koikoi", 2, "s", [Nonsense(), Nonsense()])


def test_no_bot_can_read_the_seed():
    class Reader(Bot):
        def choose(self, decision):
            assert "secret-seed" not in str(decision)
            assert parse_seed("secret-seed") not in decision.message.SerializeToString()
            return decision.legal[0]

    assert simulate("koikoi", 1, "secret-seed", [Reader(), Reader()], {"months": 1}).matches == 1
