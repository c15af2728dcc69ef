"""Bots written for KoiKoi-AI's koi-koi, unchanged: classes with a method `custom_act(observation)`.

Play them with the option `set=steam`, the rules that they were written for: `run(AgentBot(load_agent("my_agent.py")))`.
docs/koikoi-ai.md says what they are shown.
"""

import importlib.util
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from arena.sdk.bot import Bot
from arena.sdk.cards import BY_TEXT, Card
from arena.sdk.cards import card as card_of
from arena.sdk.decision import Action, Decision, Event

TURNS = 8
MOST_ADDED = 3
"""Koi that add a point each; with more, points are multiplied by their number less two."""

_SAKE = card_of("9A")
_LIGHTS = frozenset(card for card in BY_TEXT.values() if card.kind == "light")
_SEEDS = frozenset(card for card in BY_TEXT.values() if card.kind == "animal")
_RIBBONS = frozenset(card for card in BY_TEXT.values() if card.kind == "ribbon")
_DROSS = frozenset(card for card in BY_TEXT.values() if card.kind == "chaff") | {_SAKE}
_KINDS = {"Light": _LIGHTS, "Seed": _SEEDS, "Ribbon": _RIBBONS, "Dross": _DROSS}
_RAIN_MAN = card_of("11L")


def _set(text: str) -> frozenset[Card]:
    return frozenset(map(card_of, text.split()))


_FIXED = (
    ("Boar-Deer-Butterfly", _set("6A 7A 10A"), 5),
    ("Red & Blue Ribbons", _set("1R 2R 3R 6R 9R 10R"), 10),
    ("Red Ribbons", _set("1R 2R 3R"), 5),
    ("Blue Ribbons", _set("6R 9R 10R"), 5),
)
_CUPS = (("Flower Viewing Sake", _set("3L 9A")), ("Moon Viewing Sake", _set("8L 9A")))
_COUNTED = (("Tane", _SEEDS, 5), ("Tan", _RIBBONS, 5), ("Kasu", _DROSS, 10))


class Agent(Protocol):
    """What such a bot has."""

    def custom_act(self, observation: Any) -> Any:
        """The answer to an observation: one of its `legal_action`."""


class AgentError(Exception):
    """A file holds no agent, or several, or an agent's answer is not legal."""


class Observation(dict[str, Any]):
    """A dictionary whose keys can be read as attributes too, as some of these bots do."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the observation has no {name!r}; it has {', '.join(self)}") from None


class AgentBot(Bot):
    """Plays an agent at the arena: asks its `custom_act`, and plays what it answers.

    A card that could take either of two on the field is two questions, `discard` and `discard-pick`. Where rules ask
    about four of a month in a hand, which KoiKoi-AI's do not, they are declared. What the agent raises is shown and
    forfeits, as with any bot. The observations have no `feature_tensor`.
    """

    variants = ("koikoi",)

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def choose(self, decision: Decision) -> Action:
        """The action that the agent's answers come to. Raises AgentError for one that is not legal."""
        course = _course(decision)
        koi_turns = course.koi[decision.seat], course.koi[1 - decision.seat]
        phase = decision.observation.phase
        by_word = {action.word: action for action in decision.legal}
        if "declare" in by_word:
            return by_word["declare"]
        if phase == "settle":
            koi = self._ask(_observe(decision, koi_turns, "koikoi", course.turned), [True, False])
            return by_word["koi" if koi else "stop"]
        if decision.turned is not None:
            return self._pick(_observe(decision, koi_turns, "draw-pick", (decision.turned,)), decision.legal)
        cards = [_pair(card) for card in decision.hand]
        answer = self._ask(_observe(decision, koi_turns, "discard", course.turned), cards)
        ways = [action for action in decision.legal if action.card is not None and _pair(action.card) == answer]
        if len(ways) == 1:
            return ways[0]
        shown = decision.hand[cards.index(answer)]
        return self._pick(_observe(decision, koi_turns, "discard-pick", (shown,), played=shown), ways)

    def _pick(self, observation: Observation, ways: Sequence[Action]) -> Action:
        """The way to take one of two cards that the agent picks."""
        cards = [_pair(action.takes[0]) for action in ways]
        return ways[cards.index(self._ask(observation, cards))]

    def _ask(self, observation: Observation, legal: list[Any]) -> Any:
        observation["legal_action"] = [list(answer) if isinstance(answer, list) else answer for answer in legal]
        reply = self._agent.custom_act(observation)
        for answer in legal:
            if _is_same(reply, answer):
                return answer
        raise AgentError(f"custom_act answered {reply!r} to {observation['state']!r}, where {legal} are legal")


def _is_same(reply: Any, answer: Any) -> bool:
    """Whether what an agent answered, a list, a tuple or an array, is this answer."""
    if isinstance(answer, bool):
        return type(reply).__name__ in ("bool", "bool_") and bool(reply) == answer
    return isinstance(reply, Iterable) and not isinstance(reply, str) and list(reply) == answer


