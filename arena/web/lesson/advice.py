"""What a learner is told before a decision: what each action does and why one would do it, and which one is best.

Reasons come from the variant's own table of yaku, the best action from playouts of what the learner may know.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arena.analysis.values import values
from arena.match.question import Question
from arena.sdk import Action
from arena.sdk.cards import CARDS, CHAFF, MONTHS, Card
from arena.seats.in_process import LocalDecision, match_of
from arena.strength.expert import ActionValue
from arena.web.language import ENGLISH, JAPANESE, Language, message
from arena.web.viewer.lacking import Goal, bits, goal_of, lacking
from arena.web.yaku_names import english, reading
from core_ext import Yaku, yaku_under

PLAYOUTS = 2_000
KINDS = {"light": message("lights"), "animal": message("animals"), "ribbon": message("ribbons")}
_MAX_DRAWN = 6
"""Of a row with more cards, it is said how many lack, not which."""
_MAX_REASONS = 2

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


def advice(question: Question, language: Language = ENGLISH) -> Advice:
    """Return the advice for a decision, in a language."""
    action_values = values(question.observation, PLAYOUTS)
    best = max(range(len(action_values)), key=lambda place: action_values[place].margin)
    table = _Table(question, language)
    actions = table.decision.legal
    if any(action.word == "koi" for action in actions):
        return _stop_or_koi(table, actions, action_values, best)
    choices = [
        Choice(place, action, list(table.reasons(action))[:_MAX_REASONS], place == best)
        for place, action in enumerate(actions)
    ]
    is_turned = table.decision.turned is not None
    title = language.gettext("Which one does the turned card take?") if is_turned else language.gettext("Your move")
    sentences = [*table.lesson(question.number), *table.why(choices[best])]
    return Advice(title, sentences, sorted(choices, key=lambda choice: not choice.is_best))


class _Table:
    """A decision's table as the advice sees it. Sets of cards are sets of bits."""

    def __init__(self, question: Question, language: Language) -> None:
        self.language = language
        self.decision = LocalDecision(question, match_of(question.spec, question.seat))
        self._rows: list[tuple[Yaku, Goal]] = [
            (row, goal_of(row)) for row in yaku_under(question.spec.variant, question.spec.options) if row.points
        ]
        self._own_pile = bits(self.decision.pile)
        self._opponents_pile = bits(self.decision.pile_of(1 - question.seat))

    def lesson(self, number: int) -> Iterator[Sentence]:
        """Yield what is new to the learner at this decision, the first being 1."""
        if number == 1:
            yield self._sentence(
                "A card takes a card of its own month: the number in its corner. Certain sets of what you take score. "
                "Such a set is a yaku."
            )
        elif number == 2:
            yield self._sentence(
                "After each card that you play one is turned from the stock, and takes in the same way."
            )

    def why(self, best: Choice) -> Iterator[Sentence]:
        """Yield why the best action is the best."""
        action = best.action
        card = self._played(action)
        if not action.takes:
            fits = any(legal.takes for legal in self.decision.legal)
            if fits:
                yield self._sentence("Best is to lay {card} and to keep the others.", card=_cards(card))
            else:
                yield self._sentence(
                    "None of your cards has its month on the table, so one has to be laid: best {card}.",
                    card=_cards(card),
                )
        else:
            yield self._sentence(
                "{card} takes {taken}: both are {plant}, month {month}.",
                card=_cards(card),
                taken=_cards(*action.takes),
                plant=self.language.text(MONTHS[card.month - 1][0]),
                month=str(card.month),
            )
        for reason in best.reasons:
            if reason.sentence:
                yield reason.sentence

    def reasons(self, action: Action) -> Iterator[Reason]:
        """Yield why one would do this, the weightiest first."""
        if not action.takes:
            yield Reason(self.language.gettext("stays on the table"), [])
            return
        cards = [self._played(action), *action.takes]
        taken = bits(cards)
        new_pile = self._own_pile | taken
        has_reason = False
        for row, lacks in self._changed(new_pile):
            if lacks == 0:
                points = self.points(_worth(row, new_pile))
                yield Reason(
                    self._words("makes {yaku}, {points}", yaku=self._called(row), points=points),
                    self._sentence("It makes {yaku}, {points}.", yaku=self._named(row), points=points),
                )
            elif lacks == 1:
                lacked = self._missing(row, new_pile)
                yield Reason(
                    self._words("then only {card} for {yaku}", card=str(lacked[0]).strip(), yaku=self._called(row)),
                    self._sentence("Then you lack only {card} for {yaku}.", card=lacked, yaku=self._named(row)),
                )
            has_reason = has_reason or lacks <= 1
        for row, goal in self._rows:
            is_near = row.need <= _MAX_DRAWN and lacking(goal, self._opponents_pile, self._own_pile) == 1
            if is_near and taken & goal.cards & ~self._opponents_pile:
                yield Reason(
                    self._words("no {yaku} for Bot", yaku=self._called(row)),
                    self._sentence("Then Bot cannot make {yaku}.", yaku=self._named(row)),
                )
                has_reason = True
        if not has_reason:
            yield self._kinds(cards)

    def near(self) -> Iterator[Sentence]:
        """Yield the rows that one card more would make, and where that card is."""
        for row, goal in self._rows:
            if lacking(goal, self._own_pile, self._opponents_pile) != 1:
                continue
            wording = message("You lack only {card} for {yaku}.")
            lacked = self._lacked(row, self._own_pile)
            if len(lacked) == 1:
                [card] = lacked
                if card in self.decision.hand:
                    wording = message("You lack only {card} for {yaku}, and hold it.")
                elif card in self.decision.field and any(in_hand.month == card.month for in_hand in self.decision.hand):
                    wording = message("You lack only {card} for {yaku}, which lies on the table; you hold its month.")
                elif card in self.decision.field:
                    wording = message("You lack only {card} for {yaku}, which lies on the table.")
            yield self._sentence(wording, card=self._missing(row, self._own_pile), yaku=self._named(row))

    def _played(self, action: Action) -> Card:
        """The card with which the action takes, or which it lays."""
        card = action.card if action.card is not None else self.decision.turned
        assert card is not None  # every other action is stop or koi
        return card

    def _changed(self, new_pile: int) -> Iterator[tuple[Yaku, int]]:
        """Return the rows that come nearer, with what they lack then: those made first, then the dearest."""
        changes = []
        for row, goal in self._rows:
            lacks, lacked = (lacking(goal, pile, self._opponents_pile) for pile in (new_pile, self._own_pile))
            grows = (
                lacks == lacked == 0 and (new_pile & goal.cards).bit_count() > (self._own_pile & goal.cards).bit_count()
            )
            if lacks < lacked or grows:
                changes.append((row, lacks))
        return iter(sorted(changes, key=lambda change: (change[1], -change[0].points)))

    def _lacked(self, row: Yaku, pile: int) -> list[Card]:
        """The cards of a row that the pile has not, where all of its cards are needed."""
        return [CARDS[card] for card in row.cards if not pile >> card & 1] if row.need == len(row.cards) else []

    def _missing(self, row: Yaku, pile: int) -> Sentence:
        """What a row lacks of which one card is missing."""
        lacked = self._lacked(row, pile)
        if not lacked:
            return [self.language.gettext("one more card")]
        return [f"{self._short(lacked[0])} ", _cards(*lacked)]

    def _sentence(self, wording: str, **parts: Sentence | dict[str, Any] | str) -> Sentence:
        """Return a sentence whose `{…}` are these parts."""
        sentence: Sentence = []
        for place, piece in enumerate(self.language.text(wording).replace("}", "{").split("{")):
            part = parts[piece] if place % 2 else piece
            sentence.extend(part if isinstance(part, list) else [part] if part else [])
        return sentence

    def _words(self, wording: str, **values: str) -> str:
        """A few words with these values."""
        return self.language.text(wording).format(**values)

    def points(self, number: int) -> str:
        """A number of points."""
        return self.language.ngettext("%(num)s point", "%(num)s points", number)

    def _called(self, row: Yaku) -> str:
        """What a row is called in a few words."""
        return row.name if self.language is JAPANESE else reading(row.id)

    def _named(self, row: Yaku) -> Sentence:
        """A row by its names."""
        if self.language is JAPANESE:
            return [{"name": row.name}]
        return [f"{reading(row.id)} ", {"name": row.name}, f" ({english(row.id)})"]

    def _short(self, card: Card) -> str:
        """What the card is called without its plant."""
        return self.language.text(short(card))

    def _kinds(self, cards: Sequence[Card]) -> Reason:
        """Return what the cards are, where they make nothing yet."""
        better = [card for card in cards if card.kind != CHAFF]
        if not better:
            words = self.language.gettext("chaff")
            return Reason(words, self._sentence("Both are chaff: ten of it are a yaku."))
        also = self.language.text(" and ")
        names = also.join(map(self._short, better))
        kinds = also.join(self.language.text(KINDS[kind]) for kind in sorted({card.kind for card in better}))
        kinds = kinds[:1].upper() + kinds[1:]
        return Reason(names, self._sentence("You take {names}. {kinds} make yaku too.", names=names, kinds=kinds))


