"""Learn koi-koi from nothing: `python train.py [--updates 2000] [--games 256]`; the bot gets bot/weights.npz.

A linear policy plays months against itself, many at once. After some decisions of each, what was decided is made more
likely where it went better than expected, and less likely where it went worse; a second linear function learns what to
expect (an actor and a critic with lambda returns, Adam). At the end it plays house:greedy on cards that it never saw.
"""

import argparse
import time
from pathlib import Path

import gymnasium
import numpy as np

from arena.envs import VectorEnv, encoding

WEIGHTS = Path(__file__).with_name("bot") / "weights.npz"
NAMES = encoding("koikoi")
STEPS = 16  # decisions of each game between two updates: small steps, but many
RATE = 3e-3  # of learning at the beginning; it falls to 0
LAMBDA = 0.8  # how much of a later surprise is credited to the same seat's decision before it
POINTS = 8.0  # that the expectation counts as 1
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
        self.square += 0.001 * (gradient**2 - self.square)
        mean, square = self.mean / (1 - 0.9**self.count), self.square / (1 - 0.999**self.count)
        self.weights -= rate * mean / (np.sqrt(square) + 1e-6)


class Learner:
    """A policy, what it expects, and the games that it learns from."""

    def __init__(self, games, seed=1):
        self.effects = effects()
        size = len(NAMES.planes) * 48 + len(NAMES.numbers) + 1
        self.policy = Adam(np.zeros((size, self.effects.shape[1]), np.float32))
        self.expected = Adam(np.zeros(size, np.float32))
        self.random = np.random.default_rng(seed)
        self.env = VectorEnv("koikoi", games, options={"months": 1}, copy=False)
        self.seen, self.infos = self.env.reset(seed=seed)
        self.mean = self.policy.weights.copy()

    @property
    def weights(self):
        """By input and action: the mean of the last updates, which is better than any of them."""
        return self.mean @ self.effects.T

    def play(self):
        """Play STEPS decisions of every game; return what was seen, what makes each choice likelier, its advantage."""
        games = np.arange(self.env.num_envs)
        weights = self.policy.weights @ self.effects.T
        inputs, pulls, seats, gains = [], [], [], []
        for _ in range(STEPS):
            x = inputs_of(self.seen["cards"], self.seen["numbers"])
            scores = np.where(self.seen["action_mask"], x @ weights, -np.inf)
            policy = np.exp(scores - scores.max(1, keepdims=True))
            policy /= policy.sum(1, keepdims=True)
            drawn = (policy.cumsum(1) <= 0.9999 * self.random.random((len(games), 1))).sum(1)
            pull = -policy
            pull[games, drawn] += 1
            inputs.append(x), pulls.append(pull @ self.effects), seats.append(self.infos["seat"].astype(int))
            self.seen, _, ended, _, self.infos = self.env.step(drawn)
            won = self.infos["rewards"]
            gains.append((ended.copy(), (won - won[:, ::-1]) / POINTS))
        return np.concatenate(inputs), np.concatenate(pulls), self.advantages(np.stack(inputs), seats, gains)

    def advantages(self, inputs, seats, gains):
        """By how much each decision turned out better than expected, counted back from the last."""
        games, expected = np.arange(self.env.num_envs), inputs @ self.expected.weights
        now = inputs_of(self.seen["cards"], self.seen["numbers"]) @ self.expected.weights
        is_asked = np.arange(2) == self.infos["seat"][:, None]
        later = np.where(is_asked, now[:, None], -now[:, None])  # by seat: what the month comes to, as seen later
        better, advantages = np.zeros_like(later), np.zeros_like(expected)
        for step in reversed(range(STEPS)):
            seat, (ended, won) = seats[step], gains[step]
            later[ended], better[ended] = won[ended], 0
            better[games, seat] = later[games, seat] - expected[step] + LAMBDA * better[games, seat]
            later[games, seat], advantages[step] = expected[step], better[games, seat]
        return np.clip(advantages.ravel(), -3, 3)

    def update(self, rate=RATE):
        """Play, and learn from it."""
        inputs, pulls, advantages = self.play()
        self.policy.step(-inputs.T @ (pulls * advantages[:, None]) / len(inputs), rate)
        self.expected.step(-inputs.T @ advantages / len(inputs), rate)
        self.mean += (1 - AVERAGED) * (self.policy.weights - self.mean)


def against_greedy(weights, matches, seed):
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


def train(updates, games):
    """Learn, and say on the way how it does against house:greedy; return the weights."""
    learner, began = Learner(games), time.monotonic()
    for update in range(1, updates + 1):
        learner.update(RATE * (1 - update / updates))
        if update % 250 == 0:
            ahead, error = against_greedy(learner.weights, 100, "learning")
            took, decisions = time.monotonic() - began, update * STEPS * games
            print(f"{took:5.0f} s {decisions:11,} decisions: {ahead:+.1f} ± {error:.1f} points a match", flush=True)
    return learner.weights


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=2000)
    parser.add_argument("--games", type=int, default=256)
    args = parser.parse_args()
    learned = train(args.updates, args.games)
    np.savez(WEIGHTS, weights=learned, scale=SCALE)
    ahead, error = against_greedy(learned, 1000, "test")
    print(f"{WEIGHTS}: {ahead:+.1f} ± {error:.1f} points a match against house:greedy, 1,000 matches of new cards")
