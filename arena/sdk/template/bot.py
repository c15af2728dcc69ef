"""A bot for the hanafuda arena."""

from arena.sdk import Action, Bot, Decision, run


class MyBot(Bot):
    """Takes cards where it can, lights and animals first, and stops as soon as it has something."""

    def choose(self, decision: Decision) -> Action:
        return max(decision.legal, key=lambda action: worth(action, decision))


def worth(action: Action, decision: Decision) -> float:
    """How much we like an action. Make this better!"""
    if action.word:  # a word instead of a card: stop, koi, declare, pass
        return {"stop": 2.0, "declare": 2.0}.get(action.word, 1.0)
    kinds = {"light": 5.0, "animal": 3.0, "ribbon": 2.0, "chaff": 1.0}
    taken = [card for card in (action.card, *action.takes) if card is not None and action.takes]
    return sum(kinds[card.kind] for card in taken) + decision.random.random() / 10


if __name__ == "__main__":
    run(MyBot())
