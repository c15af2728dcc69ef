"""The languages of the pages: each message in them, the addresses that each has, and the choice of a reader."""

from arena.web.language.languages import ENGLISH, JAPANESE, LANGUAGES, Filled, Language, message, plural
