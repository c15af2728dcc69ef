"""Plays the first thing it may, and always stops."""


class FirstAgent:
    def custom_act(self, observation):
        if observation["state"] == "koikoi":
            return False
        return observation["legal_action"][0]
