"""Takes the best action of the learned policy of the variant, without search."""

from arena.sdk import Action, Bot, Decision, run
from arena.strength.playouts import choose
from arena.strength.policy import HEAT_OF_BEST
from arena.strength.weights import load
from arena.wire import observation_from_wire
from core_ext import State


class PolicyBot(Bot):
    """The policy alone, from the observation."""

    max_matches = 256

    def heat(self, variant: str) -> int:
        """256 / temperature at which it plays a variant."""
        return HEAT_OF_BEST

    def choose(self, decision: Decision) -> Action:
        """An action by the policy; at no temperature the best, of equal ones the first."""
        legal = decision.legal
        if len(legal) == 1:
            return legal[0]
        codes = [action.code for action in legal]
        view = observation_from_wire(decision.message.observation, codes, decision.message.events)
        heat = self.heat(decision.variant)
        code = choose(State.from_observation(view, 0), load(decision.variant), decision.random.getrandbits(62), heat)
        return legal[codes.index(code)]


if __name__ == "__main__":
    run(PolicyBot())
