"""What makes pages of templates, those of the site as those that are files of their own."""

from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from arena.league.estimates import margin_text, percent_text, rating_text
from arena.names import is_name, is_season, ladder_of
from arena.web.language import LANGUAGES, Language
from arena.web.language.times import day, minute
from arena.web.match_names import place_of
from arena.web.previews import HAS_PREVIEWS
from arena.web.viewer import markup
from arena.web.yaku_names import english, reading
from core_ext import VARIANTS, variant_info


@cache
def environment_in(language: Language) -> Environment:
    """Return what makes pages of templates in a language."""
    environment = Environment(
        loader=PackageLoader("arena.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # it would look at the file of each template for each page
        extensions=["jinja2.ext.i18n"],
    )
    texts: Any = environment  # the methods that the extension has added
    texts.install_gettext_translations(language.translations, newstyle=True)
    environment.globals |= {
        "language": language,
        "root": language.prefix,
        "fan": markup.fan,
        "yaku_cards": markup.row,
        "backs": markup.backs,
        "has_previews": HAS_PREVIEWS,
        "is_name": is_name,
        "place_of": place_of,
        "ladder_of": lambda league: ladder_of(league) if is_season(league) else "",
        "titles": {variant: variant_info(variant).name for variant in VARIANTS},
    }
    environment.filters |= {
        "text": language.text,
        "day": partial(day, language),
        "minute": partial(minute, language),
        "percent": percent_text,
        "margin": partial(margin_text, say=language.text),
        "rating": partial(rating_text, say=language.text),
        "reading": lambda yaku: language.text(reading(yaku)),
        "english": lambda yaku: language.text(english(yaku)),
    }
    return environment


@cache
def compile_templates() -> None:
    """Compile every template in every language: whoever comes first would wait for it."""
    for environment in map(environment_in, LANGUAGES):
        for name in environment.list_templates():
            environment.get_template(name)
