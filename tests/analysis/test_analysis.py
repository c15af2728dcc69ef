"""Mistakes are found by what a seat knew, the same every time; a bot's decisions come back as it saw them."""

import random
from pathlib import Path

import msgspec
import pytest

from arena.analysis import Replay, Verdict, analyse, luck_of, values
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.replays import ReplayRecord, encode, from_match
from arena.sdk import Bot, Decision
from arena.seats.in_process import InProcessSeat
from bots.greedy import GreedyBot
from core_ext import VARIANTS, State, parse_seed, variant_info


class NotingBot(Bot):
    """Plays at random and keeps what it was asked and answered."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, str]] = []

    def choose(self, decision: Decision) -> object:  # type: ignore[override]
        """Any action."""
        action = decision.random.choice(decision.legal)
        self.asked.append((str(decision.message), decision.number, action.text))
        return action


def options_of(variant: str) -> dict[str, object]:
    """A short match, where the variant has such an option."""
    return {"months": 2} if any(option.name == "months" for option in variant_info(variant).options) else {}


async def played(variant: str, bots: list[Bot], seed: str = "a") -> ReplayRecord:
    """A match between bots of this process."""
    names = tuple(f"bot-{seat}" for seat in range(len(bots)))
    spec = MatchSpec("m", variant, parse_seed(seed), names, options_of(variant))
    return from_match(spec, await play(spec, [InProcessSeat(bot) for bot in bots]))


@pytest.mark.parametrize("variant", VARIANTS)
async def test_the_decisions_of_a_replay_are_those_that_the_bot_saw(variant: str, tmp_path: Path) -> None:
    bots = [NotingBot() for _ in range(variant_info(variant).seats[2])]
    record = await played(variant, list(bots))
    path = tmp_path / "m.hreplay"
    path.write_bytes(encode(record))
    replay = Replay.read(path)
    for seat, bot in enumerate(bots):
        again = list(replay.decisions(seat))
        assert [(decision.number, choice.text) for decision, choice in again] == [asked[1:] for asked in bot.asked]
        for (decision, _), (message, _, _) in zip(again, bot.asked, strict=True):
            assert zones_of(str(decision.message)) == zones_of(message)
    with pytest.raises(ValueError, match="no seat 9"):
        next(replay.decisions(9))


def zones_of(message: str) -> str:
    """A message without its clock, which runs."""
    return message.partition("clock {")[0]


async def test_an_analysis_is_the_same_every_time_and_judges_what_left_a_choice() -> None:
    record = await played("koikoi", [GreedyBot(), NotingBot()])
    found = analyse(record, 200)
    assert found == analyse(record, 200)
    assert found == analyse(record, 200, threads=2)
    state = State.new("koikoi", record.options, record.seed)
    choices, _ = State.new("koikoi", record.options, record.seed).apply_packed(record.packed, record.decisions)
    numbers = []
    for number, choice in enumerate(choices, 1):
        if len(state.legal_actions()) > 1:
            numbers.append(number)
        state.apply_choices(bytes([choice]))
    assert [judgement.number for judgement in found.judgements] == numbers
    for judgement in found.judgements:
        assert judgement.action in judgement.values
        assert judgement.best in judgement.values
        if judgement.action == judgement.best:
            assert (judgement.loss, judgement.verdict) == (0, Verdict.GOOD)
    assert {judgement.seat for judgement in analyse(record, 40, frozenset([1])).judgements} == {1}


async def test_random_play_loses_more_than_greedy_and_its_worst_choices_come_first() -> None:
    record = await played("koikoi", [GreedyBot(), NotingBot()], "b")
    found = analyse(record, 400)
    assert found.lost(1) > found.lost(0)
    worst = found.worst(5)
    assert worst == sorted(worst, key=lambda one: -one.loss)
    assert all(one.loss >= 2 * one.loss_error and one.verdict is not Verdict.GOOD for one in worst)


async def test_a_decision_is_judged_by_nothing_that_its_seat_did_not_know() -> None:
    """Hidden cards that lie otherwise change no number."""
    rng = random.Random(3)
    for variant in VARIANTS:
        state = State.new(variant, seed=4)
        for _ in range(9):
            state.apply(rng.choice(state.legal_actions()))
        seat = state.current_player
        other = state.determinize(seat, 99)
        assert values(state.observation(seat), 60) == values(other.observation(seat), 60)


@pytest.mark.parametrize("variant", VARIANTS)
async def test_luck_and_play_add_up_to_the_margin_and_luck_over_all_seats_to_nothing(variant: str) -> None:
    record = await played(variant, [NotingBot() for _ in range(variant_info(variant).seats[2])])
    found = luck_of(record)
    assert found == luck_of(record)
    assert sum(one.luck for one in found) == pytest.approx(0, abs=1e-6)
    for one in found:
        assert one.luck + one.play == pytest.approx(one.margin)


async def test_a_match_that_was_given_up_is_analysed_as_far_as_it_went() -> None:
    record = await played("koikoi", [NotingBot(), NotingBot()])
    choices, _ = State.new("koikoi", record.options, record.seed).apply_packed(record.packed, record.decisions)
    state = State.new("koikoi", record.options, record.seed)
    packed, running_hash = state.pack_choices(choices[:5])
    short = msgspec.structs.replace(
        record, packed=packed, decisions=5, end=End.ABANDONED, running_hash=running_hash, results=state.returns()
    )
    assert all(judgement.number <= 5 for judgement in analyse(short, 40).judgements)
