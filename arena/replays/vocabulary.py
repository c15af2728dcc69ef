"""The wording of a drawn match: tables, by the core's names. What is not in them is shown by its name."""

from collections.abc import Callable

# What a seat does, after its name. {cards}, {taken}, {name}, {value} are the event's; {taken} is without {cards}.
# {product} are all values: points, times, points added.
Say = Callable[[str], str]
"""Tells a wording of these tables in a reader's language."""

SENTENCES = {
    "draw": "draws {cards}",
    "dealer": "is found by the field and deals",
    "field": "the month begins at × {value}, doubled for each of {cards}",
    "field+unseen": "the month begins at × {value}",
    "field+named": "the field is {name}, a kan is {value} {cards}",
    "field+added": "the field is {name}, a kan is {value}, each yaku {added} kan more {cards}",
    "field_four": "is given four of a month, {cards}",
    "pass": "declines, unseen by the others",
    "declare": "declares {name} with {cards}, {value}",
    "exchange": "puts {cards} under the stock, picked blindly of three",
    "exchange+unseen": "puts a card of three under the stock",
    "stock": "draws from the stock {cards}",
    "stock+unseen": "draws a card from the stock",
    "yaku": "makes {name} with {cards}, {value}",
    "koi": "says koi with {value} at stake",
    "stop": "stops with {value}",
    "cancel": "takes its koi back, {value} at half",
    "decline": "lets its koi stand",
    "play": "plays {cards}",
    "play+taken": "plays {cards}, takes {taken}",
    "turn": "turns {cards}",
    "turn+alone": "turns {cards}, which goes to the pile",
    "turn+taken": "turns {cards}, takes {taken}",
    "take": "takes the discard {cards}",
    "take+taken": "takes {taken} with {cards}",
    "discard": "discards {cards}",
    "win": "wins by drawing with {name}, {product}: {cards}",
    "win+alone": "wins on the discard with {name}, {product}: {cards}",
    "take+alone": "is given {cards} from the field",
    "rain": "takes {cards} with a cup yaku in the pile and loses the word",
    "pay": "gets {value} for {name}",
}
"""By the kind of an event, with `+taken` where other cards came along, `+alone` where only it went to the pile,
`+unseen` where no card is shown or the viewer may not know it, `+named` for a field with a name, `+added` where it adds
to each yaku."""

STRONG = frozenset({"declare", "yaku", "koi", "rain", "stop", "win"})
"""The kinds of events that turn a deal."""

ENDINGS = {
    "stop": "{who} stops and wins the month",
    "cancel": "{who} takes its koi back and ends the month",
    "declare": "{who} wins the month by a dealt hand",
    "win": "{who} wins the month",
    "run_out": "The month has run out",
    "redeal": "Four of a month on the field: the cards are dealt again",
    "safeguard": "The month is ended, it would go on for ever",
    "void": "The month is void",
}
"""How a deal ended."""

NAMES = {
    "pot": "pot",
    "last_pot": "last pot",
}
"""The terms that have no title of the variant's."""

CARDS = "{number} cards"
"""Cards that are counted."""

CALCULATION = "{product} from each of {payers} = {score}"
"""A score that several pay."""

PAID_ALONE = {
    True: "paid by {who} alone, whose koi stood",
    False: "paid by {who} alone, who dealt into it",
}
"""Why a seat pays another's share, by whether it had said koi."""

COUNTERS = {
    "koi": "{who} said koi{times}",
    "stake": "{who} had {value} at stake",
    "multiplier": "multiplier {value}",
}
"""The counters that explain a score; {times} is empty for once."""

TIMES = " {number} times"

FIELD = {
    "times": "payments × {times}: a kan is {value}",
    "plain": "a kan is {value}",
    "added": "each yaku {value} kan more",
}
"""What a field with a name is worth."""

ENDS = {
    "completed": "The match was played to its end.",
    "safeguard": "The match was ended, it would have gone on for ever.",
    "abandoned": "The match was abandoned.",
    "illegal_action": "{who} forfeited with an illegal action.",
    "timeout": "{who} forfeited, its time was over.",
    "disconnected": "{who} forfeited, it was disconnected.",
    "bot_error": "{who} forfeited, the bot failed.",
}
"""How a match ended."""
