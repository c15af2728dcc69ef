"""What each message of the pages is in each language. English stands in the source, others in catalogues."""

from collections.abc import Mapping
from functools import cached_property
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

LOCALE = Path(__file__).parents[1] / "locale"
DOMAIN = "pages"
SCRIPTS = "script"
"""The context of the messages that the pages' scripts show."""


class Language:
    """A language of the pages. Messages are those of the source, in English; values are written into them by `%`."""

    def __init__(self, code: str, name: str, prefix: str = "") -> None:
        """`name` is its own; `prefix` begins the addresses of its pages."""
        self.code = code
        self.name = name
        self.prefix = prefix

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    @cached_property
    def translations(self) -> NullTranslations:
        """The catalogue, read when the language is first asked for."""
        file = LOCALE / self.code / "LC_MESSAGES" / f"{DOMAIN}.po"
        return _read(file) if file.is_file() else NullTranslations()

    @cached_property
    def scripts(self) -> dict[str, str]:
        """What the scripts say, by their messages; empty where it is what stands in them."""
        catalog = getattr(self.translations, "_catalog", {})
        begin = f"{SCRIPTS}\x04"
        return {key.removeprefix(begin): text for key, text in catalog.items() if str(key).startswith(begin)}

    def text(self, message: str) -> str:
        """Return a message as it stands: no values are written into it but those that it brings along."""
        if isinstance(message, Filled):
            return self.gettext(message.message, **message.values)
        return self.translations.gettext(message) if message else ""

    def gettext(self, message: str, **values: Any) -> str:
        """Return a message with these values."""
        return self.translations.gettext(message) % values

    def pgettext(self, context: str, message: str, **values: Any) -> str:
        """Return a message that means something else in another context."""
        return self.translations.pgettext(context, message) % values

    def ngettext(self, singular: str, plural_form: str, number: int, **values: Any) -> str:
        """Return the message for a number, which is `num` among the values."""
        return self.translations.ngettext(singular, plural_form, number) % {"num": number, **values}


class Filled(str):
    """A message with values, in English; it can be said in any language later."""

    message: str
    values: Mapping[str, object]

    def __new__(cls, message: str, **values: object) -> "Filled":
        """Return the message with these values written into it."""
        made = super().__new__(cls, message % values)
        made.message, made.values = message, values
        return made


def message(text: str) -> str:
    """Mark a message that is translated where it is shown."""
    return text


def plural(singular: str, plural_form: str) -> tuple[str, str]:
    """Mark a message for a number that is translated where it is shown."""
    return singular, plural_form


def _read(file: Path) -> NullTranslations:
    # Only who reads another language than English needs this.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source))
    compiled.seek(0)
    return GNUTranslations(compiled)


ENGLISH = Language("en", "English")
JAPANESE = Language("ja", "日本語", "/ja")
LANGUAGES = (ENGLISH, JAPANESE)
