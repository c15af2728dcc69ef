"""What there is to translate, and the catalogues of it.

`python -m arena.web.language.catalogue` brings the catalogues up to date with the source: new messages come in without
a translation, those that are gone go out.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import get_args

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from arena.analysis.mistakes import Verdict
from arena.league.estimates import LESS_THAN, MORE_THAN, NOT_YET, RATINGS_NOT_YET
from arena.league.table_row import COLUMNS
from arena.replays import vocabulary
from arena.sdk.cards import CARDS
from arena.store.records import VersionStatus
from arena.submissions.record import ANSWERS, PLAYS
from arena.web.games.games import MANY_OF_READER
from arena.web.language.languages import DOMAIN, LANGUAGES, LOCALE, SCRIPTS
from arena.web.lesson.advice import short
from arena.web.site.goals import GOALS
from arena.web.viewer import document
from arena.web.viewer.scene import KINDS
from arena.web.yaku_names import ENGLISH_NAMES, reading
from core_ext import VARIANTS, variant_info
from core_ext.cards import MONTH_NAMES

_WEB = Path(__file__).parents[1]
_KEYWORDS = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "message": None,
    "Filled": (1,),
    "plural": (1, 2),
    "_sentence": (1,),
    "_words": (1,),
    # Errors that readers are told are written where they are raised.
    "HTTPException": (2,),
    "NoRoomError": (1,),
    "TooManyAnalysesError": (1,),
    "UnreadableReplayError": (1,),
}
_LEFT_OUT = tuple(
    f'"{field}:'.encode()
    for field in (
        "Project-Id-Version",
        "Report-Msgid-Bugs-To",
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Last-Translator",
        "Language-Team",
        "Generated-By",
    )
)
_STATES = ("open", "running", "paused", "finished", "cancelled")
_VERSIONS = tuple(status.replace("_", " ") for status in get_args(VersionStatus))


def _of_tables() -> Iterator[str]:
    """Yield the messages that stand in tables of the arena's."""
    for table in (
        vocabulary.SENTENCES,
        vocabulary.ENDINGS,
        vocabulary.NAMES,
        vocabulary.PAID_ALONE,
        vocabulary.COUNTERS,
        vocabulary.FIELD,
        vocabulary.ENDS,
        document.COUNTER_WORDS,
        document.KIND_WORDS,
        ENGLISH_NAMES,
    ):
        yield from table.values()
    yield from (vocabulary.CARDS, vocabulary.CALCULATION, vocabulary.TIMES, document.LABEL, document.SCORE, ", ")
    yield from (wording for _, wording in document.ACTION_WORDS)
    yield from document.PLAIN_ACTIONS
    yield from (word for _, word in KINDS)
    yield from MONTH_NAMES
    yield from map(short, CARDS)
    yield from (LESS_THAN, MORE_THAN, NOT_YET, RATINGS_NOT_YET, MANY_OF_READER)
    for column in COLUMNS:
        yield from (column.heading, column.meaning)
    for goal in GOALS.values():
        yield from (*goal.sentences, goal.caption)
    for variant in VARIANTS:
        info = variant_info(variant)
        yield info.settled
        yield from (option.doc for option in info.options)
        yield from map(reading, (*dict(info.titles), *(row.id for row in info.yaku)))
    for word in (*_STATES, *Verdict):
        yield from (word, word.capitalize())
    yield from _VERSIONS
    yield from (step.format(variant=variant) for step in (PLAYS, ANSWERS) for variant in VARIANTS)


def _of_source() -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    """Yield the messages of templates and modules, each with its context."""
    for pattern, method in (("**/*.html", "jinja2"), ("templates/*.xml", "jinja2"), ("**/*.py", "python")):
        for path in sorted(_WEB.glob(pattern)):
            with path.open("rb") as file:
                options = {"extensions": "jinja2.ext.i18n"}
                for _, message_id, _, context in extract(method, file, _KEYWORDS, options=options):
                    yield message_id, context
    for path in sorted((_WEB / "static").glob("**/*.js")):
        with path.open("rb") as file:
            for _, message_id, _, _ in extract("javascript", file, {"word": None}):
                yield message_id, SCRIPTS


def messages() -> Catalog:
    """Return everything that can be translated, without translations."""
    catalog = Catalog(charset="utf-8", fuzzy=False)
    for text in _of_tables():
        if text:
            catalog.add(text)
    for message_id, context in _of_source():
        if message_id:
            catalog.add(message_id, context=context)
    return catalog


def catalogues() -> Iterator[tuple[str, Path]]:
    """Yield the languages that have a catalogue, by their codes, and where it lies."""
    for language in LANGUAGES:
        if language.prefix:
            yield language.code, LOCALE / language.code / "LC_MESSAGES" / f"{DOMAIN}.po"


def main() -> None:
    """Bring every catalogue up to date."""
    template = messages()
    for code, path in catalogues():
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            with path.open("rb") as file:
                catalog = read_po(file, code, DOMAIN)
        else:
            catalog = Catalog(code, DOMAIN, header_comment="", charset="utf-8", fuzzy=False)
        catalog.update(template, no_fuzzy_matching=True, update_header_comment=False)
        path.write_bytes(_written(catalog))


def _written(catalog: Catalog) -> bytes:
    """Return a catalogue as a file, without the fields of its head that change at each time or say nothing."""
    written = BytesIO()
    write_po(written, catalog, width=120, sort_output=True, ignore_obsolete=True, no_location=True)
    lines = written.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(_LEFT_OUT))


if __name__ == "__main__":
    main()
