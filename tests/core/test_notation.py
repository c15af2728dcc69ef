"""Codes and texts of actions: one stable code a text, the other way round too."""

import pytest

from core_ext import VARIANTS, State, variant_info
from core_ext.errors import NotationError

STATE = State.new("koikoi", None, 0)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1L", 0),
        ("1L*1R,1x,1y", 1),
        ("1L*1R", 2),
        ("1R", 5),
        ("1R*1L", 6),
        ("1R*1L,1x,1y", 7),
        ("1R*1x", 8),
        ("12z*12y", 238),
        ("12z*12L,12x,12y", 239),
        ("*1L", 240),
        ("*5x", 258),
        ("*12z", 287),
        ("stop", 288),
        ("koi", 289),
        ("cancel", 290),
        ("pass", 291),
        ("declare", 292),
    ],
)
def test_a_code_never_changes(text, code):
    assert STATE.parse_action(text) == code
    assert STATE.action_text(code) == text


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_code_has_a_text_of_its_own(variant):
    info = variant_info(variant)
    assert len(set(info.actions)) == info.num_actions
    state = State.new(variant, None, 0)
    assert [state.parse_action(state.action_text(code)) for code in range(info.num_actions)] == list(
        range(info.num_actions)
    )


@pytest.mark.parametrize("text", ["", "1R*1R", "1R*2x", "1R*1x,1L,1y", "1r", "*", "KOI", " koi", "13x", None])
def test_a_text_that_is_no_action_is_refused(text):
    with pytest.raises(NotationError, match="is not an action of koikoi"):
        STATE.parse_action(text)


@pytest.mark.parametrize("code", [-1, 293, 2**70, "1R", None])
def test_a_code_without_a_text_is_refused(code):
    with pytest.raises(NotationError, match="koikoi has no action"):
        STATE.action_text(code)
