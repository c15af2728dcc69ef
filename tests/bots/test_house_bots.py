"""House bots can be reproduced, and each of random, greedy and search beats the one before it."""

import asyncio
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import bots
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.match.question import Question
from arena.match.rng import SeatRng
from arena.node.server import Listen, Server
from arena.rpc.identity import BotIdentity, MemoryTokens
from arena.sdk import Bot
from arena.sdk.testing import example_decision
from arena.seats.in_process import LocalDecision, match_of
from arena.simulate import simulate
from arena.stream.hub import Hub
from bots.greedy import GreedyBot, judge, progress, rows_of
from bots.search import SearchBot, evaluate
from core_ext import State, variant_info
from core_ext.cards import cards_mask

ROOT = Path(__file__).parents[2]
QUICK = {"random": lambda: bots.house("random"), "greedy": GreedyBot, "search": lambda: SearchBot(60)}


def record(bot_of: list[Bot], seed: str, months: int = 3) -> list[int]:
    """The codes of a match between bots."""
    spec = MatchSpec("m", "koikoi", State.new("koikoi", None, seed).seed or b"", ("a", "b"), {"months": months})
    state = State.new("koikoi", spec.options, spec.seed)
    dice = [SeatRng(spec.seed, seat) for seat in range(2)]
    asked = [0, 0]
    since = [0, 0]
    while (seat := state.current_player) >= 0:
        asked[seat] += 1
        legal = tuple(state.legal_actions())
        until = state.event_count
        random = dice[seat].roll(asked[seat])
        question = Question(spec, seat, asked[seat], legal, random, 0, 0, since[seat], until, state)
        since[seat] = until
        decision = LocalDecision(question, match_of(spec, seat))
        answer = bot_of[seat].choose(decision)
        assert not asyncio.iscoroutine(answer)
        state.apply(decision.code_of(answer))
    return state.actions()


@pytest.mark.parametrize("name", QUICK)
def test_a_house_bot_plays_the_same_match_the_same_way_with_fresh_or_used_bots(name: str) -> None:
    used: list[Bot] = [QUICK[name](), QUICK[name]()]
    first = record(used, "a")
    record(used, "b")
    assert record(used, "a") == first
    assert record([QUICK[name](), QUICK[name]()], "a") == first