def load_agent(path: str | Path, name: str = "") -> Agent:
    """Make the agent in a Python file: its one class with a `custom_act`, or the one of this name.

    What such files import of the program they came with, `client.agent.CustomAgentBase` and
    `client.client.SocketIOClient`, is stood in for where it is not there. Raises AgentError, and OSError.
    """
    path = Path(path)
    _stand_in()
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    options = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and hasattr(value, "custom_act")
        and name in ("", value.__name__)
    ]
    if len(options) != 1:
        named = f" named {name}" if name else ""
        several = f": {', '.join(value.__name__ for value in options)}; name one of them" if options else ""
        raise AgentError(f"{path} has {len(options)} classes{named} with a method custom_act, not one{several}")
    agent: Agent = options[0]()
    return agent


class CustomAgentBase:
    """Stands in for the class that agents of the competition inherit from."""


class SocketIOClient:
    """Stands in for the client that such a file ends with; it is never started here."""

    def __init__(self, *arguments: object, **named: object) -> None:
        raise AgentError("a bot of the arena does not connect by SocketIOClient: keep it under __name__ == '__main__'")


def _stand_in() -> None:
    """Offer `client.agent` and `client.client` to files that import them, unless there is a package `client`."""
    if "client" in sys.modules or importlib.util.find_spec("client") is not None:
        return
    package, agent, client = ModuleType("client"), ModuleType("client.agent"), ModuleType("client.client")
    package.__path__ = []
    agent.CustomAgentBase = CustomAgentBase  # type: ignore[attr-defined]
    client.SocketIOClient = SocketIOClient  # type: ignore[attr-defined]
    sys.modules |= {"client": package, "client.agent": agent, "client.client": client}


def _pair(card: Card) -> list[int]:
    """A card as these bots have it: month, and number in the month from 1."""
    return [card.month, card % 4 + 1]


def _observe(
    decision: Decision,
    koi_turns: Sequence[Sequence[int]],
    state: str,
    shown: Sequence[Card],
    played: Card | None = None,
) -> Observation:
    """Return the observation for a question, without its `legal_action`; `koi_turns` are by seat, this bot's first."""
    seat = decision.seat
    hand = [card for card in decision.hand if card != played]
    observation = Observation(
        turn=TURNS - len(hand) + (state == "discard"),
        state=state,
        your_hand=list(map(_pair, hand)),
        field=sorted(map(_pair, decision.field)),
        show=list(map(_pair, shown)),
        op_pile=list(map(_pair, decision.pile_of(1 - seat))),
        koikoi={1: list(koi_turns[0]), 2: list(koi_turns[1])},
    )
    for whose, pile, koi in (("your", decision.pile, koi_turns[0]), ("op", decision.pile_of(1 - seat), koi_turns[1])):
        for kind, cards in _KINDS.items():
            observation[f"{whose}_{kind}"] = [tuple(_pair(card)) for card in pile if card in cards]
        rows = yaku(pile, sum(koi))
        observation[f"{whose}_yaku"] = [list(row) for row in rows]
        observation[f"{whose}_total_point"] = total(rows, sum(koi))
    return observation


def yaku(pile: Iterable[Card], koi: int) -> list[tuple[str, int]]:
    """The yaku of a pile with their points under KoiKoi-AI's rules, for a seat that has said koi so often."""
    owned = frozenset(pile)
    lights = owned & _LIGHTS
    by_lights = {
        5: [("Five Lights", 10)],
        4: [("Rainy Four Lights", 7) if _RAIN_MAN in lights else ("Four Lights", 8)],
        3: [] if _RAIN_MAN in lights else [("Three Lights", 5)],
    }
    rows = list(by_lights.get(len(lights), []))
    rows += [(name, points) for name, cards, points in _FIXED if cards <= owned]
    rows += [(name, 3 if koi else 1) for name, cards in _CUPS if cards <= owned]
    rows += [(name, len(owned & cards) - need + 1) for name, cards, need in _COUNTED if len(owned & cards) >= need]
    return [*rows, ("Koi-Koi", koi)] if koi else rows


def total(rows: Iterable[tuple[str, int]], koi: int) -> int:
    """What the rows come to with the koi that were said."""
    points = sum(points for name, points in rows if name != "Koi-Koi")
    return points + koi if koi <= MOST_ADDED else points * (koi - MOST_ADDED + 1)


class _Course:
    """The month so far: the card that was turned last, and by seat the turns and those in which koi was said."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.turned: tuple[Card, ...] = ()
        self.turns = [0, 0]
        self.koi = ([0] * TURNS, [0] * TURNS)

    def follow(self, event: Event) -> None:
        if event.kind == "deal":
            self.begin()
        elif event.kind == "play":
            self.turns[event.seat] = min(TURNS, self.turns[event.seat] + 1)
        elif event.kind == "turn":
            self.turned = event.cards
        elif event.kind == "koi":
            self.koi[event.seat][max(0, self.turns[event.seat] - 1)] = 1

    def agree(self, seat: int, count: int) -> None:
        """Keep the number of koi right where events were missed, as after a lost connection: the first turns say it."""
        koi = self.koi[seat]
        if sum(koi) != count:
            koi[:] = [int(turn < count) for turn in range(TURNS)]


def _course(decision: Decision) -> _Course:
    """The course of the decision's month, kept with its match."""
    course = decision.match.data.setdefault(__name__, _Course())
    assert isinstance(course, _Course)
    for event in decision.events:
        course.follow(event)
    for seat in (0, 1):
        course.agree(seat, decision.counter("koi", seat))
    return course
