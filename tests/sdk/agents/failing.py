"""Fails where it has to choose between two cards of the field."""


class FailingAgent:
    def custom_act(self, observation):
        if observation["state"].endswith("pick"):
            return observation["feature_tensor"][0]
        return observation["legal_action"][0] if observation["state"] != "koikoi" else False
