"""The search for leaks in tensors, in short; in full it is `python -m benchmarks.leaks`."""

import pytest

from arena.envs.encoding import Encoding
from benchmarks import leaks
from core_ext import VARIANTS, State, variant_info


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_position_of_a_match_tells_deals_apart_that_look_the_same(variant: str) -> None:
    least, most, _ = variant_info(variant).seats
    for seats in range(least, most + 1):
        assert leaks.check(variant, seats, 150) == 150 * seats * 2


def test_a_leak_is_found_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Encoding.observe

    def leaking(self: Encoding, state: State, seat: int) -> dict[str, object]:
        seen = honest(self, state, seat)
        hand = state.observation(1 - seat).zones[1 - seat].cards
        seen["cards"][1, list(hand)] = 1
        return dict(seen)

    monkeypatch.setattr(Encoding, "observe", leaking)
    with pytest.raises(leaks.LeakError, match=r"koikoi with 2 seats, match leaks/1 after 0 actions: seat 0 can tell"):
        leaks.check("koikoi", 2, 10)