def _stop_or_koi(table: _Table, actions: Sequence[Action], action_values: Sequence[ActionValue], best: int) -> Advice:
    [koi] = [place for place, action in enumerate(actions) if action.word == "koi"]
    [stop] = [place for place, action in enumerate(actions) if action.word == "stop"]
    language = table.language
    points = table.decision.counter("points", table.decision.seat)
    worth, expected = action_values[stop].margin, action_values[koi].margin
    if worth == points:
        made = language.gettext(
            "You have made a yaku, and have %(points)s. Stop, and the hand ends with them.", points=table.points(points)
        )
    else:
        made = language.gettext(
            "You have made a yaku, and have %(points)s, which koi-koi makes %(worth)s. "
            "Stop, and the hand ends with them.",
            points=table.points(points),
            worth=f"{worth:.0f}",
        )
    more = language.gettext(
        "Or say koi-koi, “come on”, and play on for more: points count double then. But if Bot makes a yaku first, "
        "Bot gets the double and you get nothing."
    )
    brings = language.gettext(
        "Played on %(times)s times from what you can see, koi-koi brings %(koi)s on average, stopping %(stop)s.",
        times=f"{action_values[koi].playouts:,}",
        koi=f"{expected:+.1f}",
        stop=f"{worth:+.0f}",
    )
    so = language.gettext("So: koi-koi!") if best == koi else language.gettext("So: stop.")
    sentences: list[Sentence] = [[made], [more], *table.near(), [f"{brings} {so}"]]
    words = {
        "stop": language.gettext("take %(points)s", points=table.points(round(worth))),
        "koi": language.gettext("play on for more"),
    }
    choices = [
        Choice(place, action, [Reason(words[action.word], [])], place == best) for place, action in enumerate(actions)
    ]
    title = language.gettext("Stop, or koi-koi?")
    return Advice(title, sentences, sorted(choices, key=lambda choice: not choice.is_best))


def _cards(*cards: Card) -> dict[str, Any]:
    return {"cards": list(map(int, cards))}


def _worth(row: Yaku, pile: int) -> int:
    count = (pile & bits(row.cards)).bit_count()
    return row.points + row.per_extra * max(count - row.need, 0)


def short(card: Card) -> str:
    """Return what a card is called without its plant: `the full moon`."""
    return f"the {card.name.partition(' (')[0]}"
