"""The catalogues of messages: each is whole and has nothing besides; translations keep what is written into them."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from arena.web.language import ENGLISH, JAPANESE
from arena.web.language.catalogue import catalogues, messages
from arena.web.language.times import day, minute
from arena.web.site.heads import duration

VALUES = re.compile(r"%\((\w+)\)|\{(\w*)\}|(%%)")
MARKUP = re.compile(r"</?[a-z]+[^>]*>")


@pytest.fixture(scope="module")
def source() -> Catalog:
    return messages()


def texts(message: Message, field: str) -> tuple[str, ...]:
    found = getattr(message, field)
    return (found,) if isinstance(found, str) else tuple(found)


def values_of(text: str) -> set[str]:
    return {"".join(found) for found in VALUES.findall(text)} - {"num"}


@pytest.mark.parametrize(("code", "path"), list(catalogues()))
def test_a_catalogue_has_every_message_translated_and_none_that_is_gone(source: Catalog, code: str, path: Path) -> None:
    with path.open("rb") as file:
        catalog = read_po(file, code, abort_invalid=True)
    known = {(message.context, message.id) for message in catalog if message.id}
    wanted = {(message.context, message.id) for message in source if message.id}
    assert known == wanted, "python -m arena.web.language.catalogue brings it up to date"
    assert not catalog.obsolete
    for message in catalog:
        if message.id:
            assert all(texts(message, "string")), message.id
            assert not message.fuzzy


@pytest.mark.parametrize(("code", "path"), list(catalogues()))
def test_a_translation_has_the_values_and_the_markup_of_its_message(code: str, path: Path) -> None:
    with path.open("rb") as file:
        catalog = read_po(file, code)
    for message in catalog:
        if not message.id:
            continue
        [one, *_] = texts(message, "id")
        for text in texts(message, "string"):
            assert values_of(text) == values_of(one), one
            assert sorted(MARKUP.findall(text)) == sorted(MARKUP.findall(one)), one


def test_times_and_numbers_are_written_as_each_language_does() -> None:
    assert day(ENGLISH, "2026-11-08T09:30:00Z") == "2026-11-08"
    assert minute(JAPANESE, "2026-11-08T09:30:00Z") == "2026年11月8日 09:30"
    assert (minute(ENGLISH, ""), day(JAPANESE, "")) == ("", "")
    assert [duration(seconds, ENGLISH) for seconds in (20, 60, 7_200)] == ["less than a minute", "1 minute", "2 hours"]
    assert [duration(seconds, JAPANESE) for seconds in (20, 60, 7_200)] == ["1分未満", "1分", "2時間"]
    assert JAPANESE.ngettext("%(num)s match", "%(num)s matches", 1) == "1局"


def test_scripts_are_given_their_messages() -> None:
    assert JAPANESE.scripts["Pause"] == "一時停止"
    assert not ENGLISH.scripts
