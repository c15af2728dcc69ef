"""A document for somebody who plays: what they did is told to them, not about them."""

import re
from typing import Any

import msgspec

from arena.replays import ReplayRecord
from arena.web.language import ENGLISH, Language, message
from arena.web.viewer.document import document

YOU = message("You")
"""What the reader's own seat is called."""
_VERBS = re.compile(
    r"\b(plays|takes|turns|draws|makes|says|stops|lets|puts|declares|declines|discards|deals|wins|loses|gets)\b"
)
_WORDS = ((re.compile(r"\bis (given|found)\b"), r"are \1"), (re.compile(r"\bits koi\b"), "your koi"))


def document_for(record: ReplayRecord, seat: int, since: int = 0, language: Language = ENGLISH) -> dict[str, Any]:
    """Return `document` as this seat may know it, whose player reads it: they are `YOU`."""
    you = language.text(YOU)
    names = tuple(you if place == seat else name for place, name in enumerate(record.names))
    shown = document(msgspec.structs.replace(record, names=names), seat, since, language)
    if language is not ENGLISH:
        return shown  # of the sentences of other languages none tells the person
    for line in shown["lines"]:
        if line[0] == seat:
            line[1] = [_in_second_person(part) if isinstance(part, str) else part for part in line[1]]
    for deal in shown["deals"]:
        if deal["ending"].startswith(f"{YOU} "):
            deal["ending"] = _in_second_person(deal["ending"])
    return shown


def _in_second_person(text: str) -> str:
    """Return the words of a sentence in the third person, in the second."""
    text = _VERBS.sub(lambda verb: verb[0].removesuffix("s"), text)
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    return text
