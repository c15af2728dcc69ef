"""Agents written for KoiKoi-AI's game play here unchanged."""

from pathlib import Path
from typing import Any

import pytest

import arena
from arena.sdk import Action, Decision
from arena.sdk.koikoi_ai import AgentBot, AgentError, Observation, load_agent, total, yaku
from arena.sdk.testing import example_decision

AGENTS = Path(__file__).parent / "agents"
STEAM = {"set": "steam"}
NAMES = {"first": "", "collector": "", "counting": "", "gambler": "GamblingAgent"}
KEYS = {
    *("turn", "state", "legal_action", "your_hand", "field", "show", "op_pile", "koikoi"),
    *(f"{whose}_{kind}" for whose in ("your", "op") for kind in ("Light", "Seed", "Ribbon", "Dross")),
    *(f"{whose}_{what}" for whose in ("your", "op") for what in ("yaku", "total_point")),
}


def agent(name: str) -> Any:
    return load_agent(AGENTS / f"{name}.py", NAMES.get(name, ""))


class Watched(AgentBot):
    """Keeps what its agent was asked, and holds each observation against the decision."""

    def __init__(self, name: str) -> None:
        super().__init__(self)
        self.played = agent(name)
        self.asked: list[Observation] = []
        self.decision: Decision | None = None

    def choose(self, decision: Decision) -> Action:
        self.decision = decision
        return super().choose(decision)

    def custom_act(self, observation: Observation) -> Any:
        self.asked.append(observation)
        self.check(observation)
        return self.played.custom_act(observation)

    def check(self, seen: Observation) -> None:
        decision = self.decision
        assert decision is not None
        assert set(seen) == KEYS
        for whose, seat in (("your", decision.seat), ("op", 1 - decision.seat)):
            rows = [row for row in seen[f"{whose}_yaku"] if row[0] != "Koi-Koi"]
            assert sum(points for _, points in rows) == decision.counter("points", seat)
            koi = decision.counter("koi", seat)
            assert sum(seen["koikoi"][1 if whose == "your" else 2]) == koi
            assert seen[f"{whose}_total_point"] == total(map(tuple, seen[f"{whose}_yaku"]), koi)
            pile = {tuple(card) for kind in ("Light", "Seed", "Ribbon", "Dross") for card in seen[f"{whose}_{kind}"]}
            assert len(pile) == len(decision.pile_of(seat))
        assert len(seen["op_pile"]) == len(decision.pile_of(1 - decision.seat))
        held = len(seen["your_hand"])
        assert seen["turn"] == 8 - held + (seen["state"] == "discard")
        in_hand = seen["state"] == "discard"
        shown = seen["show"]
        assert (len(shown) == 1) or in_hand
        if seen["state"].endswith("pick"):
            assert [card[0] for card in seen["legal_action"]] == [shown[0][0]] * 2
            assert all(card in seen["field"] for card in seen["legal_action"])
        if in_hand:
            assert seen["legal_action"] == seen["your_hand"]


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_plays_whole_matches_and_sees_what_its_own_game_would_show(name: str) -> None:
    states = set()
    for seed in range(12):
        bot = Watched(name)
        match = arena.play(bot, Watched("gambler"), seed=f"{name}/{seed}", options=STEAM)
        assert match.transcript["options"]["koi_scoring"] == "count"
        states |= {observation["state"] for observation in bot.asked}
    assert states == {"discard", "discard-pick", "draw-pick", "koikoi"}


def test_koi_are_kept_by_turn_and_by_whom() -> None:
    bot = Watched("gambler")
    for seed in range(8):
        arena.play(bot, Watched("gambler"), seed=f"koi/{seed}", options=STEAM)
    said = [observation for observation in bot.asked if sum(observation["koikoi"][1]) > 1]
    assert said
    for observation in said:
        turns = [turn for turn, koi in enumerate(observation["koikoi"][1], 1) if koi]
        assert turns[-1] <= observation["turn"]
    assert any(sum(observation["koikoi"][2]) for observation in bot.asked)


def test_a_play_with_a_choice_of_match_is_two_questions() -> None:
    decision = example_decision(legal="1L*1x 1L*1y 2x", hand="1L 2x", field="1x 1y")
    asked = []

    class Picker:
        def custom_act(self, observation: Observation) -> Any:
            asked.append((observation.state, observation.your_hand, observation.show, observation.legal_action))
            return (1, 1) if observation.state == "discard" else [1, 4]

    assert AgentBot(Picker()).choose(decision).text == "1L*1y"
    assert asked == [
        ("discard", [[1, 1], [2, 3]], [], [[1, 1], [2, 3]]),
        ("discard-pick", [[2, 3]], [[1, 1]], [[1, 3], [1, 4]]),
    ]


def test_the_cup_counts_as_seed_and_as_dross_and_pays_more_after_a_koi() -> None:
    from arena.sdk import cards

    pile = cards("3L 9A 8L 1x 1y 2x 2y 3x 3y 4x 4y 5x")
    before = [("Flower Viewing Sake", 1), ("Moon Viewing Sake", 1), ("Kasu", 1)]
    assert (yaku(pile, 0), total(yaku(pile, 0), 0)) == (before, 3)
    after = [("Flower Viewing Sake", 3), ("Moon Viewing Sake", 3), ("Kasu", 1), ("Koi-Koi", 2)]
    assert (yaku(pile, 2), total(yaku(pile, 2), 2)) == (after, 9)
    assert total(yaku(pile, 4), 4) == 7 * 2


@pytest.mark.parametrize("answer", [[1, 3], "1L", None, [13, 1], True])
def test_an_answer_that_is_not_legal_is_said_with_what_is(answer: object) -> None:
    class Wrong:
        def custom_act(self, observation: Observation) -> object:
            return answer

    decision = example_decision(legal="1L*1x 2x", hand="1L 2x", field="1x")
    with pytest.raises(AgentError, match=r"to 'discard', where \[\[1, 1\], \[2, 3\]\] are legal"):
        AgentBot(Wrong()).choose(decision)


def test_what_an_agent_raises_is_raised_with_its_decision() -> None:
    with pytest.raises(KeyError, match="feature_tensor") as raised:
        arena.play(AgentBot(agent("failing")), "house:random", seed="failing", options=STEAM)
    assert "was asked its decision" in raised.value.__notes__[0]


@pytest.mark.parametrize(
    ("name", "wanted", "said"), [("gambler", "", "2 classes"), ("first", "OtherAgent", "0 classes named OtherAgent")]
)
def test_a_file_with_no_agent_or_several_is_refused(name: str, wanted: str, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        load_agent(AGENTS / f"{name}.py", wanted)


@pytest.mark.parametrize("house", ["greedy", "search", "level2", "expert"])
def test_house_bots_and_learned_ones_play_by_the_same_options(house: str) -> None:
    match = arena.play(f"house:{house}", AgentBot(agent("collector")), seed="house", options=STEAM | {"months": 1})
    assert match.result.end.value == "completed"
