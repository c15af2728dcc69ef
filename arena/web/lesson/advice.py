"""What a learner is told before a decision: what each action does and why one would do it, and which one is best.

Reasons come from the variant's own table of yaku, the best action from playouts of what the learner may know.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arena.analysis.values import values
from arena.league.plurals import pluralize
from arena.match.question import Question
from arena.sdk import Action
from arena.sdk.cards import CARDS, CHAFF, MONTHS, Card
from arena.seats.in_process import LocalDecision, match_of
from arena.strength.expert import ActionValue
from arena.web.viewer.lacking import Goal, bits, goal_of, lacking
from arena.web.yaku_names import english, reading
from core_ext import Yaku, yaku_under

PLAYOUTS = 2_000
_MOST_DRAWN = 6
"""Of a row with more cards, it is said how many lack, not which."""
_MOST_REASONS = 2

Sentence = list[Any]
"""It begins with text; the other parts are text, names, and cards, as the templates draw them."""


class Reason(NamedTuple):
    """Why one would do something: in a few words, and as a sentence."""

    words: str
    sentence: Sentence


class Choice(NamedTuple):
    """An action: its place among the legal, why one would do it, and whether it is the best."""

    place: int
    action: Action
    reasons: list[Reason]
    is_best: bool

    @property
    def cards(self) -> tuple[int, ...]:
        """The numbers of the cards in sight that name it."""
        played = () if self.action.card is None else (self.action.card,)
        return tuple(map(int, (*played, *self.action.takes)))


class Advice(NamedTuple):
    """What the learner is told: a title, sentences, and the choices, the best first."""

    title: str
    sentences: list[Sentence]
    choices: list[Choice]


def advice(question: Question) -> Advice:
    """Return the advice for a decision."""
    found = values(question.observation, PLAYOUTS)
    best = max(range(len(found)), key=lambda place: found[place].margin)
    table = _Table(question)
    actions = table.decision.legal
    if any(action.word == "koi" for action in actions):
        return _stop_or_koi(table, actions, found, best)
    choices = [
        Choice(place, action, list(table.reasons(action))[:_MOST_REASONS], place == best)
        for place, action in enumerate(actions)
    ]
    title = "Your move" if table.decision.turned is None else "Which one does the turned card take?"
    sentences = [*table.lesson(question.number), *table.why(choices[best])]
    return Advice(title, sentences, sorted(choices, key=lambda one: not one.is_best))


class _Table:
    """A decision's table as the advice sees it. Sets of cards are sets of bits."""

    def __init__(self, question: Question) -> None:
        self.decision = LocalDecision(question, match_of(question.spec, question.seat))
        self._rows: list[tuple[Yaku, Goal]] = [
            (row, goal_of(row)) for row in yaku_under(question.spec.variant, question.spec.options) if row.points
        ]
        self._own = bits(self.decision.pile)
        self._others = bits(self.decision.pile_of(1 - question.seat))

    def lesson(self, number: int) -> Iterator[Sentence]:
        """What is new to the learner at this decision, the first being 1."""
        if number == 1:
            yield [
                "A card takes a card of its own month: the number in its corner. Certain sets of what you take score. "
                "Such a set is a yaku."
            ]
        elif number == 2:
            yield ["After each card that you play one is turned from the stock, and takes in the same way."]

    def why(self, best: Choice) -> Iterator[Sentence]:
        """Why the best action is the best."""
        action = best.action
        card = self._played(action)
        if not action.takes:
            fits = any(one.takes for one in self.decision.legal)
            if fits:
                yield ["Best is to lay ", _cards(card), " and to keep the others."]
            else:
                yield ["None of your cards has its month on the table, so one has to be laid: best ", _cards(card), "."]
        else:
            month, plant = card.month, MONTHS[card.month - 1][0]
            yield [_cards(card), " takes ", _cards(*action.takes), f": both are {plant}, month {month}."]
        for reason in best.reasons:
            if reason.sentence:
                yield reason.sentence

    def reasons(self, action: Action) -> Iterator[Reason]:
        """Why one would do this, the weightiest first."""
        if not action.takes:
            yield Reason("stays on the table", [])
            return
        cards = [self._played(action), *action.takes]
        taken = bits(cards)
        after = self._own | taken
        said = False
        for row, lacks in self._changed(after):
            if lacks == 0:
                points = pluralize(_worth(row, after), "point")
                yield Reason(f"makes {reading(row.id)}, {points}", ["It makes ", *_named(row), f", {points}."])
            elif lacks == 1:
                lacked = self._missing(row, after)
                sentence = ["Then you lack only ", *lacked, " for ", *_named(row), "."]
                yield Reason(f"then only {lacked[0].strip()} for {reading(row.id)}", sentence)
            said = said or lacks <= 1
        for row, goal in self._rows:
            is_near = row.need <= _MOST_DRAWN and lacking(goal, self._others, self._own) == 1
            if is_near and taken & goal.cards & ~self._others:
                yield Reason(f"no {reading(row.id)} for Bot", ["Then Bot cannot make ", *_named(row), "."])
                said = True
        if not said:
            yield _kinds(cards)

    def near(self) -> Iterator[Sentence]:
        """The rows that one card more would make, and where that card is."""
        for row, goal in self._rows:
            if lacking(goal, self._own, self._others) != 1:
                continue
            sentence = ["You lack only ", *self._missing(row, self._own), " for ", *_named(row)]
            lacked = self._lacked(row, self._own)
            if len(lacked) == 1:
                [card] = lacked
                if card in self.decision.hand:
                    sentence.append(", and hold it")
                elif card in self.decision.field:
                    holds = any(one.month == card.month for one in self.decision.hand)
                    sentence.append(", which lies on the table" + ("; you hold its month" if holds else ""))
            yield [*sentence, "."]

    def _played(self, action: Action) -> Card:
        """The card with which the action takes, or which it lays."""
        card = action.card if action.card is not None else self.decision.turned
        assert card is not None  # every other action is stop or koi
        return card

    def _changed(self, after: int) -> Iterator[tuple[Yaku, int]]:
        """The rows that come nearer, with what they lack then: those made first, then the dearest."""
        found = []
        for row, goal in self._rows:
            lacks, lacked = (lacking(goal, pile, self._others) for pile in (after, self._own))
            grows = lacks == lacked == 0 and (after & goal.cards).bit_count() > (self._own & goal.cards).bit_count()
            if lacks < lacked or grows:
                found.append((row, lacks))
        return iter(sorted(found, key=lambda one: (one[1], -one[0].points)))

    def _lacked(self, row: Yaku, pile: int) -> list[Card]:
        """The cards of a row that the pile has not, where all of its cards are needed."""
        return [CARDS[card] for card in row.cards if not pile >> card & 1] if row.need == len(row.cards) else []

    def _missing(self, row: Yaku, pile: int) -> Sentence:
        """What a row lacks of which one card is missing."""
        lacked = self._lacked(row, pile)
        return [f"the {_short(lacked[0])} ", _cards(*lacked)] if lacked else ["one more card"]


