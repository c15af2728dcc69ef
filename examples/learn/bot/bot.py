"""A policy that `train.py` learned, as a bot."""

from pathlib import Path

import numpy as np

from arena.sdk import Bot, run
from arena.sdk.tensors import tensors

LEARNED = np.load(Path(__file__).with_name("weights.npz"))
WEIGHTS, SCALE = LEARNED["weights"], LEARNED["scale"]


class Learned(Bot):
    def choose(self, decision):
        cards, numbers = tensors(decision)
        inputs = np.concatenate([cards.ravel(), np.clip(numbers, -1, 12) * SCALE, [1]])
        return max(decision.legal, key=lambda action: inputs @ WEIGHTS[:, action.code])


run(Learned())