@pytest.mark.parametrize("name", sorted(bots.HOUSE_MODULES))
def test_a_house_bot_is_a_program_of_its_own(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", bots.HOUSE_MODULES[name], "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--address" in done.stdout
    assert type(bots.house(name)).__module__ == bots.HOUSE_MODULES[name]


def test_an_unknown_house_bot_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(bots.UnknownHouseBotError, match="random, greedy, search"):
        bots.house("deep")


def test_greedy_beats_random_and_search_beats_greedy_on_mirrored_boards() -> None:
    """With few boards; docs/bots.md has the figures with their error bars."""
    for better, worse in (("greedy", "random"), ("search", "greedy")):
        made = {name: QUICK[name]() for name in ("random", "greedy")} | {"search": SearchBot(300)}
        there = simulate("koikoi", 16, "mirror", [made[better], made[worse]])
        back = simulate("koikoi", 16, "mirror", [made[worse], made[better]])
        assert there.margins[0] + back.margins[1] > 0, f"{better} did not beat {worse}"


def test_greedy_completes_a_yaku_rather_than_taking_anything_else() -> None:
    decision = example_decision(legal="2x*2R 3R*3x 10x*10A", hand="2x 3R 10x", field="2R 3x 10A", pile="1R 2R 1x 2y")
    assert GreedyBot().choose(decision).text == "3R*3x"


def test_greedy_takes_a_card_away_from_an_opponent_who_needs_it() -> None:
    decision = example_decision(
        legal="9x*9A 4x*4R", hand="9x 4x", field="9A 4R", pile="5x 5y", other_pile="3L 8L 3x 8x"
    )
    assert GreedyBot().choose(decision).text == "9x*9A"


def test_greedy_goes_on_with_little_and_many_cards_and_stops_with_much_or_few() -> None:
    def choice(hand: str, points: int) -> str:
        counters = {"points": points}
        return GreedyBot().choose(example_decision(legal="stop koi", hand=hand, counters=counters)).text

    assert choice("1x 2x 3x 4x 5x", 1) == "koi"
    assert choice("1x", 1) == "stop"
    assert choice("1x 2x 3x 4x 5x", 12) == "stop"


def test_a_yaku_that_cannot_be_made_any_more_is_worth_nothing() -> None:
    rows = tuple(row for row in rows_of("koikoi") if row.cards == cards_mask([1, 5, 9]))
    assert progress(rows, cards_mask([1, 5]), 0) > progress(rows, cards_mask([1]), 0) > 0
    assert progress(rows, cards_mask([1, 5]), cards_mask([9])) == 0
    assert progress(rows, cards_mask([1, 5, 9]), 0) == rows[0].points


def test_greedy_values_yaku_by_the_options_of_the_match() -> None:
    def worth(cards: str, options: dict[str, str]) -> float:
        decision = example_decision(legal="3L*3x", hand="3L", field="3x", pile=cards, options=options)
        return judge(decision)(decision.legal[0])

    plain = worth("1L 2A", {})
    assert worth("1L 2A", {"omote_sugawara": "true"}) - plain > 3
    assert worth("1L 2A", {"points.omote_sugawara": "50"}) == plain, "the row is off"
    assert worth("8L", {"sanko": '"any_dry"'}) > worth("8L", {})
    assert worth("9A", {"points.hanami": "0"}) < worth("9A", {}) < worth("9A", {"points.hanami": "20"})


def test_search_values_actions_by_the_options_of_the_match() -> None:
    off = {f"points.{row.id}": 0 for row in variant_info("koikoi").yaku}
    cup = off | {"points.hanami": 100}
    for options, is_worth in ((off, False), (cup, True)):
        state = State.new("koikoi", options, 5)
        values = evaluate(state.observation(state.current_player), 400, 1)
        assert any(values) == is_worth


def test_search_knows_that_points_in_the_hand_beat_a_koi_in_the_last_turn() -> None:
    """Of real positions where stop or koi is asked with the last cards in hand, stop is worth more."""
    found = 0
    for seed in range(400):
        state = State.new("koikoi", {"months": 1}, seed)
        while not state.is_over:
            texts = state.legal_texts()
            view = state.observation(state.current_player)
            hand = next(zone.count for zone in view.zones if (zone.kind, zone.seat) == ("hand", view.seat))
            if texts == ["stop", "koi"] and hand == 1:
                stop, koi = evaluate(view, 400, seed)
                assert stop > koi
                found += 1
            state.apply(state.legal_actions()[-1])
        if found >= 5:
            return
    raise AssertionError("no such position was found")


async def test_house_bots_play_a_match_as_processes(short_path: Path) -> None:
    hub, tokens = Hub(), MemoryTokens()
    server = Server(hub, tokens)
    address = f"unix:{short_path}/s"
    await server.start(Listen((address,)))
    names = ("greedy", "search")
    children = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            bots.HOUSE_MODULES[name],
            cwd=ROOT,
            env={**os.environ, "ARENA_ADDRESS": address, "ARENA_TOKEN": tokens.issue(BotIdentity(name))},
        )
        for name in names
    ]
    try:
        for name in names:
            assert await hub.wait_until(partial(hub.connected, name), 60)
        seed = State.new("koikoi", None, "a").seed or b""
        spec = MatchSpec("m", "koikoi", seed, names, {"months": 3})
        result = await play(spec, [hub.seat(name) for name in names])
        assert result.end is End.COMPLETED, result.text
        for name in names:
            hub.retire(name)
        assert [await child.wait() for child in children] == [0, 0]
    finally:
        for child in children:
            if child.returncode is None:
                child.kill()
                await child.wait()
        await server.stop()
    state = State.new("koikoi", spec.options, seed)
    state.apply_choices(result.choices)
    assert state.actions() == record([GreedyBot(), SearchBot()], "a")
