"""Plays any legal action, by the decision's own dice."""

from arena.sdk import Action, Bot, Decision, run


class RandomBot(Bot):
    """Every legal action is as likely as any other."""

    max_matches = 256

    def choose(self, decision: Decision) -> Action:
        """One of the legal actions."""
        return decision.random.choice(decision.legal)


if __name__ == "__main__":
    run(RandomBot())
