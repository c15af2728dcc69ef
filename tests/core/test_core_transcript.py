"""The transcript of a match, key by key."""

import json

import pytest

from core_ext import State, errors, variant_info
from core_ext.cards import cards_text
from core_ext.shuffle import deck


@pytest.fixture(scope="module")
def finished() -> State:
    state = State.new("koikoi", {"months": 3}, "transcript")
    while not state.is_over:
        state.apply(state.legal_actions()[-1])
    return state


def test_a_transcript_has_the_keys_of_its_format_in_their_order(finished):
    transcript = finished.transcript()
    assert list(transcript) == [
        "format",
        "variant",
        "rules_version",
        "options",
        "seats",
        "seed",
        "first",
        "months",
        "totals",
        "result",
        "placing",
    ]
    assert transcript["format"] == "hanafuda-transcript/1"
    assert transcript["rules_version"] == finished.rules_version
    assert list(transcript["months"][0]) == [
        "month",
        "attempt",
        "dealer",
        "deck",
        "picks",
        "actions",
        "ended",
        "winner",
        "yaku",
        "scores",
    ]
    assert list(transcript["months"][0]["actions"][0]) == ["seat", "action"]
    assert json.loads(json.dumps(transcript)) == transcript


def test_a_transcript_gives_seed_options_and_decks_to_play_it_again(finished):
    transcript = finished.transcript()
    late = {option.name for option in variant_info("koikoi").options if option.late}
    assert transcript["options"] == {name: value for name, value in finished.options.items() if name not in late}
    again = State.new("koikoi", transcript["options"], transcript["seed"])
    for month in transcript["months"]:
        assert (again.month, again.attempt, again.dealer) == (month["month"], month["attempt"], month["dealer"])
        assert month["deck"] == cards_text(deck(transcript["seed"], month["month"], month["attempt"]))
        for action in month["actions"]:
            assert again.current_player == action["seat"]
            again.apply(again.parse_action(action["action"]))
    assert again.is_over
    assert transcript["totals"] == transcript["result"] == list(again.returns())
    assert transcript["placing"] == list(again.placing())


def test_legal_texts_are_there_when_asked_for_in_the_engines_order(finished):
    state = State.new("koikoi", {"months": 3}, "transcript")
    months = finished.transcript(legal=True)["months"]
    assert months[0]["actions"][0] == {
        "seat": state.current_player,
        "action": state.legal_texts()[-1],
        "legal": state.legal_texts(),
    }


def test_a_redeal_is_a_deal_of_its_own_with_the_next_attempt():
    for seed in range(1000):
        state = State.new("koikoi", {"months": 1}, seed)
        if state.attempt:
            break
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    redealt, stood = state.transcript()["months"]
    assert (redealt["ended"], redealt["actions"], redealt["scores"], redealt["winner"]) == ("redeal", [], [0, 0], None)
    assert [redealt["attempt"], stood["attempt"]] == [0, 1]
    assert (redealt["month"], redealt["dealer"]) == (stood["month"], stood["dealer"])


def test_a_match_under_way_tells_its_finished_deals():
    state = State.new("koikoi", {"teshi": False}, "under way")
    assert state.transcript()["months"] == []
    while state.month < 3:
        state.apply(state.legal_actions()[0])
    assert [month["month"] for month in state.transcript()["months"] if month["ended"] != "redeal"] == [1, 2]


def test_a_sampled_state_has_no_transcript_and_no_actions():
    sample = State.new("koikoi", None, 1).determinize(0, 1)
    for ask in (sample.transcript, sample.actions):
        with pytest.raises(errors.SampledStateError, match="not dealt from a seed"):
            ask()
