"""Two classes in a file; the one that is wanted says koi whenever it may, and plays anything."""

import random


class CautiousAgent:
    def custom_act(self, observation):
        return observation["legal_action"][-1]


class GamblingAgent(CautiousAgent):
    def __init__(self):
        self.random = random.Random(7)

    def custom_act(self, observation):
        if True in observation["legal_action"]:
            return True
        return self.random.choice(observation["legal_action"])
