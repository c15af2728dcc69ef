"""An answer whose state changes all the time is not made all the time."""

from collections.abc import Callable

import pytest

from arena.web.site import cached
from arena.web.site.cached import CachedAnswers


class Answers:
    def __init__(self) -> None:
        self.made = 0

    async def read(self) -> Callable[[], bytes]:
        self.made += 1
        return str(self.made).encode


async def test_an_answer_made_just_now_will_do_for_later_states_but_not_for_another_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cached, "_MIN_CACHED_S", 3_600)
    answers, of = Answers(), CachedAnswers()
    for state in range(100):
        assert (await of.get("round 1", str(state), answers.read)).body == b"1"
    assert (await of.get("round 2", "100", answers.read)).body == b"2"
    assert answers.made == 2


async def test_an_answer_that_is_no_longer_fresh_is_made_again_for_another_state_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cached, "_MIN_CACHED_S", 0)
    monkeypatch.setattr(cached, "_CACHED_FACTOR", 0)
    answers, of = Answers(), CachedAnswers()
    for state, made in (("a", 1), ("a", 1), ("b", 2), ("b", 2), ("c", 3)):
        assert (await of.get("league", state, answers.read)).body == str(made).encode()
