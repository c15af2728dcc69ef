"""What pages call the options of variants."""

import pytest

from arena.web.language import LANGUAGES
from arena.web.site.option_names import option_text
from core_ext import VARIANTS, variant_info


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_option_and_each_of_its_values_is_told_in_words(variant: str) -> None:
    info = variant_info(variant)
    for language in LANGUAGES:
        told = []
        for option in info.options:
            values = option.choices or ((False, True) if option.type == "bool" else (option.default,))
            told += [option_text(info, option, value, language) for value in values]
        assert len(set(told)) == len(told)
        assert not any("_" in text or "points." in text for text in told)