def _stop_or_koi(table: _Table, actions: Sequence[Action], found: Sequence[ActionValue], best: int) -> Advice:
    [koi] = [place for place, action in enumerate(actions) if action.word == "koi"]
    [stop] = [place for place, action in enumerate(actions) if action.word == "stop"]
    points = table.decision.counter("points", table.decision.seat)
    worth, expected = found[stop].margin, found[koi].margin
    doubled = "" if worth == points else f", which koi-koi makes {worth:.0f}"
    sentences: list[Sentence] = [
        [f"You have made a yaku, and have {pluralize(points, 'point')}{doubled}. Stop, and the hand ends with them."],
        [
            "Or say koi-koi, “come on”, and play on for more: points count double then. But if Bot makes a yaku first, "
            "Bot gets the double and you get nothing."
        ],
        *table.near(),
        [
            f"Played on {found[koi].playouts:,} times from what you can see, koi-koi brings {expected:+.1f} on "
            f"average, stopping {worth:+.0f}. " + ("So: koi-koi!" if best == koi else "So: stop.")
        ],
    ]
    words = {"stop": f"take {pluralize(round(worth), 'point')}", "koi": "play on for more"}
    choices = [
        Choice(place, action, [Reason(words[action.word], [])], place == best) for place, action in enumerate(actions)
    ]
    return Advice("Stop, or koi-koi?", sentences, sorted(choices, key=lambda one: not one.is_best))


def _cards(*cards: Card) -> dict[str, Any]:
    return {"cards": list(map(int, cards))}


def _named(row: Yaku) -> Sentence:
    return [f"{reading(row.id)} ", {"name": row.name}, f" ({english(row.id)})"]


def _worth(row: Yaku, pile: int) -> int:
    held = (pile & bits(row.cards)).bit_count()
    return row.points + row.per_extra * max(held - row.need, 0)


def _kinds(cards: Sequence[Card]) -> Reason:
    """What the cards are, where they make nothing yet."""
    better = [card for card in cards if card.kind != CHAFF]
    if not better:
        return Reason("chaff", ["Both are chaff: ten of it are a yaku."])
    names = " and ".join(f"the {_short(card)}" for card in better)
    kinds = sorted({f"{card.kind}s" for card in better})
    return Reason(names, [f"You take {names}. {' and '.join(kinds).capitalize()} make yaku too."])


def _short(card: Card) -> str:
    """What the card is called without its plant."""
    return card.name.partition(" (")[0]
