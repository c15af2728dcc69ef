"""Learn koi-koi from nothing: `python train.py [--minutes 30] [--games 256]`; the bot gets bot/weights.npz.

A linear policy plays months against itself. After some decisions of every game, each decision of a month that is over
is made a little more likely where its seat won more than expected, and less likely where it won less (REINFORCE with a
linear baseline, Adam). It ends when the policy is clearly ahead of house:greedy, or when the time is over.
"""

import argparse
import time
from pathlib import Path

import gymnasium
import numpy as np

from arena.envs import VectorEnv, encoding

WEIGHTS = Path(__file__).with_name("bot") / "weights.npz"
NAMES = encoding("koikoi")
STEPS = 64  # of every game, between two updates
RATE = 5e-3
POINTS = 6.0  # what a return of 1 is worth
AVERAGED = 0.98  # of the last updates the policy is the mean
# It learns from single months: month and balances tell it nothing there.
SCALE = np.array([0 if name.startswith(("month", "balance")) else 1 / 12 for name in NAMES.numbers], np.float32)


def effects():
    """What each action does, 0 or 1: the cards it takes (48), the cards it lays (48), or what else it says."""
    cards = [name for name in NAMES.actions if name[0].isdigit() and "*" not in name]
    words = [name for name in NAMES.actions if name.isalpha()]
    table = np.zeros((len(NAMES.actions), 2 * len(cards) + len(words)), np.float32)
    for row, name in zip(table, NAMES.actions, strict=True):
        if name in words:
            row[2 * len(cards) + words.index(name)] = 1
        else:
            named = [card for card in name.replace("*", ",").split(",") if card]
            row[[cards.index(card) + len(cards) * (name in cards) for card in named]] = 1
    return table


def inputs_of(cards, numbers):
    """What the policy sees, of one position or of many."""
    flat = cards.reshape(*cards.shape[:-2], -1)
    ones = np.ones((*flat.shape[:-1], 1))
    return np.concatenate([flat, np.clip(numbers, -1, 12) * SCALE, ones], axis=-1, dtype=np.float32)


class Adam:
    """Steps of an even size, whatever the gradients' size."""

    def __init__(self, weights):
        self.weights, self.mean, self.square, self.count = weights, 0 * weights, 0 * weights, 0

    def step(self, gradient, rate):
        self.count += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.01 * (gradient**2 - self.square)
        mean, square = self.mean / (1 - 0.9**self.count), self.square / (1 - 0.99**self.count)
        self.weights -= rate * mean / (np.sqrt(square) + 1e-6)


class Learner:
    """A policy, what it expects, and the games that it learns from."""

    def __init__(self, games, seed=1):
        self.effects = effects()
        size = len(NAMES.planes) * 48 + len(NAMES.numbers) + 1
        self.policy = Adam(np.zeros((size, self.effects.shape[1]), np.float32))
        self.values = Adam(np.zeros(size, np.float32))
        self.random = np.random.default_rng(seed)
        self.env = VectorEnv("koikoi", games, options={"months": 1}, copy=False)
        self.seen, self.infos = self.env.reset(seed=seed)
        self.mean = self.policy.weights.copy()

    @property
    def weights(self):
        """By input and action: the mean of the last updates, which is better than any of them."""
        return self.mean @ self.effects.T

    def rollout(self):
        """Play STEPS decisions of every game; return those of the months that are over, and what their seats won."""
        games = np.arange(self.env.num_envs)
        shape = (STEPS, len(games))
        weights, inputs, pulls = self.policy.weights @ self.effects.T, [], []
        seats, gains = np.zeros(shape, np.int64), np.full(shape, np.nan, np.float32)
        first = np.zeros(len(games), np.int64)  # the step at which each game's month began
        for step in range(STEPS):
            x = inputs_of(self.seen["cards"], self.seen["numbers"])
            width = int(self.infos["legal_counts"].max())
            legal = self.infos["legal"][:, :width].astype(np.int64)
            scores = np.take_along_axis(x @ weights, legal, 1)
            scores[np.arange(width) >= self.infos["legal_counts"][:, None]] = -np.inf
            policy = np.exp(scores - scores.max(1, keepdims=True))
            policy /= policy.sum(1, keepdims=True)
            drawn = (policy.cumsum(1) < self.random.random((len(games), 1))).sum(1)
            drawn = np.minimum(drawn, self.infos["legal_counts"] - 1)
            pull = np.zeros((len(games), len(NAMES.actions)), np.float32)  # how the chosen action becomes more likely
            np.put_along_axis(pull, legal, -policy, 1)
            pull[games, legal[games, drawn]] += 1
            inputs.append(x), pulls.append(pull @ self.effects)
            seats[step] = self.infos["seat"]
            self.seen, _, done, _, self.infos = self.env.step(legal[games, drawn])
            for game in np.flatnonzero(done):
                month = slice(first[game], step + 1)
                won = self.infos["rewards"][game]
                gains[month, game] = (won - won[::-1])[seats[month, game]]
                first[game] = step + 1
        ended = ~np.isnan(gains)
        return np.stack(inputs)[ended], np.stack(pulls)[ended], np.clip(gains[ended] / POINTS, -3, 3)

    def update(self):
        """Play, and learn from it."""
        inputs, pulls, returns = self.rollout()
        advantage = returns - inputs @ self.values.weights
        self.policy.step(-inputs.T @ (pulls * advantage[:, None]) / len(inputs), RATE)
        self.values.step(-inputs.T @ advantage / len(inputs), RATE)
        self.mean += (1 - AVERAGED) * (self.policy.weights - self.mean)


def against_greedy(weights, matches, seed="check"):
    """The mean points by which the policy is ahead of house:greedy in a match, and their standard error."""
    env = gymnasium.make("hanafuda/Koikoi-v1", opponent="house:greedy", disable_env_checker=True).unwrapped
    leads = []
    for match in range(matches):
        seen, info = env.reset(options={"seed": f"{seed}/{match}"})
        over = False
        while not over:
            scores = inputs_of(seen["cards"], seen["numbers"]) @ weights
            seen, _, over, _, info = env.step(int(np.where(seen["action_mask"], scores, -np.inf).argmax()))
        leads.append(info["results"][info["seat"]] - info["results"][1 - info["seat"]])
    return np.mean(leads), np.std(leads) / np.sqrt(matches)


def train(minutes, games):
    """Learn until the policy is clearly ahead of house:greedy; return its weights, and by how much it was ahead."""
    learner = Learner(games)
    began, updates, ahead = time.monotonic(), 0, 0.0
    while time.monotonic() - began < 60 * minutes:
        learner.update()
        updates += 1
        if updates % 100 == 0:
            ahead, error = against_greedy(learner.weights, 200)
            took, decisions = time.monotonic() - began, updates * STEPS * games
            print(f"{took:5.0f} s {decisions:11,} decisions: {ahead:+.1f} ± {error:.1f} points a match", flush=True)
            if ahead > 2.5 * error:
                break
    return learner.weights, ahead


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--games", type=int, default=256)
    given = parser.parse_args()
    learned, ahead = train(given.minutes, given.games)
    np.savez(WEIGHTS, weights=learned, scale=SCALE)
    print(f"{WEIGHTS}: {ahead:+.1f} points a match against house:greedy")
