"""What a match brings its seats, step by step."""

from core_ext import State, variant_info


class Rewards:
    """The gains of a match's seats, in the unit of the variant's results.

    A balance's gain is a reward when it comes; the last rewards settle the match, so that all of them add up to the
    results.
    """

    def __init__(self, state: State) -> None:
        """A match that has just begun."""
        info = variant_info(state.variant)
        self._unit = info.unit
        self._balances = (info.starting_balance,) * state.seats
        self._paid = [0.0] * state.seats

    def gains(self, state: State) -> list[float]:
        """What each seat has gained since this was asked before."""
        if state.is_over:
            gains = [result - paid for result, paid in zip(state.returns(), self._paid, strict=True)]
        else:
            balances = state.balances()
            if balances == self._balances:
                return [0.0] * len(balances)
            gains = [(now - then) / self._unit for now, then in zip(balances, self._balances, strict=True)]
            self._balances = balances
        self._paid = [paid + gain for paid, gain in zip(self._paid, gains, strict=True)]
        return gains
